// client/bench/bench.h
//
// One run of kiln-bench: servers up, sizes found out, rounds in turns, report.

#ifndef KILN_CLIENT_BENCH_BENCH_H_
#define KILN_CLIENT_BENCH_BENCH_H_

#include "absl/status/statusor.h"
#include "client/bench/bench_options.h"
#include "client/bench/report.h"

namespace kiln::client {

// Errors: those of the workload, of a server that does not come up, and of the
// first request of each kind, which is sent alone.
absl::StatusOr<BenchReport> RunBench(const BenchOptions& options);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_BENCH_H_
