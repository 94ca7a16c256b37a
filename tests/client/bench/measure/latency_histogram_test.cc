#include "client/bench/measure/latency_histogram.h"

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
  EXPECT_EQ(histogram.min(), *std::min_element(values.begin(), values.end()));
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

// Order, parts and empty parts make no difference, and nothing is rounded.
TEST(LatencyHistogram, MergeIsExactInAnyOrder) {
  core::Random random(5);
  std::vector<LatencyHistogram> parts(17);
  LatencyHistogram whole;
  for (int i = 0; i < 30'000; ++i) {
    const nanoseconds value = RandomLatency(random);
    whole.Add(value);
    parts[random.Below(16)].Add(value);  // the last stays empty
  }
  LatencyHistogram up, down;
  for (size_t i = 0; i < parts.size(); ++i) {
    up.Merge(parts[i]);
    down.Merge(parts[parts.size() - 1 - i]);
  }
  EXPECT_EQ(up, whole);
  EXPECT_EQ(down, whole);
  EXPECT_EQ(up.min(), whole.min());
  EXPECT_EQ(up.mean(), whole.mean());
}

// Every rank of every size, from sorted values: fractions such as 0.07 times
// 100 must not be rounded to the next rank.
TEST(LatencyHistogram, EveryPercentOfSmallSetsIsItsRank) {
  for (int64_t count = 1; count <= 300; ++count) {
    LatencyHistogram histogram;
    for (int64_t i = 1; i <= count; ++i) histogram.Add(nanoseconds(i));
    for (int64_t mille = 0; mille <= 1000; ++mille) {
      const int64_t rank = std::max<int64_t>(1, (mille * count + 999) / 1000);
      ASSERT_EQ(histogram.Percentile(static_cast<double>(mille) / 1000).count(),
                rank)
          << mille << " of " << count;
    }
  }
}

TEST(LatencyHistogram, PartsAreTheWhole) {
  core::Random random(6);
  LatencyHistogram histogram;
  EXPECT_EQ(*LatencyHistogram::FromParts(histogram.ToParts()), histogram);
  for (int i = 0; i < 10'000; ++i) histogram.Add(RandomLatency(random));
  EXPECT_EQ(*LatencyHistogram::FromParts(histogram.ToParts()), histogram);
}

TEST(LatencyHistogram, BucketsAreNarrowAndInOrder) {
  uint32_t last = 0;
  for (int64_t ns = 1; ns < LatencyHistogram::kMax.count();
       ns += ns / 900 + 1) {
    const uint32_t bucket = LatencyHistogram::BucketOf(nanoseconds(ns));
    EXPECT_GE(bucket, last);
    last = bucket;
    // Three digits: what differs by a thousandth is told apart.
    EXPECT_LT(bucket, LatencyHistogram::BucketOf(
                          nanoseconds(ns + std::max<int64_t>(1, ns / 512))));
  }
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
