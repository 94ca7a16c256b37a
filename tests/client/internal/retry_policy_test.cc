#include "client/internal/retry_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/base/errors.h"

namespace kiln::client::internal {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

const Clock::time_point kNow = Clock::time_point(hours(1));
const Clock::time_point kLater = kNow + hours(1);
constexpr uint64_t kSeed = 7;

absl::Status Unavailable() { return core::UnavailableError("gone"); }
absl::Status Busy(milliseconds hint) { return core::BusyError("queue", hint); }

TEST(RetryPolicy, InvalidRequestIsNotRepeated) {
  RetryPolicy policy({}, kSeed);
  EXPECT_FALSE(
      policy.Delay(core::FieldError("size.x", 300, "1..256"), 1, kNow, kLater));
}

TEST(RetryPolicy, OtherErrorsAreNotRepeated) {
  RetryPolicy policy({}, kSeed);
  for (const absl::Status& status :
       {core::InternalError("x"), core::CancelledError(), core::DeadlineError(),
        absl::UnimplementedError("x"), absl::UnauthenticatedError("x")}) {
    EXPECT_FALSE(policy.Delay(status, 1, kNow, kLater)) << status.ToString();
  }
}

// gRPC's own "message larger than max" has the code of busy, but no hint.
TEST(RetryPolicy, ExhaustedWithoutHintIsNotRepeated) {
  RetryPolicy policy({}, kSeed);
  EXPECT_FALSE(
      policy.Delay(absl::ResourceExhaustedError("larger"), 1, kNow, kLater));
}

TEST(RetryPolicy, BusyWaitsForTheHintAndAtMostAQuarterMore) {
  RetryPolicy policy({}, kSeed);
  for (int i = 0; i < 1000; ++i) {
    const auto delay = policy.Delay(Busy(milliseconds(400)), 1, kNow, kLater);
    ASSERT_TRUE(delay);
    ASSERT_GE(*delay, milliseconds(400));
    ASSERT_LT(*delay, milliseconds(500));
  }
}

TEST(RetryPolicy, BusyNeedsNoBudget) {
  RetryOptions options;
  options.budget = 0;
  RetryPolicy policy(options, kSeed);
  EXPECT_TRUE(policy.Delay(Busy(milliseconds(1)), 1, kNow, kLater));
}

TEST(RetryPolicy, UnavailableIsFullyJitteredBelowADoublingBound) {
  RetryOptions options;
  options.budget = 1e9;
  RetryPolicy policy(options, kSeed);
  const milliseconds bounds[] = {milliseconds(100),  milliseconds(200),
                                 milliseconds(400),  milliseconds(800),
                                 milliseconds(1600), milliseconds(2000),
                                 milliseconds(2000)};
  for (int attempts = 1; attempts <= 7; ++attempts) {
    const milliseconds bound = bounds[attempts - 1];
    Clock::duration least = bound, most{0};
    for (int i = 0; i < 1000; ++i) {
      const auto delay = policy.Delay(Unavailable(), attempts, kNow, kLater);
      ASSERT_TRUE(delay);
      least = std::min(least, *delay);
      most = std::max(most, *delay);
    }
    EXPECT_LT(least, bound / 20) << attempts;
    EXPECT_GT(most, bound * 19 / 20) << attempts;
    EXPECT_LT(most, bound) << attempts;
  }
}

TEST(RetryPolicy, HundredsOfAttemptsDoNotOverflow) {
  RetryPolicy policy({}, kSeed);
  const auto delay = policy.Delay(Unavailable(), 500, kNow, kLater);
  ASSERT_TRUE(delay);
  EXPECT_LT(*delay, milliseconds(2000));
}

TEST(RetryPolicy, PauseBeyondTheDeadlineGivesUp) {
  RetryPolicy policy({}, kSeed);
  EXPECT_FALSE(
      policy.Delay(Busy(milliseconds(400)), 1, kNow, kNow + milliseconds(400)));
  EXPECT_FALSE(policy.Delay(Unavailable(), 1, kNow, kNow));
  EXPECT_TRUE(
      policy.Delay(Busy(milliseconds(400)), 1, kNow, kNow + milliseconds(501)));
}

TEST(RetryPolicy, LastAttemptGivesUp) {
  RetryOptions options;
  options.max_attempts = 3;
  RetryPolicy policy(options, kSeed);
  EXPECT_TRUE(policy.Delay(Unavailable(), 2, kNow, kLater));
  EXPECT_FALSE(policy.Delay(Unavailable(), 3, kNow, kLater));
}

TEST(RetryPolicy, BudgetIsSpentByRetriesAndRefilledBySuccesses) {
  RetryOptions options;
  options.budget = 2;
  options.budget_per_success = 0.5;
  RetryPolicy policy(options, kSeed);
  EXPECT_TRUE(policy.Delay(Unavailable(), 1, kNow, kLater));
  EXPECT_TRUE(policy.Delay(Unavailable(), 1, kNow, kLater));
  EXPECT_FALSE(policy.Delay(Unavailable(), 1, kNow, kLater));
  policy.AddSuccess();
  EXPECT_FALSE(policy.Delay(Unavailable(), 1, kNow, kLater));
  policy.AddSuccess();
  EXPECT_TRUE(policy.Delay(Unavailable(), 1, kNow, kLater));
}

TEST(RetryPolicy, BudgetNeverGrowsBeyondItsStart) {
  RetryOptions options;
  options.budget = 2;
  RetryPolicy policy(options, kSeed);
  for (int i = 0; i < 100; ++i) policy.AddSuccess();
  EXPECT_EQ(policy.tokens(), 2);
}

}  // namespace
}  // namespace kiln::client::internal
