#include "client/bench/report/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/bench/report/json_report.h"
#include "core/base/random.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::HasSubstr;

// A run of `count` requests, `scale` ms in the mean, each from half to three
// halves of it.
std::string Report(uint64_t seed, int count, double scale, int failed = 0,
                   double rate = 100) {
  core::Random random(seed);
  LoadResult round;
  for (int i = 0; i < count; ++i) {
    const double ms = scale * (0.5 + random.Below(1 << 20) * 0x1p-20);
    round.latencies.Add(nanoseconds(static_cast<int64_t>(ms * 1e6)));
  }
  round.good = count;
  round.time = std::chrono::seconds(1);
  if (failed > 0) round.errors["no"] = failed;
  BenchReport report;
  report.modes.emplace_back().kiln.name = "kiln unary";
  report.modes[0].kiln.Add(round);
  BenchOptions options;
  options.rate = rate;
  return ReportJson(options, report);
}

Verdict VerdictOf(const Comparison& comparison, const std::string& figure) {
  for (const CompareRow& row : comparison.rows) {
    if (row.figure == figure) return row.verdict;
  }
  ADD_FAILURE() << "no row " << figure;
  return Verdict::kUnclear;
}

TEST(Compare, ReportWithItselfIsTheSame) {
  const std::string report = Report(1, 10'000, 1);
  KILN_ASSERT_OK_AND_ASSIGN(const Comparison comparison,
                            CompareReports(report, report, 0.05));
  ASSERT_EQ(comparison.rows.size(), 9u);
  for (const CompareRow& row : comparison.rows) {
    EXPECT_EQ(row.verdict, Verdict::kSame) << row.figure;
    EXPECT_EQ(row.ratio, 1);
  }
  EXPECT_FALSE(comparison.AnyWorse());
  EXPECT_TRUE(comparison.warnings.empty());
}

TEST(Compare, SlowerIsWorseAndFasterIsBetter) {
  const std::string slow = Report(1, 10'000, 1.2);
  const std::string fast = Report(2, 10'000, 1);
  KILN_ASSERT_OK_AND_ASSIGN(const Comparison worse,
                            CompareReports(fast, slow, 0.05));
  EXPECT_EQ(VerdictOf(worse, "p50"), Verdict::kWorse);
  EXPECT_EQ(VerdictOf(worse, "p99"), Verdict::kWorse);
  EXPECT_TRUE(worse.AnyWorse());
  KILN_ASSERT_OK_AND_ASSIGN(const Comparison better,
                            CompareReports(slow, fast, 0.05));
  EXPECT_EQ(VerdictOf(better, "p50"), Verdict::kBetter);
  EXPECT_FALSE(better.AnyWorse());
  // Four standard errors of the ratio of two medians.
  EXPECT_NEAR(better.rows[1].ratio, 1 / 1.2, 0.03);
}

TEST(Compare, WithinTheNoiseIsTheSame) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const Comparison comparison,
      CompareReports(Report(1, 10'000, 1), Report(2, 10'000, 1.2), 0.3));
  EXPECT_EQ(VerdictOf(comparison, "p50"), Verdict::kSame);
}

// Nine requests: the interval of their median is nearly all of them.
TEST(Compare, FewRequestsLeaveItUnclear) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const Comparison comparison,
      CompareReports(Report(1, 9, 1), Report(2, 9, 1.3), 0.01));
  EXPECT_EQ(VerdictOf(comparison, "p50"), Verdict::kUnclear);
  EXPECT_EQ(VerdictOf(comparison, "p99.99"), Verdict::kUnclear);
  EXPECT_FALSE(comparison.AnyWorse());
}

// Same distribution, other draws: at 95 % a verdict may be wrong at times, but
// not beyond the noise too.
TEST(Compare, LuckIsNotCalledWorse) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    KILN_ASSERT_OK_AND_ASSIGN(
        const Comparison comparison,
        CompareReports(Report(seed, 2000, 1), Report(seed + 100, 2000, 1),
                       0.05));
    EXPECT_FALSE(comparison.AnyWorse()) << seed;
  }
}

TEST(Compare, FailuresAreWorse) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const Comparison comparison,
      CompareReports(Report(1, 100, 1), Report(1, 100, 1, /*failed=*/1), 0.5));
  EXPECT_EQ(VerdictOf(comparison, "failed"), Verdict::kWorse);
}

TEST(Compare, OtherSettingsAreTold) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const Comparison comparison,
      CompareReports(Report(1, 100, 1), Report(1, 100, 1, 0, /*rate=*/50),
                     0.05));
  EXPECT_THAT(comparison.warnings,
              ElementsAre(HasSubstr("rate differs: 100.0 and 50.0")));
  EXPECT_THAT(ComparisonTable(comparison), HasSubstr("rate differs"));
}

TEST(Compare, WhatIsNoReportIsRefused) {
  const std::string good = Report(1, 10, 1);
  const std::string cases[] = {"", "{}", "[1]", "{\"unary\": {\"kiln\": {}}}",
                               good.substr(0, 200)};
  for (const std::string& bad : cases) {
    EXPECT_FALSE(CompareReports(good, bad, 0.05).ok()) << bad;
  }
}

}  // namespace
}  // namespace kiln::client
