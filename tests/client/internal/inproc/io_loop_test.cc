#include "client/internal/inproc/io_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <vector>

namespace kiln::client::internal {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::ElementsAre;

TEST(IoLoop, TasksRunInTheOrderOfTheirTimes) {
  std::vector<int> order;  // of the loop's thread, until it has ended
  IoLoop loop;
  const Clock::time_point now = Clock::now();
  loop.RunAt(now + milliseconds(20), [&order] { order.push_back(3); });
  loop.RunAt(now + milliseconds(10), [&order] { order.push_back(2); });
  loop.Post([&order] { order.push_back(0); });
  loop.Post([&order] { order.push_back(1); });
  loop.Shutdown();
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

TEST(IoLoop, CancelledTimerDoesNotRun) {
  bool ran = false;
  IoLoop loop;
  const IoLoop::TimerId id =
      loop.RunAt(Clock::now() + hours(1), [&ran] { ran = true; });
  loop.CancelTimer(id);
  loop.Shutdown();
  EXPECT_FALSE(ran);
}

TEST(IoLoop, ShutdownRunsWhatWaitsAtOnce) {
  bool ran = false;
  IoLoop loop;
  loop.RunAt(Clock::now() + hours(1), [&ran] { ran = true; });
  loop.Shutdown();
  EXPECT_TRUE(ran);
}

TEST(IoLoop, AfterShutdownTasksRunInTheCaller) {
  IoLoop loop;
  loop.Shutdown();
  bool ran = false;
  loop.Post([&ran] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST(IoLoop, MayBeDestroyedByItsOwnTask) {
  auto loop = std::make_shared<std::unique_ptr<IoLoop>>();
  *loop = std::make_unique<IoLoop>();
  std::promise<bool> on_thread;
  (*loop)->Post([loop, &on_thread] {
    const bool answer = (*loop)->OnThread();
    loop->reset();
    on_thread.set_value(answer);
  });
  EXPECT_TRUE(on_thread.get_future().get());
}

}  // namespace
}  // namespace kiln::client::internal
