#include "client/bench/report/bench_report.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace kiln::client {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

// A round of one second with so many requests.
LoadResult Round(int64_t good) {
  LoadResult round;
  round.good = good;
  round.time = seconds(1);
  round.latencies.Add(milliseconds(1));
  round.series.Add(seconds(0), milliseconds(1), true);
  return round;
}

TEST(BenchReport, RoundsFollowEachOther) {
  Series series;
  series.Add(Round(10));
  series.Add(Round(30));
  EXPECT_EQ(series.total.good, 40);
  EXPECT_EQ(series.total.time, seconds(2));
  EXPECT_EQ(series.total.PerSecond(), 20);
  EXPECT_EQ(series.per_second, (std::vector<double>{10, 30}));
  EXPECT_EQ(series.total.series.size(), 2u);
}

TEST(BenchReport, ThroughputRatioIsTheMedianOfTheRounds) {
  ModeReport mode;
  mode.echo.emplace();
  for (const int64_t good : {50, 10, 90}) {
    mode.kiln.Add(Round(good));
    mode.echo->Add(Round(100));
  }
  EXPECT_EQ(mode.ThroughputRatio(), 0.5);
}

TEST(BenchReport, CpuFactorIsWhatTheEchoDoesNotCost) {
  ModeReport mode;
  EXPECT_FALSE(mode.CpuFactor(microseconds(20)));
  mode.echo.emplace();
  mode.echo->server_cpu = microseconds(10);
  mode.kiln.server_cpu = microseconds(40);
  EXPECT_DOUBLE_EQ(*mode.CpuFactor(microseconds(20)), 1.5);
  EXPECT_FALSE(mode.CpuFactor(microseconds(0)));
}

// At the same time: counts add up, time does not.
TEST(LoadResult, MergeIsOfTheSameTime) {
  LoadResult left = Round(10);
  LoadResult right = Round(20);
  right.errors["no"] = 2;
  right.time = seconds(3);
  left.Merge(right);
  EXPECT_EQ(left.good, 30);
  EXPECT_EQ(left.failed(), 2);
  EXPECT_EQ(left.time, seconds(3));
  EXPECT_EQ(left.PerSecond(), 10);
  EXPECT_EQ(left.series.size(), 1u);
  EXPECT_EQ(left.series.Row(0).requests, 2);
}

}  // namespace
}  // namespace kiln::client
