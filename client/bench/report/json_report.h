// client/bench/report/json_report.h
//
// A report as JSON, with whole histograms: what --compare reads, and what
// other programs can merge.

#ifndef KILN_CLIENT_BENCH_REPORT_JSON_REPORT_H_
#define KILN_CLIENT_BENCH_REPORT_JSON_REPORT_H_

#include <string>

#include "client/bench/options/bench_options.h"
#include "client/bench/report/bench_report.h"

namespace kiln::client {

// Times are microseconds where a name ends in "_us"; a histogram's unit is
// written in it.
std::string ReportJson(const BenchOptions& options, const BenchReport& report);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_JSON_REPORT_H_
