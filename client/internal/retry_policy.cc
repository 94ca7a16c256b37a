#include "client/internal/retry_policy.h"

#include <algorithm>

#include "core/base/errors.h"

namespace kiln::client::internal {
namespace {

// initial * 2^(attempts - 1), at most max; without overflow.
Clock::duration Bound(const RetryOptions& options, int attempts) {
  Clock::duration bound = options.initial_backoff;
  for (int i = 1; i < attempts && bound < options.max_backoff; ++i) bound *= 2;
  return std::min<Clock::duration>(bound, options.max_backoff);
}

}  // namespace

bool IsRetryable(const absl::Status& status) {
  return absl::IsUnavailable(status) ||
         (absl::IsResourceExhausted(status) && core::RetryAfter(status));
}

std::optional<Clock::duration> RetryPolicy::Delay(const absl::Status& status,
                                                  int attempts,
                                                  Clock::time_point now,
                                                  Clock::time_point deadline) {
  if (!IsRetryable(status) || attempts >= options_.max_attempts) {
    return std::nullopt;
  }
  core::MutexLock lock(mutex_);
  Clock::duration delay;
  if (const auto hint = core::RetryAfter(status)) {
    // A little more, or all that were refused together return together.
    delay = *hint + Below(*hint / 4);
  } else {
    delay = Below(Bound(options_, attempts));
  }
  if (delay >= deadline - now) return std::nullopt;
  // A busy server sets the pace itself; only guesses need a budget.
  if (absl::IsUnavailable(status)) {
    if (tokens_ < 1) return std::nullopt;
    tokens_ -= 1;
  }
  return delay;
}

void RetryPolicy::AddSuccess() {
  core::MutexLock lock(mutex_);
  tokens_ = std::min(options_.budget, tokens_ + options_.budget_per_success);
}

double RetryPolicy::tokens() const {
  core::MutexLock lock(mutex_);
  return tokens_;
}

Clock::duration RetryPolicy::Below(Clock::duration bound) {
  const int64_t us =
      std::chrono::duration_cast<std::chrono::microseconds>(bound).count();
  if (us <= 0) return Clock::duration::zero();
  // Below takes 32 bits: 71 minutes, more than any bound here.
  const auto range = static_cast<uint32_t>(std::min<int64_t>(us, UINT32_MAX));
  return std::chrono::microseconds(random_.Below(range));
}

}  // namespace kiln::client::internal
