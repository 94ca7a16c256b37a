#include "server/schedule/scheduler.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/errors.h"
#include "server/limits.h"
#include "server/rpc/boundary.h"

namespace kiln::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// How late a passed deadline of a waiting job may be noticed. A thread that
// ticks while there is work costs less than one woken for each deadline.
constexpr milliseconds kTick{5};
// The watcher goes on ticking this long after the queue ran empty, so that a
// stream of single requests does not wake it for each.
constexpr milliseconds kTickOn{1000};

}  // namespace

Scheduler::Scheduler(core::TaskArena& arena, milliseconds stall,
                     std::function<void(bool)> on_stuck)
    : arena_(arena),
      stall_(stall),
      on_stuck_(std::move(on_stuck)),
      last_move_(steady_clock::now()),
      watcher_([this] { Watch(); }) {}

Scheduler::~Scheduler() { Stop(); }

void Scheduler::Stop() {
  Ended ended;
  {
    core::MutexLock lock(mutex_);
    stopping_ = true;
    for (auto it = queue_.begin(); it != queue_.end();) {
      it = Drop(it, core::CancelledError(), ended);
    }
    changed_.NotifyAll();
  }
  Finish(ended);
  if (watcher_.joinable()) watcher_.join();
  core::MutexLock lock(mutex_);
  while (runners_ > 0) changed_.Wait(mutex_);
}

Scheduler::TimePoint Scheduler::TurnOf(TimePoint arrival, int priority) {
  return arrival - priority * kPriorityStep;
}

void Scheduler::Submit(std::shared_ptr<Job> job, const JobOptions& options) {
  KILN_DCHECK(options.blocks >= 1);
  auto entry = std::make_shared<Entry>();
  entry->job = std::move(job);
  entry->options = options;
  const TimePoint now = steady_clock::now();
  int new_runners = 0;
  {
    core::MutexLock lock(mutex_);
    if (queue_.empty()) last_move_ = now;
    queue_.emplace(Turn(TurnOf(now, options.priority), arrivals_++), entry);
    new_runners = std::min(options.blocks, arena_.threads() - runners_);
    runners_ += new_runners;
    if (watcher_sleeps_) changed_.NotifyAll();
  }
  for (int i = 0; i < new_runners; ++i) {
    arena_.Enqueue([this] { RunUntilEmpty(); });
  }
}

bool Scheduler::RunHere(Job& job, const JobOptions& options) {
  {
    core::MutexLock lock(mutex_);
    if (!queue_.empty() || stopping_) return false;
  }
  absl::Status status;
  for (int i = 0; i < options.blocks && status.ok(); ++i) {
    status = options.cancel.ToStatus();
    if (status.ok()) status = CatchAll([&] { return job.RunBlock(i); });
  }
  job.Done(std::move(status));
  return true;
}

void Scheduler::RunUntilEmpty() {
  for (;;) {
    Ended ended;
    int index = 0;
    std::shared_ptr<Entry> entry;
    {
      core::MutexLock lock(mutex_);
      entry = Take(index, ended);
      if (entry == nullptr && ended.empty()) {
        --runners_;
        if (stopping_) changed_.NotifyAll();
        return;
      }
    }
    Finish(ended);
    if (entry == nullptr) continue;
    const absl::Status status =
        CatchAll([&] { return entry->job->RunBlock(index); });
    BlockEnded(entry, index, status);
  }
}

std::shared_ptr<Scheduler::Entry> Scheduler::Take(int& index, Ended& ended) {
  for (auto it = queue_.begin(); it != queue_.end();) {
    std::shared_ptr<Entry> entry = it->second;
    absl::Status status = entry->options.cancel.ToStatus();
    if (!status.ok()) {
      it = Drop(it, std::move(status), ended);
      continue;
    }
    index = entry->next++;
    ++entry->running;
    if (entry->next == entry->options.blocks) queue_.erase(it);
    last_move_ = steady_clock::now();
    return entry;
  }
  return nullptr;
}

Scheduler::Queue::iterator Scheduler::Drop(Queue::iterator it,
                                           absl::Status status, Ended& ended) {
  std::shared_ptr<Entry> entry = std::move(it->second);
  entry->next = entry->options.blocks;
  // A block's own error, if there is one, says more than that others stopped.
  if (entry->status.ok()) entry->status = std::move(status);
  if (entry->running == 0) ended.push_back(std::move(entry));
  return queue_.erase(it);
}

void Scheduler::BlockEnded(const std::shared_ptr<Entry>& entry, int index,
                           const absl::Status& status) {
  Ended ended;
  {
    core::MutexLock lock(mutex_);
    --entry->running;
    // Blocks start in order of index, so each one below a failed one has been
    // started and will report: the lowest failure does not depend on timing.
    if (!status.ok() && index < entry->failed_index) {
      entry->failed_index = index;
      entry->status = status;
    }
    const bool waits = entry->next < entry->options.blocks;
    if (waits && !status.ok()) {
      const auto it =
          std::find_if(queue_.begin(), queue_.end(),
                       [&](const auto& item) { return item.second == entry; });
      KILN_DCHECK(it != queue_.end());
      Drop(it, status, ended);
    } else if (!waits && entry->running == 0) {
      ended.push_back(entry);
    }
  }
  Finish(ended);
}

void Scheduler::Cancelled(const Job* job) {
  Ended ended;
  {
    core::MutexLock lock(mutex_);
    const auto it = std::find_if(
        queue_.begin(), queue_.end(),
        [job](const auto& item) { return item.second->job.get() == job; });
    if (it == queue_.end()) return;
    absl::Status status = it->second->options.cancel.ToStatus();
    if (status.ok()) return;
    Drop(it, std::move(status), ended);
  }
  Finish(ended);
}

void Scheduler::DropCancelled(Ended& ended) {
  for (auto it = queue_.begin(); it != queue_.end();) {
    absl::Status status = it->second->options.cancel.ToStatus();
    it = status.ok() ? std::next(it) : Drop(it, std::move(status), ended);
  }
}

void Scheduler::Finish(const Ended& ended) {
  for (const std::shared_ptr<Entry>& entry : ended) {
    entry->job->Done(entry->status);
    entry->job = nullptr;
  }
}

// Ends waiting jobs whose deadline has passed, and notices a stuck queue.
void Scheduler::Watch() {
  bool stuck = false;
  TimePoint last_work = steady_clock::now();
  core::MutexLock lock(mutex_);
  while (!stopping_) {
    const TimePoint now = steady_clock::now();
    Ended ended;
    DropCancelled(ended);
    const bool stuck_now = !queue_.empty() && now - last_move_ > stall_;
    if (!queue_.empty()) last_work = now;
    if (!ended.empty() || stuck_now != stuck) {
      mutex_.Unlock();
      Finish(ended);
      if (stuck_now != stuck) on_stuck_(stuck_now);
      mutex_.Lock();
      stuck = stuck_now;
      continue;
    }
    if (now - last_work > kTickOn) {
      watcher_sleeps_ = true;
      changed_.Wait(mutex_);
      watcher_sleeps_ = false;
      last_work = steady_clock::now();
    } else {
      changed_.WaitUntil(mutex_, now + kTick);
    }
  }
}

int64_t Scheduler::jobs_waiting() const {
  core::MutexLock lock(mutex_);
  return static_cast<int64_t>(queue_.size());
}

}  // namespace kiln::server
