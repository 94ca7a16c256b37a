#include "client/bench/load.h"

#include <algorithm>
#include <thread>

#include "core/base/mutex.h"

namespace kiln::client {
namespace {

using Clock = std::chrono::steady_clock;

// The load of one connection. What its thread and the sender share is guarded;
// in a closed loop that is one thread, and the lock is free.
class ConnectionLoad {
 public:
  ConnectionLoad(Caller* caller, const LoadOptions& options, size_t first)
      : caller_(caller), options_(options), next_(first) {}

  // Closed loop: fills the connection; every answer sends the next request.
  void Start(Clock::time_point start) {
    end_ = start + options_.duration;
    {
      core::MutexLock lock(mutex_);
      under_way_ = options_.in_flight;
    }
    for (int i = 0; i < options_.in_flight; ++i) SendNext(Clock::now());
  }

  // Schedule: sends a request each `interval` from `first` on, as soon as it is
  // due and there is room for it.
  void RunSchedule(Clock::time_point start, Clock::time_point first,
                   std::chrono::nanoseconds interval) {
    end_ = start + options_.duration;
    for (Clock::time_point due = first; due < end_; due += interval) {
      std::this_thread::sleep_until(due);
      {
        core::MutexLock lock(mutex_);
        while (under_way_ >= options_.in_flight) answered_.Wait(mutex_);
        ++under_way_;
        result_.behind = std::max<std::chrono::nanoseconds>(result_.behind,
                                                            Clock::now() - due);
      }
      SendNext(due);
    }
  }

  LoadResult Finish(Clock::time_point start) {
    core::MutexLock lock(mutex_);
    while (under_way_ > 0) answered_.Wait(mutex_);
    result_.time = last_ - start;
    return std::move(result_);
  }

 private:
  // `from` is where the latency counts from.
  void SendNext(Clock::time_point from) {
    size_t index = 0;
    {
      core::MutexLock lock(mutex_);
      index = next_++ % options_.requests;
    }
    caller_->Send(index,
                  [this, from](const CallEnd& end) { OnEnd(from, end); });
  }

  void OnEnd(Clock::time_point from, const CallEnd& end) {
    const Clock::time_point now = Clock::now();
    const bool go_on = options_.rate == 0 && now < end_;
    {
      core::MutexLock lock(mutex_);
      last_ = now;
      if (end.status.ok()) {
        result_.latencies.Add(now - from);
        ++result_.good;
        result_.retries += end.attempts - 1;
        result_.bytes_sent += end.bytes_sent;
        result_.bytes_received += end.bytes_received;
      } else {
        ++result_.errors[end.status.ToString()];
      }
      if (!go_on) {
        --under_way_;
        answered_.NotifyAll();
        return;
      }
    }
    SendNext(now);
  }

  Caller* const caller_;
  const LoadOptions options_;
  Clock::time_point end_;

  core::Mutex mutex_;
  core::CondVar answered_;
  size_t next_ ABSL_GUARDED_BY(mutex_);
  int under_way_ ABSL_GUARDED_BY(mutex_) = 0;
  Clock::time_point last_ ABSL_GUARDED_BY(mutex_);
  LoadResult result_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

void LoadResult::Merge(const LoadResult& other) {
  latencies.Merge(other.latencies);
  good += other.good;
  retries += other.retries;
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
  for (const auto& error : other.errors) errors[error.first] += error.second;
  behind = std::max(behind, other.behind);
}

double LoadResult::PerSecond() const {
  const double seconds = std::chrono::duration<double>(time).count();
  return seconds > 0 ? static_cast<double>(good) / seconds : 0;
}

int64_t LoadResult::failed() const {
  int64_t sum = 0;
  for (const auto& error : errors) sum += error.second;
  return sum;
}

LoadResult RunLoad(const std::vector<std::unique_ptr<Caller>>& callers,
                   const LoadOptions& options) {
  std::vector<std::unique_ptr<ConnectionLoad>> loads;
  for (size_t i = 0; i < callers.size(); ++i) {
    loads.push_back(
        std::make_unique<ConnectionLoad>(callers[i].get(), options, i));
  }
  const Clock::time_point start = Clock::now();
  std::vector<std::thread> senders;
  for (size_t i = 0; i < loads.size(); ++i) {
    if (options.rate == 0) {
      loads[i]->Start(start);
      continue;
    }
    const std::chrono::nanoseconds step(
        static_cast<int64_t>(1e9 / options.rate));
    senders.emplace_back([load = loads[i].get(), start, step, i, &loads] {
      load->RunSchedule(start, start + step * static_cast<int64_t>(i),
                        step * static_cast<int64_t>(loads.size()));
    });
  }
  for (std::thread& sender : senders) sender.join();
  LoadResult sum;
  for (const auto& load : loads) {
    const LoadResult result = load->Finish(start);
    sum.Merge(result);
    sum.time = std::max(sum.time, result.time);
  }
  return sum;
}

}  // namespace kiln::client
