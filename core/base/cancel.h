// core/base/cancel.h
//
// How a deadline, a cancel or a dropped connection reaches the middle of a
// bake: the owner holds a CancelSource, the work polls a CancelToken.
//
// Work polls at least once a millisecond; every bake in core/voxel does, so
// cores are free again within 5 ms of a cancel.

#ifndef KILN_CORE_BASE_CANCEL_H_
#define KILN_CORE_BASE_CANCEL_H_

#include <atomic>
#include <chrono>
#include <memory>

#include "absl/status/status.h"

namespace kiln::core {

namespace internal {

struct CancelState {
  std::atomic<bool> cancelled{false};
  std::chrono::steady_clock::time_point deadline =
      std::chrono::steady_clock::time_point::max();
};

}  // namespace internal

// What work polls. A default-constructed token never stops anything.
// Threads: const calls may run concurrently; copies are cheap.
class CancelToken {
 public:
  CancelToken() = default;

  // True once the work should stop. Cost: one relaxed load, and a clock read
  // (about 30 ns) where there is a deadline.
  bool ShouldStop() const {
    if (state_ == nullptr) return false;
    if (state_->cancelled.load(std::memory_order_relaxed)) return true;
    return state_->deadline != std::chrono::steady_clock::time_point::max() &&
           std::chrono::steady_clock::now() >= state_->deadline;
  }

  // OK, kCancelled or kDeadlineExceeded.
  absl::Status ToStatus() const;

  // The latest time at which work is still wanted; max() if there is none.
  std::chrono::steady_clock::time_point deadline() const {
    return state_ ? state_->deadline
                  : std::chrono::steady_clock::time_point::max();
  }

 private:
  friend class CancelSource;
  explicit CancelToken(std::shared_ptr<const internal::CancelState> state)
      : state_(std::move(state)) {}

  std::shared_ptr<const internal::CancelState> state_;
};

// Threads: Cancel may be called from any thread, any number of times.
class CancelSource {
 public:
  explicit CancelSource(std::chrono::steady_clock::time_point deadline =
                            std::chrono::steady_clock::time_point::max())
      : state_(std::make_shared<internal::CancelState>()) {
    state_->deadline = deadline;
  }

  void Cancel() { state_->cancelled.store(true, std::memory_order_relaxed); }
  CancelToken token() const { return CancelToken(state_); }

 private:
  std::shared_ptr<internal::CancelState> state_;
};

}  // namespace kiln::core

#endif  // KILN_CORE_BASE_CANCEL_H_
