// client/bench/processes/worker_pool.h
//
// Several processes that load one server together: one process has one gRPC
// poller and one allocator, and can be slower than the server it measures.

#ifndef KILN_CLIENT_BENCH_PROCESSES_WORKER_POOL_H_
#define KILN_CLIENT_BENCH_PROCESSES_WORKER_POOL_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/load/generator.h"
#include "client/bench/options/bench_options.h"
#include "client/bench/processes/child_process.h"

namespace kiln::client {

class WorkerPool : public Generator {
 public:
  // Starts options.processes workers and waits until each is connected.
  // Errors: a worker's own; kUnavailable when one ends.
  static absl::StatusOr<std::unique_ptr<WorkerPool>> Start(
      const BenchOptions& options, const std::string& address, CallMode mode);

  // All begin at the same moment; the sum of their measurements is exact, and
  // seconds of the series are the same seconds.
  absl::StatusOr<LoadResult> Run(const LoadOptions& options) override;

 private:
  explicit WorkerPool(int connections) : connections_(connections) {}

  const int connections_;  // of each
  std::vector<std::unique_ptr<ChildProcess>> workers_;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_PROCESSES_WORKER_POOL_H_
