#include "core/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

#include "core/base/check.h"
#include "core/base/mutex.h"

namespace kiln::core {
namespace {

// Cores allowed by a quota of `quota_us` in each period of `period_us`; no
// limit (INT_MAX) where there is no quota.
int CoresOfQuota(double quota_us, double period_us) {
  if (quota_us <= 0 || period_us <= 0) return INT32_MAX;
  return std::max(1, static_cast<int>(std::ceil(quota_us / period_us)));
}

int QuotaCores() {
  // cgroup v2: "max 100000" or "150000 100000".
  if (std::ifstream file("/sys/fs/cgroup/cpu.max"); file) {
    std::string quota;
    double period_us = 0;
    if (file >> quota >> period_us && quota != "max") {
      return CoresOfQuota(std::atof(quota.c_str()), period_us);
    }
    return INT32_MAX;
  }
  std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  double quota_us = 0, period_us = 0;
  if (quota_file >> quota_us && period_file >> period_us) {
    return CoresOfQuota(quota_us, period_us);
  }
  return INT32_MAX;
}

// Raises TBB's own limit: without this, an arena of more threads than TBB
// counts cores would silently get fewer.
void AllowThreads(int threads) {
  static Mutex mutex;
  static std::unique_ptr<tbb::global_control> control;
  static int allowed = 0;
  MutexLock lock(mutex);
  if (threads <= allowed) return;
  allowed = threads;
  control = std::make_unique<tbb::global_control>(
      tbb::global_control::max_allowed_parallelism, allowed + 1);
}

}  // namespace

int AvailableCores() {
  const int hardware =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::min(hardware, QuotaCores());
}

struct TaskArena::Impl {
  explicit Impl(int threads)
      // No slot is reserved for the calling thread: callers enqueue or wait
      // outside, so every slot belongs to a worker.
      : arena(threads, /*reserved_for_masters=*/0) {}

  void TaskDone() {
    MutexLock lock(mutex);
    if (--pending == 0) idle.NotifyAll();
  }

  tbb::task_arena arena;
  Mutex mutex;
  CondVar idle;
  int64_t pending ABSL_GUARDED_BY(mutex) = 0;
};

TaskArena::TaskArena(int threads) {
  KILN_CHECK(threads >= 1 && threads <= 1024);
  AllowThreads(threads);
  impl_ = std::make_unique<Impl>(threads);
}

TaskArena::~TaskArena() {
  MutexLock lock(impl_->mutex);
  while (impl_->pending > 0) impl_->idle.Wait(impl_->mutex);
}

int TaskArena::threads() const { return impl_->arena.max_concurrency(); }

void TaskArena::Enqueue(std::function<void()> task) {
  {
    MutexLock lock(impl_->mutex);
    ++impl_->pending;
  }
  impl_->arena.enqueue([impl = impl_.get(), task = std::move(task)] {
    task();
    impl->TaskDone();
  });
}

absl::Status TaskArena::ForEach(int64_t count,
                                const std::function<void(int64_t)>& body,
                                const CancelToken& cancel) {
  if (count <= 0) return cancel.ToStatus();
  // One runner per worker; each takes the next index until none is left. Blocks
  // differ widely in cost, so a shared counter balances better than ranges.
  struct Shared {
    std::atomic<int64_t> next{0};
    std::atomic<bool> stopped{false};
    Mutex mutex;
    CondVar done;
    int64_t running ABSL_GUARDED_BY(mutex) = 0;
  } shared;
  const int64_t runners = std::min<int64_t>(count, threads());
  {
    MutexLock lock(shared.mutex);
    shared.running = runners;
  }
  for (int64_t i = 0; i < runners; ++i) {
    Enqueue([&shared, &body, &cancel, count] {
      for (int64_t index; (index = shared.next.fetch_add(1)) < count;) {
        if (cancel.ShouldStop()) {
          shared.stopped = true;
          break;
        }
        body(index);
      }
      MutexLock lock(shared.mutex);
      if (--shared.running == 0) shared.done.NotifyAll();
    });
  }
  MutexLock lock(shared.mutex);
  while (shared.running > 0) shared.done.Wait(shared.mutex);
  return shared.stopped ? cancel.ToStatus() : absl::OkStatus();
}

}  // namespace kiln::core
