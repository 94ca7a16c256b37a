#include "client/bench/measure/measure_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_replace.h"
#include "core/base/random.h"
#include "nlohmann/json.hpp"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using std::chrono::nanoseconds;
using testing::HasSubstr;

LoadResult RandomResult(uint64_t seed) {
  core::Random random(seed);
  LoadResult result;
  for (int i = 0; i < 5000; ++i) {
    const nanoseconds latency(random.Next() >> (20 + random.Below(40)));
    result.latencies.Add(latency);
    result.send_lag.Add(latency / 7);
    result.series.Add(nanoseconds(random.Below(4'000'000'000u)), latency,
                      i % 50 != 0);
  }
  result.good = 4900;
  result.warm_up_good = 31;
  result.retries = 3;
  result.held_back = 17;
  result.bytes_sent = 1ll << 40;
  result.bytes_received = 5;
  result.errors["UNAVAILABLE: \"no\""] = 100;
  result.time = nanoseconds(4'000'000'001);
  result.cpu = nanoseconds(123'456'789);
  return result;
}

TEST(MeasureJson, ResultIsReadBackExactly) {
  const LoadResult result = RandomResult(1);
  const std::string text = LoadResultToText(result);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  KILN_ASSERT_OK_AND_ASSIGN(const LoadResult read, LoadResultFromText(text));
  EXPECT_EQ(read.latencies, result.latencies);
  EXPECT_EQ(read.send_lag, result.send_lag);
  EXPECT_EQ(read.errors, result.errors);
  EXPECT_EQ(read.time, result.time);
  EXPECT_EQ(LoadResultToText(read), text);  // all the rest
}

TEST(MeasureJson, MergingTextsIsMergingResults) {
  LoadResult whole = RandomResult(1);
  whole.Merge(RandomResult(2));
  KILN_ASSERT_OK_AND_ASSIGN(
      LoadResult left, LoadResultFromText(LoadResultToText(RandomResult(1))));
  KILN_ASSERT_OK_AND_ASSIGN(
      const LoadResult right,
      LoadResultFromText(LoadResultToText(RandomResult(2))));
  left.Merge(right);
  EXPECT_EQ(LoadResultToText(left), LoadResultToText(whole));
}

TEST(MeasureJson, EmptyResultIsReadBack) {
  const std::string text = LoadResultToText(LoadResult());
  KILN_ASSERT_OK_AND_ASSIGN(const LoadResult read, LoadResultFromText(text));
  EXPECT_EQ(LoadResultToText(read), text);
}

TEST(MeasureJson, EveryPartIsNeeded) {
  const nlohmann::ordered_json whole =
      nlohmann::ordered_json::parse(LoadResultToText(RandomResult(1)));
  for (const auto& part : whole.items()) {
    nlohmann::ordered_json less = whole;
    less.erase(part.key());
    EXPECT_THAT(LoadResultFromText(less.dump()),
                tests::StatusIs(absl::StatusCode::kInvalidArgument,
                                HasSubstr(part.key())));
  }
}

TEST(MeasureJson, WhatIsNoHistogramIsRefused) {
  LatencyHistogram histogram;
  histogram.Add(nanoseconds(5));
  histogram.Add(nanoseconds(9));
  const std::string good = HistogramToJson(histogram).dump();
  const std::pair<const char*, const char*> changes[] = {
      {"[5,1]", "[5,0]"},          {"[5,1]", "[5,-1]"},
      {"[5,1]", "[9,1]"},          {"[5,1]", "[5]"},
      {"[5,1]", "[99999,1]"},      {"[5,1]", "[\"5\",1]"},
      {"\"min\":5", "\"min\":6"},  {"\"max\":9", "\"max\":3"},
      {"\"sum\":14", "\"sum\":1"}, {"\"sum\":14", "\"sum\":1.5"}};
  for (const auto& [from, to] : changes) {
    const std::string bad = absl::StrReplaceAll(good, {{from, to}});
    ASSERT_NE(bad, good) << from;
    EXPECT_FALSE(HistogramFromJson(nlohmann::ordered_json::parse(bad)).ok())
        << bad;
  }
}

TEST(MeasureJson, WhatIsNoJsonIsRefused) {
  const std::string text = LoadResultToText(LoadResult());
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(LoadResultFromText(text.substr(0, length)).ok()) << length;
  }
}

}  // namespace
}  // namespace kiln::client
