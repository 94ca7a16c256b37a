// client/bench/report/html_report.h
//
// A report as one HTML page: tables, the latency at every percentile, and what
// happened second by second.

#ifndef KILN_CLIENT_BENCH_REPORT_HTML_REPORT_H_
#define KILN_CLIENT_BENCH_REPORT_HTML_REPORT_H_

#include <string>

#include "client/bench/options/bench_options.h"
#include "client/bench/report/bench_report.h"

namespace kiln::client {

// Self-contained: nothing is loaded from anywhere, and no script runs. Well-
// formed XML after its first line.
std::string ReportHtml(const BenchOptions& options, const BenchReport& report);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_HTML_REPORT_H_
