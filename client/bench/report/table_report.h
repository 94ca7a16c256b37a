// client/bench/report/table_report.h
//
// A report as a table for people, in 100 columns.

#ifndef KILN_CLIENT_BENCH_REPORT_TABLE_REPORT_H_
#define KILN_CLIENT_BENCH_REPORT_TABLE_REPORT_H_

#include <string>

#include "client/bench/options/bench_options.h"
#include "client/bench/report/bench_report.h"

namespace kiln::client {

std::string ReportTable(const BenchOptions& options, const BenchReport& report);

// One probe of --find-max-rate, as it is printed when it has ended.
std::string ProbeLine(CallMode mode, const Probe& probe);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_TABLE_REPORT_H_
