// core/base/cancel_poll.h
//
// Polling a CancelToken from fine-grained work: looking at the clock for each
// voxel would cost more than the voxel, so work is counted instead and the
// token asked once per period.

#ifndef KILN_CORE_BASE_CANCEL_POLL_H_
#define KILN_CORE_BASE_CANCEL_POLL_H_

#include <cstdint>

#include "core/base/cancel.h"

namespace kiln::core {

// About 1 ns of work each: then 1 ms holds several periods on any machine.
inline constexpr int64_t kCancelPollPeriod = 100'000;

// Once stopped, stays stopped. Not thread-safe; `token` must outlive it.
class CancelPoll {
 public:
  explicit CancelPoll(const CancelToken& token,
                      int64_t period = kCancelPollPeriod)
      : token_(token), period_(period), rest_(period) {}

  // Counts `work` units of about 1 ns that are done or about to be done; true
  // once the work should stop.
  bool ShouldStopAfter(int64_t work) {
    rest_ -= work;
    if (rest_ <= 0) {
      rest_ = period_;
      stopped_ = stopped_ || token_.ShouldStop();
    }
    return stopped_;
  }

  bool stopped() const { return stopped_; }
  // Requires: stopped().
  absl::Status ToStatus() const { return token_.ToStatus(); }

 private:
  const CancelToken& token_;
  const int64_t period_;
  int64_t rest_;
  bool stopped_ = false;
};

}  // namespace kiln::core

#endif  // KILN_CORE_BASE_CANCEL_POLL_H_
