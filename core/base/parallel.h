// core/base/parallel.h
//
// All of Kiln's parallel work goes through these verbs; TBB is named in
// parallel.cc only. Work is given to an arena and nobody waits inside one: a
// thread that waits may be handed another request's task.

#ifndef KILN_CORE_BASE_PARALLEL_H_
#define KILN_CORE_BASE_PARALLEL_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "core/base/cancel.h"

namespace kiln::core {

// Cores this process may use: the smaller of the hardware's and the container's
// CPU quota (cgroup v2 cpu.max or v1 cfs quota, rounded up), at least 1.
// Cost: reads two small files; ask once. TBB on its own ignores the quota.
int AvailableCores();

// A bounded set of worker threads. Threads: every method may be called from any
// thread, except the destructor.
class TaskArena {
 public:
  // Requires: 1 <= threads <= 1024.
  explicit TaskArena(int threads);
  // Waits until every task given to it has run.
  ~TaskArena();
  TaskArena(const TaskArena&) = delete;
  TaskArena& operator=(const TaskArena&) = delete;

  int threads() const;

  // Runs `task` on one of the workers, soon. Tasks start in about the order in
  // which they came. `task` must not throw and must not wait for other tasks.
  void Enqueue(std::function<void()> task);

  // Runs body(0) .. body(count - 1), each exactly once, in any order and on up
  // to threads() workers, and returns when all have run. Once `cancel` stops,
  // indices that have not started are skipped, and the result is its status.
  //
  // Requires: not called from a task of any arena. `body` does not throw.
  absl::Status ForEach(int64_t count, const std::function<void(int64_t)>& body,
                       const CancelToken& cancel = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kiln::core

#endif  // KILN_CORE_BASE_PARALLEL_H_
