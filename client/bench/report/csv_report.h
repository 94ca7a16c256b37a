// client/bench/report/csv_report.h
//
// A report as comma-separated values: for spreadsheets and plotting tools.

#ifndef KILN_CLIENT_BENCH_REPORT_CSV_REPORT_H_
#define KILN_CLIENT_BENCH_REPORT_CSV_REPORT_H_

#include <string>

#include "client/bench/report/bench_report.h"

namespace kiln::client {

// A line of names; then for each series a line for each second (0, 1, ...) and
// one with "all" as the second. Latencies in microseconds, rounded to a tenth.
std::string ReportCsv(const BenchReport& report);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_CSV_REPORT_H_
