#include "client/internal/bake_call.h"

#include <utility>

#include "client/internal/errors.h"
#include "core/base/errors.h"

namespace kiln::client::internal {

BakeCall::BakeCall(std::shared_ptr<Connection> connection,
                   std::shared_ptr<RetryPolicy> policy,
                   Clock::time_point deadline, BakeCallback callback)
    : connection_(std::move(connection)),
      policy_(std::move(policy)),
      start_(connection_->Now()),
      deadline_(deadline),
      callback_(std::move(callback)) {}

void BakeCall::Start(
    absl::StatusOr<std::shared_ptr<const PreparedBake>> request) {
  if (request.ok()) {
    request_ = *std::move(request);
    StartAttempt(/*wait_for_ready=*/false);
  } else {
    connection_->RunAfter(Clock::duration::zero(), [self = shared_from_this(),
                                                    status = request.status()] {
      self->Finish(status);
    });
  }
}

void BakeCall::Cancel() {
  std::shared_ptr<Attempt> attempt;
  bool waiting = false;
  {
    core::MutexLock lock(mutex_);
    cancelled_ = true;
    attempt = attempt_;
    waiting = waiting_;
  }
  if (attempt != nullptr) {
    attempt->Cancel();
  } else if (waiting) {
    // Not when the pause is over: soon.
    connection_->RunAfter(Clock::duration::zero(), [self = shared_from_this()] {
      self->Finish(core::CancelledError());
    });
  }
}

void BakeCall::StartAttempt(bool wait_for_ready) {
  int number = 0;
  {
    core::MutexLock lock(mutex_);
    if (callback_ == nullptr) return;  // cancelled while it waited
    waiting_ = false;
    number = ++stats_.attempts;
    stats_.bytes_sent += request_->bytes();
  }
  AttemptOptions options;
  options.deadline = deadline_;
  options.wait_for_ready = wait_for_ready;
  std::shared_ptr<Attempt> attempt = connection_->StartBake(
      request_, options, [self = shared_from_this()](AttemptResult result) {
        self->OnAttempt(std::move(result));
      });
  bool cancel = false;
  {
    // It may have ended already, and the next one begun.
    core::MutexLock lock(mutex_);
    if (callback_ == nullptr || waiting_ || stats_.attempts != number) return;
    attempt_ = attempt;
    cancel = cancelled_;
  }
  if (cancel) attempt->Cancel();
}

void BakeCall::OnAttempt(AttemptResult result) {
  const absl::Status& status = result.results.status();
  std::optional<Clock::duration> delay;
  {
    core::MutexLock lock(mutex_);
    attempt_ = nullptr;
    stats_.bytes_received += result.bytes_received;
    if (!status.ok() && !cancelled_) {
      delay = policy_->Delay(status, stats_.attempts, connection_->Now(),
                             deadline_);
    }
    if (delay) {
      waiting_ = true;
      last_error_ = status;
    }
  }
  if (!delay) {
    Finish(std::move(result.results));
    return;
  }
  // A server that was not there is waited for, or every attempt would fail at
  // once until it returns.
  const bool wait_for_ready = absl::IsUnavailable(status);
  connection_->RunAfter(*delay, [self = shared_from_this(), wait_for_ready] {
    self->StartAttempt(wait_for_ready);
  });
}

void BakeCall::Finish(absl::StatusOr<std::vector<core::BakeResult>> results) {
  BakeCallback callback;
  BakeReply reply;
  absl::Status last_error;
  {
    core::MutexLock lock(mutex_);
    if (callback_ == nullptr) return;
    callback = std::exchange(callback_, nullptr);
    stats_.latency = connection_->Now() - start_;
    reply.stats = stats_;
    last_error = last_error_;
  }
  if (results.ok()) {
    policy_->AddSuccess();
    reply.results = *std::move(results);
    callback(std::move(reply));
  } else if (absl::IsDeadlineExceeded(results.status())) {
    callback(DeadlineAfter(results.status(), last_error, reply.stats.attempts));
  } else {
    callback(AfterAttempts(results.status(), reply.stats.attempts));
  }
}

}  // namespace kiln::client::internal
