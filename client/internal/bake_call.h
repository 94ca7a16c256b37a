// client/internal/bake_call.h
//
// One call of an application: as many attempts as its policy and its deadline
// allow, one result.

#ifndef KILN_CLIENT_INTERNAL_BAKE_CALL_H_
#define KILN_CLIENT_INTERNAL_BAKE_CALL_H_

#include <memory>

#include "client/bake.h"
#include "client/connection.h"
#include "client/internal/retry_policy.h"
#include "core/base/mutex.h"

namespace kiln::client::internal {

// Threads: every method may be called from any thread.
class BakeCall : public std::enable_shared_from_this<BakeCall> {
 public:
  BakeCall(std::shared_ptr<Connection> connection,
           std::shared_ptr<RetryPolicy> policy, Clock::time_point deadline,
           BakeCallback callback);

  // `request` as Connection::Prepare returned it; an error is delivered through
  // the callback as any other. Called once.
  void Start(absl::StatusOr<std::shared_ptr<const PreparedBake>> request);

  void Cancel();

 private:
  void StartAttempt(bool wait_for_ready);
  void OnAttempt(AttemptResult result);
  // On the I/O thread.
  void Finish(absl::StatusOr<std::vector<core::BakeResult>> results);

  const std::shared_ptr<Connection> connection_;
  const std::shared_ptr<RetryPolicy> policy_;
  const Clock::time_point start_;
  const Clock::time_point deadline_;
  std::shared_ptr<const PreparedBake> request_;  // set by Start

  core::Mutex mutex_;
  BakeCallback callback_ ABSL_GUARDED_BY(mutex_);
  CallStats stats_ ABSL_GUARDED_BY(mutex_);
  absl::Status last_error_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<Attempt> attempt_ ABSL_GUARDED_BY(mutex_);
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool waiting_ ABSL_GUARDED_BY(mutex_) = false;  // between two attempts
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_BAKE_CALL_H_
