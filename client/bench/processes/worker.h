// client/bench/processes/worker.h
//
// A kiln-bench that loads for another one (worker_pool.h). Lines on standard
// output and input: "ready", then a measurement for each load order, until the
// input ends. A line that begins with "error " instead says why there is none.

#ifndef KILN_CLIENT_BENCH_PROCESSES_WORKER_H_
#define KILN_CLIENT_BENCH_PROCESSES_WORKER_H_

#include "absl/strings/string_view.h"
#include "client/bench/options/bench_options.h"

namespace kiln::client {

inline constexpr char kWorkerReady[] = "ready";
inline constexpr absl::string_view kWorkerError = "error ";

// An exit code. Requires: exactly one mode.
int RunWorker(const BenchOptions& options);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_PROCESSES_WORKER_H_
