#include "client/bench/processes/worker_pool.h"

#include <chrono>

#include "absl/strings/match.h"
#include "client/bench/measure/measure_json.h"
#include "client/bench/processes/load_order.h"
#include "client/bench/processes/worker.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

// For every worker to have read its order before all begin.
constexpr std::chrono::milliseconds kLead{50};

absl::StatusOr<std::string> ReadAnswer(ChildProcess& worker) {
  KILN_ASSIGN_OR_RETURN(std::string line, worker.ReadLine());
  if (absl::StartsWith(line, kWorkerError)) {
    return core::UnavailableError(line.substr(kWorkerError.size()));
  }
  return line;
}

}  // namespace

absl::StatusOr<std::unique_ptr<WorkerPool>> WorkerPool::Start(
    const BenchOptions& options, const std::string& address, CallMode mode) {
  std::unique_ptr<WorkerPool> pool(new WorkerPool(options.connections));
  for (int i = 0; i < options.processes; ++i) {
    KILN_ASSIGN_OR_RETURN(
        std::unique_ptr<ChildProcess> worker,
        ChildProcess::Start(WorkerWords(options, address, mode, i)));
    pool->workers_.push_back(std::move(worker));
  }
  for (const auto& worker : pool->workers_) {
    KILN_RETURN_IF_ERROR(ReadAnswer(*worker).status());
  }
  return pool;
}

absl::StatusOr<LoadResult> WorkerPool::Run(const LoadOptions& options) {
  LoadOptions order = options;
  order.start = std::chrono::steady_clock::now() + kLead;
  order.all_connections = connections_ * static_cast<int>(workers_.size());
  for (const auto& worker : workers_) {
    KILN_RETURN_IF_ERROR(worker->WriteLine(LoadOrderToText(order)));
    order.first_connection += connections_;
  }
  LoadResult sum;
  for (const auto& worker : workers_) {
    KILN_ASSIGN_OR_RETURN(const std::string line, ReadAnswer(*worker));
    KILN_ASSIGN_OR_RETURN(const LoadResult result, LoadResultFromText(line));
    sum.Merge(result);
  }
  return sum;
}

}  // namespace kiln::client
