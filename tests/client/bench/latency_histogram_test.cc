#include "client/bench/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "core/base/random.h"

namespace kiln::client {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;

// A latency of random size: every length in bits up to 41 is as likely.
nanoseconds RandomLatency(core::Random& random) {
  const uint64_t bits = random.Below(42);
  return nanoseconds(static_cast<int64_t>(random.Next() >> (63 - bits) >> 1));
}

// What Percentile says, from all values.
nanoseconds Exact(std::vector<nanoseconds> values, double fraction) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<size_t>(
      std::ceil(fraction * static_cast<double>(values.size())));
  return values[std::max<size_t>(rank, 1) - 1];
}

TEST(LatencyHistogram, EmptyGivesZeros) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_EQ(histogram.Percentile(0.5), nanoseconds(0));
  EXPECT_EQ(histogram.max(), nanoseconds(0));
  EXPECT_EQ(histogram.mean(), nanoseconds(0));
}

TEST(LatencyHistogram, OneValueIsEveryPercentile) {
  LatencyHistogram histogram;
  histogram.Add(nanoseconds(123'456'789));
  for (const double fraction : {0.0, 0.5, 0.999, 1.0}) {
    EXPECT_EQ(histogram.Percentile(fraction), nanoseconds(123'456'789));
  }
}

TEST(LatencyHistogram, SmallValuesAreExact) {
  LatencyHistogram histogram;
  for (int i = 0; i < 2048; ++i) histogram.Add(nanoseconds(i));
  for (int i = 1; i <= 2048; ++i) {
    EXPECT_EQ(histogram.Percentile(i / 2048.0), nanoseconds(i - 1));
  }
}

TEST(LatencyHistogram, PercentilesAreRightToThreeDigits) {
  core::Random random(1);
  LatencyHistogram histogram;
  std::vector<nanoseconds> values;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(RandomLatency(random));
    histogram.Add(values.back());
  }
  for (const double fraction : {0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const nanoseconds exact = Exact(values, fraction);
    const nanoseconds told = histogram.Percentile(fraction);
    EXPECT_GE(told, exact) << fraction;
    EXPECT_LE(told.count() - exact.count(), exact.count() / 1024) << fraction;
  }
  EXPECT_EQ(histogram.max(), Exact(values, 1.0));
}

TEST(LatencyHistogram, MergedPartsEqualTheWhole) {
  core::Random random(2);
  LatencyHistogram whole, left, right;
  for (int i = 0; i < 10'000; ++i) {
    const nanoseconds value = RandomLatency(random);
    whole.Add(value);
    (i % 3 == 0 ? left : right).Add(value);
  }
  left.Merge(right);
  EXPECT_EQ(left, whole);
}

TEST(LatencyHistogram, NegativeCountsAsZero) {
  LatencyHistogram histogram;
  histogram.Add(nanoseconds(-5));
  EXPECT_EQ(histogram.count(), 1);
  EXPECT_EQ(histogram.max(), nanoseconds(0));
}

TEST(LatencyHistogram, BeyondTheLastBucketIsCountedInIt) {
  LatencyHistogram histogram;
  histogram.Add(hours(2));
  EXPECT_EQ(histogram.max(), hours(2));
  EXPECT_EQ(histogram.Percentile(1.0), LatencyHistogram::kMax);
  EXPECT_EQ(histogram.mean(), hours(2));
}

}  // namespace
}  // namespace kiln::client
