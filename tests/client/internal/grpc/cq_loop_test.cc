#include "client/internal/grpc/cq_loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>

namespace kiln::client::internal {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(CqLoop, TimerRunsOnTheThreadNotBeforeItsTime) {
  CqLoop loop;
  std::promise<bool> on_thread;
  const auto start = Clock::now();
  loop.RunAfter(milliseconds(20),
                [&] { on_thread.set_value(loop.OnThread()); });
  EXPECT_TRUE(on_thread.get_future().get());
  EXPECT_GE(Clock::now() - start, milliseconds(20));
  EXPECT_FALSE(loop.OnThread());
}

TEST(CqLoop, ShutdownRunsTimersAtOnce) {
  std::atomic<int> ran{0};
  CqLoop loop;
  for (int i = 0; i < 100; ++i) loop.RunAfter(hours(1), [&] { ++ran; });
  loop.Shutdown();
  EXPECT_EQ(ran, 100);
}

TEST(CqLoop, AfterShutdownTasksRunInTheCallerAndOpsAreRefused) {
  struct NoOp : Op {
    void Cancel() override {}
  };
  CqLoop loop;
  loop.Shutdown();
  bool ran = false;
  loop.RunAfter(hours(1), [&ran] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_FALSE(loop.Begin(std::make_shared<NoOp>()));
}

TEST(CqLoop, TimerMaySetTheNext) {
  CqLoop loop;
  std::promise<void> done;
  std::function<void(int)> next = [&](int left) {
    if (left == 0) return done.set_value();
    loop.RunAfter(Clock::duration::zero(), [&next, left] { next(left - 1); });
  };
  next(50);
  done.get_future().get();
}

TEST(CqLoop, MayBeDestroyedByItsOwnTask) {
  auto loop = std::make_shared<std::unique_ptr<CqLoop>>();
  *loop = std::make_unique<CqLoop>();
  std::promise<void> done;
  (*loop)->RunAfter(milliseconds(1), [loop, &done] {
    loop->reset();
    done.set_value();
  });
  done.get_future().get();
}

}  // namespace
}  // namespace kiln::client::internal
