// server/log/log_burst.h
//
// Says once that something has begun to go wrong, and once how often it did:
// under attack or overload the log must not become the next thing that is full.

#ifndef KILN_SERVER_LOG_LOG_BURST_H_
#define KILN_SERVER_LOG_LOG_BURST_H_

#include <chrono>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/base/mutex.h"

namespace kiln::server {

// Threads: all methods may be called concurrently.
class LogBurst {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Requires: `event` is a constant.
  explicit LogBurst(absl::string_view event) : event_(event) {}

  // It happened, because of `why`: logged as a warning if it is the first of a
  // burst. A burst is over when there has been none for kBurstQuiet.
  void Note(absl::string_view why, TimePoint now);
  // Sums up a burst that is over. Called now and then, by whoever has the time.
  void Tick(TimePoint now);

  int64_t total() const;

 private:
  void EndBurst() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const absl::string_view event_;
  mutable core::Mutex mutex_;
  int64_t in_burst_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t total_ ABSL_GUARDED_BY(mutex_) = 0;
  TimePoint begin_ ABSL_GUARDED_BY(mutex_);
  TimePoint last_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kiln::server

#endif  // KILN_SERVER_LOG_LOG_BURST_H_
