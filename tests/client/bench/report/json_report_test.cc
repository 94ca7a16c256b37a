#include "client/bench/report/json_report.h"

#include <gtest/gtest.h>

#include "client/bench/measure/measure_json.h"
#include "nlohmann/json.hpp"
#include "tests/client/bench/report/sample_report.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using Json = nlohmann::ordered_json;

Json Sample() {
  return Json::parse(ReportJson(tests::SampleOptions(), tests::SampleReport()));
}

TEST(JsonReport, HistogramIsKeptWhole) {
  const Json json = Sample();
  KILN_ASSERT_OK_AND_ASSIGN(
      const LatencyHistogram read,
      HistogramFromJson(json["unary"]["kiln"]["latency_histogram"]));
  EXPECT_EQ(read, tests::SampleReport().modes[0].kiln.total.latencies);
}

TEST(JsonReport, FiguresAreMicroseconds) {
  const Json kiln = Sample()["unary"]["kiln"];
  EXPECT_EQ(kiln["requests"], 300);
  EXPECT_EQ(kiln["failed"], 1);
  EXPECT_EQ(kiln["requests_per_second"], 100.0);
  EXPECT_EQ(kiln["latency_us"]["max"], 100'000.0);
  EXPECT_EQ(kiln["latency_us"]["min"], 1000.0);
  EXPECT_EQ(kiln["generator_fell_behind"], true);
  EXPECT_EQ(kiln["rows"].size(), 3u);
  EXPECT_EQ(kiln["rows"][1]["errors"], 1);
}

TEST(JsonReport, SearchIsInItWithItsProbes) {
  const Json search = Sample()["unary"]["search"];
  EXPECT_EQ(search["rate"], 100.0);
  EXPECT_EQ(search["missed"], 105.0);
  EXPECT_EQ(search["probes"].size(), 2u);
  EXPECT_EQ(search["probes"][1]["met"], false);
}

}  // namespace
}  // namespace kiln::client
