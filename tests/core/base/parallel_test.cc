#include "core/base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using tests::IsOk;
using tests::StatusIs;

TEST(AvailableCores, IsBetweenOneAndTheHardware) {
  EXPECT_GE(AvailableCores(), 1);
  EXPECT_LE(AvailableCores(),
            std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST(TaskArena, HasTheThreadsItWasAskedFor) {
  for (const int threads : {1, 2, 5}) {
    EXPECT_EQ(TaskArena(threads).threads(), threads);
  }
}

TEST(TaskArena, DestructorWaitsForEveryTask) {
  std::atomic<int> ran = 0;
  {
    TaskArena arena(2);
    for (int i = 0; i < 1000; ++i) arena.Enqueue([&ran] { ++ran; });
  }
  EXPECT_EQ(ran, 1000);
}

TEST(TaskArena, RunsAsManyTasksAtOnceAsItHasThreads) {
  // More than the machine's cores may be: each task waits for all the others.
  constexpr int kThreads = 4;
  Mutex mutex;
  CondVar all_here;
  int here = 0;
  {
    TaskArena arena(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      arena.Enqueue([&] {
        MutexLock lock(mutex);
        ++here;
        all_here.NotifyAll();
        while (here < kThreads) all_here.Wait(mutex);
      });
    }
  }
  EXPECT_EQ(here, kThreads);
}

TEST(ForEach, VisitsEachIndexOnce) {
  TaskArena arena(3);
  std::vector<std::atomic<int>> visits(500);
  EXPECT_THAT(arena.ForEach(500, [&visits](int64_t i) { ++visits[i]; }),
              IsOk());
  for (const auto& count : visits) EXPECT_EQ(count, 1);
}

TEST(ForEach, NothingToDoIsOk) {
  TaskArena arena(1);
  EXPECT_THAT(arena.ForEach(0, [](int64_t) { FAIL(); }), IsOk());
}

TEST(ForEach, CancelSkipsWhatHasNotStarted) {
  TaskArena arena(1);
  CancelSource cancel;
  std::atomic<int> ran = 0;
  const absl::Status status = arena.ForEach(
      100,
      [&](int64_t i) {
        ++ran;
        if (i == 9) cancel.Cancel();
      },
      cancel.token());
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(ran, 10);
}

TEST(ForEach, SeveralCallersShareAnArena) {
  TaskArena arena(2);
  std::atomic<int64_t> sum = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      EXPECT_THAT(arena.ForEach(100, [&sum](int64_t i) { sum += i; }), IsOk());
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 4950);
}

}  // namespace
}  // namespace kiln::core
