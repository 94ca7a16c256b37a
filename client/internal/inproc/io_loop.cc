#include "client/internal/inproc/io_loop.h"

#include <map>
#include <unordered_map>
#include <utility>

#include "core/base/mutex.h"

namespace kiln::client::internal {

// Held by the thread too: it may outlive the loop, when the loop is destroyed
// in a task.
struct IoLoop::State {
  using Key = std::pair<Clock::time_point, TimerId>;

  core::Mutex mutex;
  core::CondVar changed;
  bool stopping ABSL_GUARDED_BY(mutex) = false;
  TimerId last_id ABSL_GUARDED_BY(mutex) = 0;
  std::map<Key, std::function<void()>> tasks ABSL_GUARDED_BY(mutex);
  std::unordered_map<TimerId, Clock::time_point> times ABSL_GUARDED_BY(mutex);

  // Waits for the next task that is due; an empty one at the end.
  std::function<void()> Next() {
    core::MutexLock lock(mutex);
    for (;;) {
      if (tasks.empty()) {
        if (stopping) return nullptr;
        changed.Wait(mutex);
        continue;
      }
      const auto first = tasks.begin();
      const Clock::time_point due = first->first.first;
      if (!stopping && due > Clock::now()) {
        changed.WaitUntil(mutex, due);
        continue;
      }
      std::function<void()> task = std::move(first->second);
      times.erase(first->first.second);
      tasks.erase(first);
      return task;
    }
  }
};

IoLoop::IoLoop() : state_(std::make_shared<State>()) {
  thread_ = std::thread([state = state_] {
    while (const std::function<void()> task = state->Next()) task();
  });
}

IoLoop::~IoLoop() { Shutdown(); }

IoLoop::TimerId IoLoop::RunAt(Clock::time_point time,
                              std::function<void()> task) {
  {
    core::MutexLock lock(state_->mutex);
    if (!state_->stopping) {
      const TimerId id = ++state_->last_id;
      state_->times.emplace(id, time);
      const auto it =
          state_->tasks.emplace(State::Key(time, id), std::move(task)).first;
      if (it == state_->tasks.begin()) state_->changed.NotifyOne();
      return id;
    }
  }
  task();
  return 0;
}

void IoLoop::Post(std::function<void()> task) {
  RunAt(Clock::time_point::min(), std::move(task));
}

void IoLoop::CancelTimer(TimerId id) {
  std::function<void()> dropped;  // destroyed without the lock
  core::MutexLock lock(state_->mutex);
  const auto time = state_->times.find(id);
  if (time == state_->times.end()) return;
  const auto task = state_->tasks.find(State::Key(time->second, id));
  dropped = std::move(task->second);
  state_->tasks.erase(task);
  state_->times.erase(time);
}

bool IoLoop::OnThread() const {
  return thread_.get_id() == std::this_thread::get_id();
}

void IoLoop::Shutdown() {
  {
    core::MutexLock lock(state_->mutex);
    state_->stopping = true;
    state_->changed.NotifyOne();
  }
  if (!thread_.joinable()) return;
  if (OnThread()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

}  // namespace kiln::client::internal
