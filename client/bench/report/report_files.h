// client/bench/report/report_files.h
//
// Puts every report that was asked for where it was asked for.

#ifndef KILN_CLIENT_BENCH_REPORT_REPORT_FILES_H_
#define KILN_CLIENT_BENCH_REPORT_REPORT_FILES_H_

#include "absl/status/status.h"
#include "client/bench/options/bench_options.h"
#include "client/bench/report/bench_report.h"

namespace kiln::client {

// The table goes to standard output unless another report does ("-").
// Errors: those of files, and of a standard output that takes nothing.
absl::Status WriteReports(const BenchOptions& options,
                          const BenchReport& report);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_REPORT_FILES_H_
