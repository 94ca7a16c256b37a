#include "core/base/cancel.h"

#include <gtest/gtest.h>

#include "core/base/cancel_poll.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using std::chrono::hours;
using std::chrono::steady_clock;
using tests::IsOk;
using tests::StatusIs;

TEST(CancelToken, DefaultNeverStops) {
  const CancelToken token;
  EXPECT_FALSE(token.ShouldStop());
  EXPECT_THAT(token.ToStatus(), IsOk());
  EXPECT_EQ(token.deadline(), steady_clock::time_point::max());
}

TEST(CancelToken, CancelReachesEveryCopy) {
  CancelSource source;
  const CancelToken early = source.token();
  const CancelToken copy = early;
  EXPECT_FALSE(copy.ShouldStop());
  source.Cancel();
  EXPECT_TRUE(copy.ShouldStop());
  EXPECT_TRUE(source.token().ShouldStop());
  EXPECT_THAT(copy.ToStatus(), StatusIs(absl::StatusCode::kCancelled));
}

TEST(CancelToken, OutlivesItsSource) {
  CancelToken token;
  {
    CancelSource source;
    token = source.token();
    source.Cancel();
  }
  EXPECT_TRUE(token.ShouldStop());
}

TEST(CancelToken, PassedDeadlineStops) {
  const CancelSource passed(steady_clock::now());
  EXPECT_THAT(passed.token().ToStatus(),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  const CancelSource ahead(steady_clock::now() + hours(1));
  EXPECT_THAT(ahead.token().ToStatus(), IsOk());
}

TEST(CancelToken, CancelIsReportedBeforeDeadline) {
  CancelSource source(steady_clock::now());
  source.Cancel();
  EXPECT_THAT(source.token().ToStatus(),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST(CancelPoll, AsksOncePerPeriod) {
  CancelSource source;
  const CancelToken token = source.token();
  CancelPoll poll(token, /*period=*/100);
  source.Cancel();
  EXPECT_FALSE(poll.ShouldStopAfter(99));
  EXPECT_FALSE(poll.stopped());
  EXPECT_TRUE(poll.ShouldStopAfter(1));
  EXPECT_TRUE(poll.stopped());
}

TEST(CancelPoll, StaysStopped) {
  CancelSource source;
  source.Cancel();
  const CancelToken token = source.token();
  CancelPoll poll(token, /*period=*/10);
  EXPECT_TRUE(poll.ShouldStopAfter(10));
  EXPECT_TRUE(poll.ShouldStopAfter(1));
  EXPECT_THAT(poll.ToStatus(), StatusIs(absl::StatusCode::kCancelled));
}

TEST(CancelPoll, GoesOnWithoutACancel) {
  const CancelToken token;
  CancelPoll poll(token, /*period=*/1);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(poll.ShouldStopAfter(5));
}

}  // namespace
}  // namespace kiln::core
