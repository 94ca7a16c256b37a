#include "server/schedule/scheduler.h"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "server/limits.h"
#include "tests/support/status_matchers.h"

namespace kiln::server {
namespace {

using std::chrono::milliseconds;
using tests::IsOk;
using tests::StatusIs;

// A value that one thread sets and another waits for.
template <typename T>
class Promise {
 public:
  void Set(T value) {
    core::MutexLock lock(mutex_);
    value_ = std::move(value);
    changed_.NotifyAll();
  }
  T Wait() {
    core::MutexLock lock(mutex_);
    while (!value_) changed_.Wait(mutex_);
    return *std::exchange(value_, std::nullopt);
  }

 private:
  core::Mutex mutex_;
  core::CondVar changed_;
  std::optional<T> value_ ABSL_GUARDED_BY(mutex_);
};

// Runs `body` for each block and keeps what it ended with.
class TestJob final : public Job {
 public:
  explicit TestJob(std::function<absl::Status(int)> body)
      : body_(std::move(body)) {}

  absl::Status RunBlock(int index) override { return body_(index); }
  void Done(absl::Status status) override { done_.Set(std::move(status)); }
  absl::Status Wait() { return done_.Wait(); }

 private:
  const std::function<absl::Status(int)> body_;
  Promise<absl::Status> done_;
};

// One worker, kept busy until Open: what is submitted meanwhile waits.
class SchedulerTest : public testing::Test {
 protected:
  SchedulerTest() { Close(); }
  ~SchedulerTest() override { Open(); }

  void Close() {
    gate_ = std::make_shared<TestJob>([this](int) {
      entered_.Set(true);
      opened_.Wait();
      return absl::OkStatus();
    });
    scheduler_->Submit(gate_, {});
    entered_.Wait();
  }
  void Open() {
    if (gate_ == nullptr) return;
    opened_.Set(true);
    EXPECT_THAT(gate_->Wait(), IsOk());
    gate_ = nullptr;
  }

  std::shared_ptr<TestJob> Submit(std::function<absl::Status(int)> body,
                                  const JobOptions& options = {}) {
    auto job = std::make_shared<TestJob>(std::move(body));
    scheduler_->Submit(job, options);
    return job;
  }
  // A job that writes its name.
  std::shared_ptr<TestJob> SubmitNamed(const std::string& name, int priority) {
    JobOptions options;
    options.priority = priority;
    return Submit(
        [this, name](int) {
          order_ += name;
          return absl::OkStatus();
        },
        options);
  }

  core::TaskArena arena_{1};
  Promise<bool> entered_, opened_, stuck_;
  std::unique_ptr<Scheduler> scheduler_ = std::make_unique<Scheduler>(
      arena_, milliseconds(20), [this](bool stuck) { stuck_.Set(stuck); });
  std::shared_ptr<TestJob> gate_;
  std::string order_;  // touched by the one worker
};

TEST_F(SchedulerTest, EachBlockRunsOnceInOrder) {
  JobOptions options;
  options.blocks = 5;
  std::vector<int> ran;
  const auto job = Submit(
      [&ran](int index) {
        ran.push_back(index);
        return absl::OkStatus();
      },
      options);
  Open();
  EXPECT_THAT(job->Wait(), IsOk());
  EXPECT_EQ(ran, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST_F(SchedulerTest, MoreUrgentGoesFirst) {
  const auto a = SubmitNamed("a", 3);
  const auto b = SubmitNamed("b", 7);
  const auto c = SubmitNamed("c", 0);
  const auto d = SubmitNamed("d", 3);
  Open();
  for (const auto& job : {a, b, c, d}) EXPECT_THAT(job->Wait(), IsOk());
  EXPECT_EQ(order_, "badc");
}

TEST_F(SchedulerTest, UrgentBlockGoesBetweenBlocksOfOthers) {
  JobOptions options;
  options.blocks = 3;
  std::shared_ptr<TestJob> urgent;
  const auto slow = Submit(
      [&](int index) {
        order_ += std::to_string(index);
        if (index == 0) urgent = SubmitNamed("u", 7);
        return absl::OkStatus();
      },
      options);
  Open();
  EXPECT_THAT(slow->Wait(), IsOk());
  EXPECT_THAT(urgent->Wait(), IsOk());
  EXPECT_EQ(order_, "0u12");
}

TEST(SchedulerOrder, LessUrgentGoesFirstOnceOldEnough) {
  const Scheduler::TimePoint arrival;
  EXPECT_LT(
      Scheduler::TurnOf(arrival, 0),
      Scheduler::TurnOf(arrival + 7 * kPriorityStep + milliseconds(1), 7));
  EXPECT_GT(
      Scheduler::TurnOf(arrival, 0),
      Scheduler::TurnOf(arrival + 7 * kPriorityStep - milliseconds(1), 7));
}

TEST_F(SchedulerTest, FailedBlockDropsTheRest) {
  JobOptions options;
  options.blocks = 4;
  std::vector<int> ran;
  const auto job = Submit(
      [&ran](int index) {
        ran.push_back(index);
        return index == 1 ? core::RangeError("x", 9, 0, 1) : absl::OkStatus();
      },
      options);
  Open();
  EXPECT_THAT(job->Wait(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(ran, (std::vector<int>{0, 1}));
}

TEST(SchedulerFailure, LowestFailedIndexIsReported) {
  core::TaskArena arena(2);
  Scheduler scheduler(arena, milliseconds(1000), [](bool) {});
  Promise<bool> second_failed;
  // Block 1 fails first, block 0 later.
  auto job = std::make_shared<TestJob>([&](int index) {
    if (index == 0) second_failed.Wait();
    if (index == 1) second_failed.Set(true);
    return core::RangeError(std::to_string(index), 9, 0, 1);
  });
  JobOptions options;
  options.blocks = 2;
  scheduler.Submit(job, options);
  EXPECT_THAT(job->Wait(), StatusIs(absl::StatusCode::kInvalidArgument,
                                    testing::StartsWith("0:")));
}

TEST_F(SchedulerTest, WantOfMemoryIsBusy) {
  const auto job = Submit([](int) -> absl::Status { throw std::bad_alloc(); });
  Open();
  const absl::Status status = job->Wait();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_TRUE(core::RetryAfter(status).has_value());
}

TEST_F(SchedulerTest, OtherExceptionIsInternal) {
  const auto job =
      Submit([](int) -> absl::Status { throw std::runtime_error("why"); });
  Open();
  EXPECT_THAT(job->Wait(),
              StatusIs(absl::StatusCode::kInternal, testing::HasSubstr("why")));
}

TEST_F(SchedulerTest, CancelledJobEndsWhileItWaits) {
  core::CancelSource cancel;
  JobOptions options;
  options.cancel = cancel.token();
  const auto job = Submit([](int) { return absl::OkStatus(); }, options);
  cancel.Cancel();
  scheduler_->Cancelled(job.get());
  EXPECT_THAT(job->Wait(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(scheduler_->jobs_waiting(), 0);
}

TEST_F(SchedulerTest, DeadlineEndsJobWhileItWaits) {
  const core::CancelSource cancel(std::chrono::steady_clock::now() +
                                  milliseconds(1));
  JobOptions options;
  options.cancel = cancel.token();
  const auto job = Submit([](int) { return absl::OkStatus(); }, options);
  EXPECT_THAT(job->Wait(), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_F(SchedulerTest, JobRunsHereWhileNobodyWaits) {
  TestJob job([this](int index) {
    order_ += std::to_string(index);
    return absl::OkStatus();
  });
  JobOptions options;
  options.blocks = 2;
  // The gate runs, but nothing waits.
  EXPECT_TRUE(scheduler_->RunHere(job, options));
  EXPECT_THAT(job.Wait(), IsOk());
  EXPECT_EQ(order_, "01");
}

TEST_F(SchedulerTest, JobDoesNotOvertakeHereThoseThatWait) {
  const auto waiting = SubmitNamed("a", 0);
  TestJob job([](int) { return absl::OkStatus(); });
  EXPECT_FALSE(scheduler_->RunHere(job, {}));
  Open();
  EXPECT_THAT(waiting->Wait(), IsOk());
}

TEST_F(SchedulerTest, FailedBlockEndsJobThatRunsHere) {
  TestJob job([this](int index) {
    order_ += std::to_string(index);
    return core::RangeError("x", 9, 0, 1);
  });
  JobOptions options;
  options.blocks = 2;
  EXPECT_TRUE(scheduler_->RunHere(job, options));
  EXPECT_THAT(job.Wait(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(order_, "0");
}

TEST_F(SchedulerTest, QueueThatDoesNotMoveIsReported) {
  const auto job = SubmitNamed("a", 3);
  EXPECT_TRUE(stuck_.Wait());
  Open();
  EXPECT_THAT(job->Wait(), IsOk());
  EXPECT_FALSE(stuck_.Wait());
}

TEST_F(SchedulerTest, EndingCancelsWhatWaits) {
  const auto job = SubmitNamed("a", 3);
  std::thread opener([this, &job] {
    EXPECT_THAT(job->Wait(), StatusIs(absl::StatusCode::kCancelled));
    Open();
  });
  scheduler_ = nullptr;
  opener.join();
  EXPECT_EQ(order_, "");
}

}  // namespace
}  // namespace kiln::server
