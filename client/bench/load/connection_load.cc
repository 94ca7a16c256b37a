#include "client/bench/load/connection_load.h"

#include <sys/prctl.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace kiln::client {
namespace {

// The kernel may wake a sleeper 50 us late to save wake-ups unless it is told
// otherwise. Nanoseconds, of the calling thread.
constexpr unsigned long kTimerSlackNs = 1;  // NOLINT(runtime/int): prctl's

// Instead of a status: no call was made.
constexpr char kNotSent[] =
    "not sent: long after the end there was no room yet; the rate is far "
    "above what is answered";

}  // namespace

ConnectionLoad::ConnectionLoad(Caller* caller, const LoadOptions& options,
                               int index, Clock::time_point start)
    : caller_(caller),
      options_(options),
      start_(start),
      measure_from_(start + options.warm_up),
      end_(measure_from_ + options.duration),
      next_(static_cast<size_t>(index)),
      last_(end_) {
  if (options.rate > 0) ends_.resize(static_cast<size_t>(options.in_flight));
}

void ConnectionLoad::Start() {
  std::this_thread::sleep_until(start_);
  {
    core::MutexLock lock(mutex_);
    under_way_ = options_.in_flight;
  }
  for (int i = 0; i < options_.in_flight; ++i) SendNext(Clock::now());
}

void ConnectionLoad::RunSchedule(ArrivalSchedule schedule) {
  prctl(PR_SET_TIMERSLACK, kTimerSlackNs);
  for (;;) {
    const Clock::time_point due = start_ + schedule.Next();
    if (due >= end_) return;
    std::this_thread::sleep_until(due);
    if (Clock::now() > end_ + options_.patience) {
      GiveUp(due);
      continue;
    }
    const Clock::time_point room = TakeRoom();
    if (IsMeasured(due)) {
      core::MutexLock lock(mutex_);
      result_.send_lag.Add(Clock::now() - std::max(due, room));
      if (room > due) ++result_.held_back;
    }
    SendNext(due);
  }
}

void ConnectionLoad::GiveUp(Clock::time_point due) {
  if (!IsMeasured(due)) return;
  core::MutexLock lock(mutex_);
  result_.series.Add(due - measure_from_, Clock::now() - due, /*ok=*/false);
  ++result_.errors[kNotSent];
}

ConnectionLoad::Clock::time_point ConnectionLoad::TakeRoom() {
  core::MutexLock lock(mutex_);
  while (under_way_ >= options_.in_flight) answered_.Wait(mutex_);
  ++under_way_;
  const size_t sent = sent_++;
  const size_t bound = ends_.size();
  if (sent < bound) return Clock::time_point::min();
  return ends_[sent % bound];  // of number sent - bound
}

LoadResult ConnectionLoad::Finish() {
  core::MutexLock lock(mutex_);
  while (under_way_ > 0) answered_.Wait(mutex_);
  result_.time = last_ - measure_from_;
  return std::move(result_);
}

void ConnectionLoad::SendNext(Clock::time_point from) {
  size_t index = 0;
  {
    core::MutexLock lock(mutex_);
    index = next_++ % options_.requests;
  }
  caller_->Send(index, [this, from](const CallEnd& end) { OnEnd(from, end); });
}

void ConnectionLoad::OnEnd(Clock::time_point from, const CallEnd& end) {
  const Clock::time_point now = Clock::now();
  const bool go_on = options_.rate == 0 && now < end_;
  {
    core::MutexLock lock(mutex_);
    if (!ends_.empty()) ends_[ended_++ % ends_.size()] = now;
    if (IsMeasured(from)) {
      Count(from, now, end);
    } else if (end.status.ok()) {
      ++result_.warm_up_good;
    }
    if (!go_on) {
      --under_way_;
      answered_.NotifyAll();
      return;
    }
  }
  SendNext(now);
}

void ConnectionLoad::Count(Clock::time_point from, Clock::time_point now,
                           const CallEnd& end) {
  last_ = std::max(last_, now);
  result_.series.Add(from - measure_from_, now - from, end.status.ok());
  if (!end.status.ok()) {
    ++result_.errors[end.status.ToString()];
    return;
  }
  result_.latencies.Add(now - from);
  ++result_.good;
  result_.retries += end.attempts - 1;
  result_.bytes_sent += end.bytes_sent;
  result_.bytes_received += end.bytes_received;
}

}  // namespace kiln::client
