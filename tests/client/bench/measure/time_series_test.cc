#include "client/bench/measure/time_series.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/base/random.h"

namespace kiln::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

std::vector<TimeRow> Rows(const TimeSeries& series) {
  std::vector<TimeRow> rows;
  for (size_t i = 0; i < series.size(); ++i) rows.push_back(series.Row(i));
  return rows;
}

TEST(TimeSeries, EmptyHasNoRows) { EXPECT_TRUE(TimeSeries().empty()); }

// Due in second 0, answered in second 2: the stall is seen in both.
TEST(TimeSeries, RequestAndAnswerHaveTheirOwnSecond) {
  TimeSeries series;
  series.Add(milliseconds(900), milliseconds(1500), /*ok=*/true);
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series.Row(0).requests, 1);
  EXPECT_EQ(series.Row(0).latencies.max(), milliseconds(1500));
  EXPECT_EQ(series.Row(0).answers, 0);
  EXPECT_EQ(series.Row(1), TimeRow());
  EXPECT_EQ(series.Row(2).answers, 1);
  EXPECT_EQ(series.Row(2).requests, 0);
}

TEST(TimeSeries, ErrorsHaveNoLatency) {
  TimeSeries series;
  series.Add(milliseconds(100), milliseconds(10), /*ok=*/false);
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series.Row(0).requests, 1);
  EXPECT_EQ(series.Row(0).errors, 1);
  EXPECT_EQ(series.Row(0).answers, 0);
  EXPECT_EQ(series.Row(0).latencies.count(), 0);
}

TEST(TimeSeries, RowsAreHistogramsOfTheirRequests) {
  core::Random random(3);
  TimeSeries whole, left, right;
  std::vector<LatencyHistogram> expected(5);
  for (int i = 0; i < 20'000; ++i) {
    const nanoseconds begin(random.Below(5) * 1'000'000'000ll +
                            random.Below(1'000'000'000));
    const nanoseconds latency(random.Below(1'000'000'000));
    whole.Add(begin, latency, true);
    (i % 2 == 0 ? left : right).Add(begin, latency, true);
    expected[static_cast<size_t>(begin / seconds(1))].Add(latency);
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(whole.Row(i).latencies, expected[i]);
  }
  left.Merge(right);
  EXPECT_EQ(Rows(left), Rows(whole));
  EXPECT_EQ(Rows(TimeSeries::FromRows(Rows(whole))), Rows(whole));
}

TEST(TimeSeries, AppendComesAfterTheLastRow) {
  TimeSeries series, later;
  series.Add(seconds(1), milliseconds(1), true);
  later.Add(seconds(0), milliseconds(2), true);
  series.Append(later);
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series.Row(2).latencies.max(), milliseconds(2));
}

TEST(TimeSeries, TimesOutOfRangeAreBroughtIn) {
  TimeSeries series;
  series.Add(seconds(-5), nanoseconds(-1), true);
  series.Add(seconds(10'000'000), milliseconds(1), true);
  ASSERT_EQ(series.size(), TimeSeries::kMaxRows);
  EXPECT_EQ(series.Row(0).requests, 1);
  EXPECT_EQ(series.Row(TimeSeries::kMaxRows - 1).requests, 1);
}

}  // namespace
}  // namespace kiln::client
