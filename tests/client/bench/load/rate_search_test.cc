// The search for the highest rate, over simulated servers.

#include "client/bench/load/rate_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "client/bench/load/arrival_schedule.h"
#include "core/base/errors.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

// Meets every rate up to `limit`.
auto Limited(double limit) {
  return [limit](double rate) -> absl::StatusOr<Probe> {
    return Probe{.rate = rate,
                 .end = rate <= limit ? ProbeEnd::kMet : ProbeEnd::kMissed};
  };
}

TEST(RateSearch, FindsEveryLimitToItsResolution) {
  for (const double limit : {1.0, 7.3, 99.9, 100.0, 101.0, 12345.6, 9.9e6}) {
    for (const double resolution : {0.01, 0.05, 0.5}) {
      const RateSearchOptions options{.resolution = resolution};
      KILN_ASSERT_OK_AND_ASSIGN(const RateSearchResult result,
                                FindMaxRate(options, Limited(limit)));
      EXPECT_LE(result.rate, limit) << resolution;
      EXPECT_GE(result.rate * (1 + resolution), limit) << resolution;
      EXPECT_GT(result.missed, limit);
      EXPECT_FALSE(result.limited_by_generator);
    }
  }
}

TEST(RateSearch, ProbesAreAsManyAsPromised) {
  const RateSearchOptions options{.first = 100, .resolution = 0.05};
  KILN_ASSERT_OK_AND_ASSIGN(const RateSearchResult result,
                            FindMaxRate(options, Limited(12'000)));
  const double promised = std::log2(120) + std::log2(1 / 0.05) + 3;
  EXPECT_LE(static_cast<double>(result.probes.size()), promised);
  EXPECT_EQ(result.probes.back().rate, result.rate);  // probed once more
}

TEST(RateSearch, NothingMetGivesZero) {
  KILN_ASSERT_OK_AND_ASSIGN(const RateSearchResult result,
                            FindMaxRate({}, Limited(0)));
  EXPECT_EQ(result.rate, 0);
  EXPECT_EQ(result.missed, 1);
}

TEST(RateSearch, EverythingMetGivesTheHighest) {
  const RateSearchOptions options{.highest = 5000};
  KILN_ASSERT_OK_AND_ASSIGN(const RateSearchResult result,
                            FindMaxRate(options, Limited(1e9)));
  EXPECT_EQ(result.rate, 5000);
  EXPECT_EQ(result.missed, 0);
}

TEST(RateSearch, LuckyRateIsProbedAgainAndLeft) {
  bool lucky = true;
  const auto probe = [&lucky](double rate) -> absl::StatusOr<Probe> {
    const bool met = rate <= 1000 || (rate < 1100 && std::exchange(lucky, 0));
    return Probe{.rate = rate, .end = met ? ProbeEnd::kMet : ProbeEnd::kMissed};
  };
  const RateSearchOptions options{.first = 1050};
  KILN_ASSERT_OK_AND_ASSIGN(const RateSearchResult result,
                            FindMaxRate(options, probe));
  EXPECT_LE(result.rate, 1000);
  EXPECT_GE(result.rate * 1.05, 1000);
}

TEST(RateSearch, GeneratorsLimitIsTold) {
  const auto probe = [](double rate) -> absl::StatusOr<Probe> {
    return Probe{.rate = rate,
                 .end = rate < 700 ? ProbeEnd::kMet : ProbeEnd::kBehind};
  };
  KILN_ASSERT_OK_AND_ASSIGN(const RateSearchResult result,
                            FindMaxRate({}, probe));
  EXPECT_TRUE(result.limited_by_generator);
  EXPECT_NEAR(result.rate, 700, 0.05 * 700);
}

TEST(RateSearch, ErrorOfAProbeEndsIt) {
  const auto probe = [](double) -> absl::StatusOr<Probe> {
    return core::UnavailableError("gone");
  };
  EXPECT_THAT(FindMaxRate({}, probe),
              tests::StatusIs(absl::StatusCode::kUnavailable));
}

// A server that takes 1 ms a request, one after the other, under Poisson
// arrivals: M/D/1. The p99 of its sojourn time is simulated here with Lindley's
// recursion; at load rho its mean is 1 + rho / (2 (1 - rho)) ms.
std::vector<double> SojournTimesMs(double rate) {
  ScheduleOptions options;
  options.arrival = Arrival::kPoisson;
  options.rate = rate;
  ArrivalSchedule schedule(options);
  std::vector<double> times;
  double free_at = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double due = static_cast<double>(schedule.Next().count()) / 1e6;
    free_at = std::max(free_at, due) + 1;
    times.push_back(free_at - due);
  }
  return times;
}

TEST(RateSearch, FindsTheLoadOfAQueue) {
  // A mean of 2 ms is a load of 2/3: 667 requests a second.
  const auto probe = [](double rate) -> absl::StatusOr<Probe> {
    double sum = 0;
    const std::vector<double> times = SojournTimesMs(rate);
    for (const double time : times) sum += time;
    const bool met = sum / static_cast<double>(times.size()) <= 2;
    return Probe{.rate = rate, .end = met ? ProbeEnd::kMet : ProbeEnd::kMissed};
  };
  const RateSearchOptions options{.resolution = 0.01};
  KILN_ASSERT_OK_AND_ASSIGN(const RateSearchResult result,
                            FindMaxRate(options, probe));
  EXPECT_NEAR(result.rate, 2000.0 / 3, 0.02 * 667);
}

}  // namespace
}  // namespace kiln::client
