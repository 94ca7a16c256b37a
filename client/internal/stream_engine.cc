#include "client/internal/stream_engine.h"

#include <optional>
#include <utility>

#include "client/internal/bake_call.h"
#include "client/internal/errors.h"
#include "core/base/errors.h"

namespace kiln::client::internal {
namespace {

// How long Finish waits for the server to end a stream on which nothing is
// under way any more. Only good manners: every answer is there.
constexpr std::chrono::seconds kCloseTimeout{1};

}  // namespace

StreamEngine::StreamEngine(std::shared_ptr<Connection> connection,
                           std::shared_ptr<RetryPolicy> policy,
                           int max_in_flight, BakeStream::Callback callback)
    : connection_(std::move(connection)),
      policy_(std::move(policy)),
      max_in_flight_(max_in_flight),
      callback_(std::move(callback)) {}

Submitted StreamEngine::TrySubmit(uint64_t id, const BakeRequest& request,
                                  Clock::time_point deadline) {
  {
    core::MutexLock lock(mutex_);
    if (ended_) return Submitted::kEnded;
    if (static_cast<int>(pending_.size()) + reserved_ >= max_in_flight_) {
      return Submitted::kWouldBlock;
    }
    ++reserved_;
  }
  Accept(id, request, deadline);
  return Submitted::kAccepted;
}

absl::Status StreamEngine::Submit(uint64_t id, const BakeRequest& request,
                                  Clock::time_point deadline) {
  {
    core::MutexLock lock(mutex_);
    while (!ended_ &&
           static_cast<int>(pending_.size()) + reserved_ >= max_in_flight_) {
      if (connection_->Now() >= deadline) return core::DeadlineError();
      changed_.WaitUntil(mutex_, deadline);
    }
    if (ended_) return core::CancelledError();
    ++reserved_;
  }
  Accept(id, request, deadline);
  return absl::OkStatus();
}

void StreamEngine::Accept(uint64_t id, const BakeRequest& request,
                          Clock::time_point deadline) {
  const Clock::time_point start = connection_->Now();
  auto prepared = connection_->Prepare(request);
  uint64_t key = 0;
  bool cancelled = false;
  {
    core::MutexLock lock(mutex_);
    --reserved_;
    key = ++last_key_;
    Pending& pending = pending_[key];
    pending.caller_id = id;
    pending.start = start;
    pending.deadline = deadline;
    deadlines_.emplace(deadline, key);
    if (prepared.ok()) {
      pending.request = *std::move(prepared);
    } else {
      pending.state = State::kSent;  // never to be sent
    }
    cancelled = cancelled_;
  }
  if (!prepared.ok() || cancelled) {
    const absl::Status status =
        cancelled ? core::CancelledError() : prepared.status();
    connection_->RunAfter(Clock::duration::zero(),
                          [self = shared_from_this(), key, status] {
                            self->Complete(key, status);
                          });
    return;
  }
  Pump();
  ArmTimer();
}

void StreamEngine::Pump() {
  Batch batch;
  bool open = false;
  {
    core::MutexLock lock(mutex_);
    if (stream_ != nullptr) {
      batch = TakeUnsent();
    } else if (!opening_ && !cancelled_) {
      open = opening_ = true;
    }
  }
  if (open) {
    Open(/*wait_for_ready=*/false);
  } else {
    SendAll(batch);
  }
}

void StreamEngine::Open(bool wait_for_ready) {
  uint64_t generation = 0;
  {
    core::MutexLock lock(mutex_);
    if (cancelled_ || pending_.empty()) {
      opening_ = false;
      return;
    }
    generation = ++generation_;
  }
  StreamEvents events;
  events.answer = [self = shared_from_this(), generation](
                      uint64_t key, AttemptResult result) {
    self->OnAnswer(generation, key, std::move(result));
  };
  events.closed = [self = shared_from_this(),
                   generation](const absl::Status& status) {
    self->OnClosed(generation, status);
  };
  AttemptOptions options;
  options.deadline = Clock::time_point::max();
  options.wait_for_ready = wait_for_ready;
  std::shared_ptr<StreamAttempt> stream =
      connection_->OpenStream(options, std::move(events));
  Batch batch;
  bool cancel = false;
  {
    core::MutexLock lock(mutex_);
    if (generation_ != generation) return;  // it has closed already
    opening_ = false;
    stream_ = stream;
    cancel = cancelled_;
    if (!cancel) batch = TakeUnsent();
  }
  if (cancel) {
    stream->Cancel();
  } else {
    SendAll(batch);
  }
}

StreamEngine::Batch StreamEngine::TakeUnsent() {
  Batch batch;
  batch.stream = stream_;
  for (auto& entry : pending_) {
    Pending& pending = entry.second;
    if (pending.state != State::kUnsent) continue;
    pending.state = State::kSent;
    ++pending.stats.attempts;
    pending.stats.bytes_sent += pending.request->bytes();
    batch.entries.push_back({entry.first, pending.request, pending.deadline});
  }
  return batch;
}

// The stream may have closed meanwhile and ignores this then: the next one has
// been, or will be, given all that is unanswered.
void StreamEngine::SendAll(const Batch& batch) {
  for (const Batch::Entry& entry : batch.entries) {
    batch.stream->Send(entry.key, entry.request, entry.deadline);
  }
}

void StreamEngine::OnAnswer(uint64_t generation, uint64_t key,
                            AttemptResult result) {
  std::optional<Clock::duration> delay;
  {
    core::MutexLock lock(mutex_);
    if (generation != generation_) return;
    breaks_ = 0;
    const auto it = pending_.find(key);
    if (it == pending_.end()) return;  // its deadline was faster
    Pending& pending = it->second;
    pending.stats.bytes_received += result.bytes_received;
    const absl::Status& status = result.results.status();
    if (!status.ok() && !cancelled_) {
      delay = policy_->Delay(status, pending.stats.attempts, connection_->Now(),
                             pending.deadline);
    }
    if (delay) {
      pending.state = State::kPausing;
      pending.last_error = status;
    }
  }
  if (delay) {
    Retry(key, *delay);
  } else {
    Complete(key, std::move(result.results));
  }
}

void StreamEngine::Retry(uint64_t key, Clock::duration delay) {
  connection_->RunAfter(delay, [self = shared_from_this(), key] {
    {
      core::MutexLock lock(self->mutex_);
      const auto it = self->pending_.find(key);
      if (it == self->pending_.end()) return;
      it->second.state = State::kUnsent;
    }
    self->Pump();
  });
}

void StreamEngine::OnClosed(uint64_t generation, const absl::Status& status) {
  // An end in good order leaves nothing unanswered; from a server that thinks
  // otherwise we go on with another stream.
  const absl::Status reason =
      status.ok() ? core::UnavailableError("the server ended the stream")
                  : status;
  std::optional<Clock::duration> delay;
  Batch one_by_one;
  {
    core::MutexLock lock(mutex_);
    if (generation != generation_) return;
    ++generation_;
    stream_ = nullptr;
    opening_ = false;
    changed_.NotifyAll();
    if (pending_.empty()) return;
    for (auto& entry : pending_) {
      Pending& pending = entry.second;
      if (pending.state != State::kSent || pending.request == nullptr) continue;
      pending.state = State::kUnsent;
      pending.last_error = reason;
    }
    if (!cancelled_) {
      delay = policy_->Delay(reason, ++breaks_, connection_->Now(),
                             deadlines_.rbegin()->first);
      if (!IsRetryable(reason)) one_by_one = TakeUnsent();
    }
    if (delay) opening_ = true;
  }
  if (delay) {
    connection_->RunAfter(*delay, [self = shared_from_this()] {
      self->Open(/*wait_for_ready=*/true);
    });
  } else if (!one_by_one.entries.empty()) {
    CallOneByOne(one_by_one);
  } else {
    CompleteAll(reason);
  }
}

// A message that gRPC refuses ends the whole stream. In calls of their own the
// requests that are good get their results, and the bad one its error.
void StreamEngine::CallOneByOne(const Batch& batch) {
  for (const Batch::Entry& entry : batch.entries) {
    auto call = std::make_shared<BakeCall>(
        connection_, policy_, entry.deadline,
        [self = shared_from_this(),
         key = entry.key](absl::StatusOr<BakeReply> reply) {
          if (reply.ok()) {
            self->Complete(key, std::move(reply->results));
          } else {
            self->Complete(key, reply.status());
          }
        });
    call->Start(entry.request);
  }
}

void StreamEngine::ArmTimer() {
  Clock::time_point deadline;
  {
    core::MutexLock lock(mutex_);
    if (deadlines_.empty() || deadlines_.begin()->first >= timer_) return;
    deadline = timer_ = deadlines_.begin()->first;
  }
  // Does not keep the stream alive: most requests end long before.
  connection_->RunAfter(deadline - connection_->Now(),
                        [weak = weak_from_this(), deadline] {
                          if (const auto self = weak.lock()) {
                            self->OnDeadline(deadline);
                          }
                        });
}

void StreamEngine::OnDeadline(Clock::time_point armed) {
  const Clock::time_point now = connection_->Now();
  std::vector<uint64_t> due;
  {
    core::MutexLock lock(mutex_);
    if (timer_ == armed) timer_ = Clock::time_point::max();
    for (const auto& entry : deadlines_) {
      if (entry.first > now) break;
      due.push_back(entry.second);
    }
  }
  for (const uint64_t key : due) Complete(key, core::DeadlineError());
  ArmTimer();
}

void StreamEngine::Complete(uint64_t key, Results results) {
  Pending pending;
  {
    core::MutexLock lock(mutex_);
    const auto it = pending_.find(key);
    if (it == pending_.end()) return;
    pending = std::move(it->second);
    pending_.erase(it);
    deadlines_.erase({pending.deadline, key});
    ++callbacks_;
    // Before the callback, which may submit the next.
    changed_.NotifyAll();
  }
  pending.stats.latency = connection_->Now() - pending.start;
  if (results.ok()) {
    policy_->AddSuccess();
    BakeReply reply;
    reply.results = *std::move(results);
    reply.stats = pending.stats;
    callback_(pending.caller_id, std::move(reply));
  } else if (absl::IsDeadlineExceeded(results.status())) {
    callback_(pending.caller_id,
              DeadlineAfter(results.status(), pending.last_error,
                            pending.stats.attempts));
  } else {
    callback_(pending.caller_id,
              AfterAttempts(results.status(), pending.stats.attempts));
  }
  core::MutexLock lock(mutex_);
  --callbacks_;
  changed_.NotifyAll();
}

void StreamEngine::CompleteAll(const absl::Status& status) {
  std::vector<uint64_t> keys;
  {
    core::MutexLock lock(mutex_);
    for (const auto& entry : pending_) keys.push_back(entry.first);
  }
  for (const uint64_t key : keys) Complete(key, status);
}

absl::Status StreamEngine::Finish() {
  {
    core::MutexLock lock(mutex_);
    ended_ = true;
    changed_.NotifyAll();
  }
  WaitUntilIdle();
  std::shared_ptr<StreamAttempt> stream;
  {
    core::MutexLock lock(mutex_);
    stream = stream_;
  }
  if (stream != nullptr) stream->HalfClose();
  const Clock::time_point limit = Clock::now() + kCloseTimeout;
  core::MutexLock lock(mutex_);
  while (stream_ != nullptr && changed_.WaitUntil(mutex_, limit)) {
  }
  return absl::OkStatus();
}

void StreamEngine::Cancel() {
  std::shared_ptr<StreamAttempt> stream;
  {
    core::MutexLock lock(mutex_);
    ended_ = true;
    if (cancelled_) return;
    cancelled_ = true;
    stream = stream_;
    changed_.NotifyAll();
  }
  connection_->RunAfter(Clock::duration::zero(), [self = shared_from_this()] {
    self->CompleteAll(core::CancelledError());
  });
  if (stream != nullptr) stream->Cancel();
}

void StreamEngine::WaitUntilIdle() {
  core::MutexLock lock(mutex_);
  while (reserved_ > 0 || !pending_.empty() || callbacks_ > 0) {
    changed_.Wait(mutex_);
  }
}

int StreamEngine::in_flight() const {
  core::MutexLock lock(mutex_);
  return static_cast<int>(pending_.size()) + reserved_;
}

}  // namespace kiln::client::internal
