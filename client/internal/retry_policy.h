// client/internal/retry_policy.h
//
// Whether and when a failed attempt is repeated. Knows no transport and no
// clock of its own: everything is an argument.

#ifndef KILN_CLIENT_INTERNAL_RETRY_POLICY_H_
#define KILN_CLIENT_INTERNAL_RETRY_POLICY_H_

#include <optional>

#include "absl/status/status.h"
#include "client/connection.h"
#include "client/options.h"
#include "core/base/mutex.h"
#include "core/base/random.h"

namespace kiln::client::internal {

// One for all calls of a client, because the budget is shared.
// Threads: every method may be called from any thread.
class RetryPolicy {
 public:
  // `seed` decides the jitter; clients take different ones, or they would all
  // come back at the same time.
  RetryPolicy(const RetryOptions& options, uint64_t seed)
      : options_(options), random_(seed), tokens_(options.budget) {}

  // How long to wait before repeating a call whose attempt number `attempts`
  // (from 1) failed with `status`; nullopt: give up.
  //
  // Guarantees: now + delay < deadline; never less than the time the server
  // named, and at most a quarter more.
  std::optional<Clock::duration> Delay(const absl::Status& status, int attempts,
                                       Clock::time_point now,
                                       Clock::time_point deadline);

  // A call has succeeded: gives a part of a token back.
  void AddSuccess();

  double tokens() const;

 private:
  Clock::duration Below(Clock::duration bound)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const RetryOptions options_;
  mutable core::Mutex mutex_;
  core::Random random_ ABSL_GUARDED_BY(mutex_);
  double tokens_ ABSL_GUARDED_BY(mutex_);
};

// Whether repeating can help: busy with a hint, or unavailable.
// kResourceExhausted without a hint is a message over gRPC's limit.
bool IsRetryable(const absl::Status& status);

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_RETRY_POLICY_H_
