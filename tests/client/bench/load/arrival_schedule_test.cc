#include "client/bench/load/arrival_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace kiln::client {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

std::vector<int64_t> Times(const ScheduleOptions& options, int count) {
  ArrivalSchedule schedule(options);
  std::vector<int64_t> times;
  for (int i = 0; i < count; ++i) times.push_back(schedule.Next().count());
  return times;
}

// Of all connections, in order, up to `end`.
std::vector<int64_t> AllTimes(ScheduleOptions options, nanoseconds end) {
  std::vector<int64_t> times;
  for (options.index = 0; options.index < options.connections;
       ++options.index) {
    ArrivalSchedule schedule(options);
    for (nanoseconds time = schedule.Next(); time < end;
         time = schedule.Next()) {
      times.push_back(time.count());
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments MomentsOf(const std::vector<double>& values) {
  Moments moments;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) moments.mean += value / count;
  for (const double value : values) {
    const double off = value - moments.mean;
    moments.variance += off * off / (count - 1);
  }
  return moments;
}

std::vector<double> Gaps(const std::vector<int64_t>& times) {
  std::vector<double> gaps;
  for (size_t i = 1; i < times.size(); ++i) {
    gaps.push_back(static_cast<double>(times[i] - times[i - 1]));
  }
  return gaps;
}

ScheduleOptions PoissonOptions(double rate) {
  ScheduleOptions options;
  options.arrival = Arrival::kPoisson;
  options.rate = rate;
  options.seed = 7;
  return options;
}

TEST(ArrivalSchedule, ConstantTimesDoNotDrift) {
  ScheduleOptions options;
  options.rate = 3e6;  // 333.33 ns: rounding each gap would lose 1 ms a second
  ArrivalSchedule schedule(options);
  nanoseconds last(0);
  for (int i = 0; i <= 3'000'000; ++i) last = schedule.Next();
  EXPECT_EQ(last, seconds(1));
}

TEST(ArrivalSchedule, ConnectionsInterleaveEvenly) {
  ScheduleOptions options;
  options.rate = 1000;
  options.connections = 7;
  const std::vector<int64_t> times = AllTimes(options, seconds(1));
  ASSERT_EQ(times.size(), 1000u);
  for (size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(times[i], static_cast<int64_t>(i) * 1'000'000);
  }
}

TEST(ArrivalSchedule, PoissonGapsAreExponential) {
  constexpr int kCount = 200'000;
  const std::vector<double> gaps = Gaps(Times(PoissonOptions(1000), kCount));
  const Moments moments = MomentsOf(gaps);
  // Standard errors at this count: 0.22 % of the mean, 0.63 % of the variance
  // of an exponential (its kurtosis is 9). Four of each.
  EXPECT_NEAR(moments.mean, 1e6, 0.009e6);
  EXPECT_NEAR(moments.variance, 1e12, 0.026e12);
  // Memoryless: of the gaps longer than the mean, 1/e are longer than two.
  const auto longer = [&gaps](double than) {
    return static_cast<double>(std::count_if(
        gaps.begin(), gaps.end(), [than](double gap) { return gap > than; }));
  };
  EXPECT_NEAR(longer(1e6) / kCount, std::exp(-1), 0.005);
  EXPECT_NEAR(longer(2e6) / longer(1e6), std::exp(-1), 0.008);
}

TEST(ArrivalSchedule, PoissonConnectionsAddUp) {
  ScheduleOptions options = PoissonOptions(1000);
  options.connections = 4;
  const std::vector<int64_t> times = AllTimes(options, seconds(100));
  const Moments moments = MomentsOf(Gaps(times));
  // 100,000 expected; four standard deviations of a Poisson count.
  EXPECT_NEAR(static_cast<double>(times.size()), 1e5, 4 * std::sqrt(1e5));
  EXPECT_NEAR(std::sqrt(moments.variance) / moments.mean, 1.0, 0.02);
}

TEST(ArrivalSchedule, PoissonCountsVaryAsTheirMean) {
  const std::vector<int64_t> times =
      AllTimes(PoissonOptions(100), seconds(2000));
  std::vector<double> counts(2000);
  for (const int64_t time : times) {
    counts[static_cast<size_t>(time / 1'000'000'000)] += 1;
  }
  const Moments moments = MomentsOf(counts);
  EXPECT_NEAR(moments.mean, 100, 1);
  EXPECT_NEAR(moments.variance / moments.mean, 1.0, 0.13);
}

TEST(ArrivalSchedule, SeedsAndConnectionsDiffer) {
  ScheduleOptions options = PoissonOptions(1000);
  const std::vector<int64_t> first = Times(options, 100);
  EXPECT_EQ(first, Times(options, 100));
  options.seed = 8;
  EXPECT_NE(first, Times(options, 100));
  options.seed = 7;
  options.connections = 2;
  const std::vector<int64_t> left = Times(options, 100);
  options.index = 1;
  EXPECT_NE(left, Times(options, 100));
}

}  // namespace
}  // namespace kiln::client
