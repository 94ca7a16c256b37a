// client/bench/bench.h
//
// One run of kiln-bench: servers up, sizes found out, rounds in turns or a
// search for the highest rate, report.

#ifndef KILN_CLIENT_BENCH_BENCH_H_
#define KILN_CLIENT_BENCH_BENCH_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "client/bench/options/bench_options.h"
#include "client/bench/report/bench_report.h"

namespace kiln::client {

// `tell` is given each probe of a search as a line of text when it has ended.
// Errors: those of the workload, of a server that does not come up, and of the
// first request of each kind, which is sent alone.
absl::StatusOr<BenchReport> RunBench(
    const BenchOptions& options,
    const std::function<void(const std::string& line)>& tell);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_BENCH_H_
