#include "client/internal/inproc/stream_over_calls.h"

#include <utility>
#include <vector>

#include "core/base/errors.h"

namespace kiln::client::internal {

void StreamOverCalls::Send(uint64_t id,
                           std::shared_ptr<const PreparedBake> request,
                           Clock::time_point deadline) {
  {
    core::MutexLock lock(mutex_);
    if (half_closed_ || cancelled_) return;
    attempts_.emplace(id, nullptr);
  }
  std::shared_ptr<Attempt> attempt = connection_->StartBake(
      std::move(request), {deadline},
      [self = shared_from_this(), id](AttemptResult result) {
        self->OnDone(id, std::move(result));
      });
  bool cancel = false;
  {
    core::MutexLock lock(mutex_);
    const auto it = attempts_.find(id);
    if (it == attempts_.end()) return;  // has ended already
    it->second = attempt;
    cancel = cancelled_;
  }
  if (cancel) attempt->Cancel();
}

void StreamOverCalls::HalfClose() {
  {
    core::MutexLock lock(mutex_);
    half_closed_ = true;
  }
  CloseIfIdle();
}

void StreamOverCalls::Cancel() {
  std::vector<std::shared_ptr<Attempt>> attempts;
  {
    core::MutexLock lock(mutex_);
    cancelled_ = true;
    for (const auto& entry : attempts_) {
      if (entry.second != nullptr) attempts.push_back(entry.second);
    }
  }
  for (const auto& attempt : attempts) attempt->Cancel();
  CloseIfIdle();
}

void StreamOverCalls::OnDone(uint64_t id, AttemptResult result) {
  events_.answer(id, std::move(result));
  {
    core::MutexLock lock(mutex_);
    attempts_.erase(id);
  }
  CloseIfIdle();
}

void StreamOverCalls::CloseIfIdle() {
  absl::Status status;
  {
    core::MutexLock lock(mutex_);
    if (closed_ || !attempts_.empty() || !(half_closed_ || cancelled_)) return;
    closed_ = true;
    if (cancelled_) status = core::CancelledError();
  }
  connection_->RunAfter(
      Clock::duration::zero(),
      [self = shared_from_this(), status] { self->events_.closed(status); });
}

}  // namespace kiln::client::internal
