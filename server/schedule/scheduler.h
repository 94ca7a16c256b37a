// server/schedule/scheduler.h
//
// What runs when. Blocks of all admitted requests wait in one queue; a core
// that is free takes the most urgent one. Waiting is done here and never inside
// the arena, which only sees blocks that run at once.

#ifndef KILN_SERVER_SCHEDULE_SCHEDULER_H_
#define KILN_SERVER_SCHEDULE_SCHEDULER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/base/cancel.h"
#include "core/base/limits.h"
#include "core/base/mutex.h"
#include "core/base/parallel.h"

namespace kiln::server {

// What a request wants done, in blocks that do not depend on each other.
class Job {
 public:
  virtual ~Job() = default;

  // Does block `index`. Called at most once for each index, in ascending order
  // of start, from any threads and concurrently. May throw.
  virtual absl::Status RunBlock(int index) = 0;

  // Called exactly once, when no block runs any more and none will: OK when all
  // have been done, else the error of the failed block with the lowest index,
  // or that of the cancel token. Must not throw. May be called from within
  // Submit, Cancel, the queue's own thread or a worker; never under a lock.
  virtual void Done(absl::Status status) = 0;
};

struct JobOptions {
  int blocks = 1;  // at least 1
  int priority = core::kDefaultPriority;
  core::CancelToken cancel;
};

// Order: a job of higher priority goes first, unless it came later than
// kPriorityStep (limits.h) for each step between them; in order of arrival
// where that leaves them equal. So nobody starves.
//
// Threads: all methods may be called concurrently.
class Scheduler {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Calls `on_stuck(true)` when jobs wait and none has moved for `stall`, and
  // `on_stuck(false)` when they move again; from the scheduler's own thread.
  // Requires: `arena` outlives this and has no other use.
  Scheduler(core::TaskArena& arena, std::chrono::milliseconds stall,
            std::function<void(bool)> on_stuck);
  ~Scheduler();  // as Stop

  // Cancels what waits and returns when what runs has ended. Cancelled may
  // still be called after it, Submit may not.
  void Stop();

  void Submit(std::shared_ptr<Job> job, const JobOptions& options);

  // Does all of `job` on the calling thread, Done included, unless others wait:
  // then it does nothing and returns false. For jobs that are smaller than the
  // cost of handing them over.
  bool RunHere(Job& job, const JobOptions& options);

  // What jobs are ordered by, earliest first; equal ones by arrival.
  static TimePoint TurnOf(TimePoint arrival, int priority);

  // The job's token has been cancelled: drops its waiting blocks now instead of
  // when their turn comes. A job that has ended, or whose blocks all run, is
  // left alone.
  void Cancelled(const Job* job);

  int64_t jobs_waiting() const;

 private:
  // A job with its place in the queue.
  struct Entry {
    std::shared_ptr<Job> job;
    JobOptions options;
    // Guarded by the scheduler's mutex.
    int next = 0;
    int running = 0;
    int failed_index = INT32_MAX;
    absl::Status status;
  };
  // TurnOf, then the number of arrival.
  using Turn = std::pair<TimePoint, uint64_t>;
  using Queue = std::map<Turn, std::shared_ptr<Entry>>;
  using Ended = std::vector<std::shared_ptr<Entry>>;

  void RunUntilEmpty();
  // The next block to run, or nullptr when nothing waits. Jobs found cancelled
  // on the way are moved to `ended`.
  std::shared_ptr<Entry> Take(int& index, Ended& ended)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes the job out of the queue; moves it to `ended` when nothing of it
  // runs.
  Queue::iterator Drop(Queue::iterator it, absl::Status status, Ended& ended)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void BlockEnded(const std::shared_ptr<Entry>& entry, int index,
                  const absl::Status& status);
  void DropCancelled(Ended& ended) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void Finish(const Ended& ended);
  void Watch();

  core::TaskArena& arena_;
  const std::chrono::milliseconds stall_;
  const std::function<void(bool)> on_stuck_;

  mutable core::Mutex mutex_;
  core::CondVar changed_;
  Queue queue_ ABSL_GUARDED_BY(mutex_);
  uint64_t arrivals_ ABSL_GUARDED_BY(mutex_) = 0;
  int runners_ ABSL_GUARDED_BY(mutex_) = 0;
  TimePoint last_move_ ABSL_GUARDED_BY(mutex_);
  bool watcher_sleeps_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;

  std::thread watcher_;  // last: it uses all of the above
};

}  // namespace kiln::server

#endif  // KILN_SERVER_SCHEDULE_SCHEDULER_H_
