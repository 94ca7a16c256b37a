// client/bench/load/connection_load.h
//
// The load of one connection: when to send, what to count.

#ifndef KILN_CLIENT_BENCH_LOAD_CONNECTION_LOAD_H_
#define KILN_CLIENT_BENCH_LOAD_CONNECTION_LOAD_H_

#include <chrono>
#include <vector>

#include "client/bench/callers/caller.h"
#include "client/bench/load/load.h"
#include "client/bench/measure/load_result.h"
#include "core/base/mutex.h"

namespace kiln::client {

// Used once: Start or RunSchedule, then Finish. What the sending thread and the
// connection's own share is guarded; in a closed loop that is one thread, and
// the lock is free.
class ConnectionLoad {
 public:
  using Clock = std::chrono::steady_clock;

  // `index`: of the connection, among those of all processes. `start` is where
  // the warm-up begins.
  ConnectionLoad(Caller* caller, const LoadOptions& options, int index,
                 Clock::time_point start);

  // Closed loop: fills the connection; every answer sends the next request.
  void Start();

  // Sends every request when it is due, or as soon after that as there is room
  // for it. Returns when the last one has been sent, or given up.
  void RunSchedule(ArrivalSchedule schedule);

  // Waits for every answer.
  LoadResult Finish();

 private:
  // Waits until fewer than the bound are under way, and counts one more. The
  // time from which on there was room for it.
  Clock::time_point TakeRoom();
  void GiveUp(Clock::time_point due);
  // `from` is where the latency counts from.
  void SendNext(Clock::time_point from);
  void OnEnd(Clock::time_point from, const CallEnd& end);
  void Count(Clock::time_point from, Clock::time_point now, const CallEnd& end)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsMeasured(Clock::time_point from) const {
    return from >= measure_from_ && from < end_;
  }

  Caller* const caller_;
  const LoadOptions options_;
  const Clock::time_point start_;
  const Clock::time_point measure_from_;
  const Clock::time_point end_;

  core::Mutex mutex_;
  core::CondVar answered_;
  size_t next_ ABSL_GUARDED_BY(mutex_);
  int under_way_ ABSL_GUARDED_BY(mutex_) = 0;
  // With a schedule: requests sent and ended so far, and when each of the last
  // ended: a ring, `in_flight` long. The n-th can be sent when number
  // n - in_flight has ended, in the order of their ends.
  size_t sent_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t ended_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Clock::time_point> ends_ ABSL_GUARDED_BY(mutex_);
  Clock::time_point last_ ABSL_GUARDED_BY(mutex_);
  LoadResult result_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LOAD_CONNECTION_LOAD_H_
