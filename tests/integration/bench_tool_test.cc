// kiln-bench as users run it: exit codes, files, several processes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/integration/bench_program.h"
#include "tests/integration/server_harness.h"

namespace kiln::tests {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// One call of a small block, at a rate that every machine keeps.
constexpr char kSmall[] =
    " --mode unary --inputs flat --edge 8 --seconds 1 --warmup 0.2"
    " --max-lag 1s ";

std::string Text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(BenchTool, WritesEveryReport) {
  const std::string json = BenchFile("_all.json");
  const std::string csv = BenchFile("_all.csv");
  const std::string html = BenchFile("_all.html");
  const BenchOutcome outcome =
      RunKilnBench(std::string(kSmall) + "--rate 50 --json " + json +
                   " --csv " + csv + " --html " + html);
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("kiln unary"));
  EXPECT_THAT(outcome.output, HasSubstr("send lag p99"));
  const auto report = nlohmann::json::parse(Text(json), nullptr, false);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["unary"]["kiln"]["requests"], 50);
  EXPECT_THAT(Text(csv), HasSubstr("kiln unary,all,50,50,0,"));
  EXPECT_THAT(Text(html), HasSubstr("</html>"));
}

TEST(BenchTool, ProcessesSendTheRateTogether) {
  KilndProcess kilnd;
  const std::string json = BenchFile("_processes.json");
  const BenchOutcome outcome =
      RunKilnBench(std::string(kSmall) +
                   "--rate 100 --processes 3 --connections 2"
                   " --server " +
                   kilnd.address() + " --json " + json);
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const auto report = nlohmann::json::parse(Text(json), nullptr, false);
  ASSERT_TRUE(report.is_object());
  const auto& kiln = report["unary"]["kiln"];
  EXPECT_EQ(kiln["requests"], 100);
  EXPECT_EQ(kiln["rows"][0]["requests"], 100);  // the same second for all
  int64_t counted = 0;
  for (const auto& bucket : kiln["latency_histogram"]["buckets"]) {
    counted += bucket[1].get<int64_t>();
  }
  EXPECT_EQ(counted, 100);
}

TEST(BenchTool, WorkerSaysWhyItCannot) {
  const BenchOutcome outcome =
      RunKilnBench("--worker 0 --mode unary --server 127.0.0.1:1 </dev/null");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, StartsWith("error the server did not answer"));
}

// No machine sends within a nanosecond.
TEST(BenchTool, FallingBehindHasItsExitCode) {
  const BenchOutcome outcome = RunKilnBench(
      "--mode unary --inputs flat --edge 8 --seconds 1 --rate 50"
      " --max-lag 1ns");
  EXPECT_EQ(outcome.code, 3) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("--processes"));
  EXPECT_THAT(outcome.output, HasSubstr("kiln unary"));  // figures all the same
}

TEST(BenchTool, FindsARateAndSaysItsResolution) {
  const std::string json = BenchFile("_search.json");
  const BenchOutcome outcome = RunKilnBench(
      "--mode unary --inputs flat --edge 8 --seconds 0.2 --warmup 0.1"
      " --rate 50 --find-max-rate --slo p50=1s --resolution 100 --json " +
      json + " --max-lag 1ns");
  // Whoever meets p50=1s at 50 a second is sent more until it does not.
  EXPECT_THAT(outcome.output, HasSubstr("50.0/s"));
  EXPECT_THAT(outcome.output, HasSubstr("resolution 100 %"));
  const auto report = nlohmann::json::parse(Text(json), nullptr, false);
  ASSERT_TRUE(report.is_object()) << outcome.output;
  EXPECT_GE(report["unary"]["search"]["rate"], 50.0);
}

TEST(BenchTool, ComparesWhatItHasWritten) {
  const std::string json = BenchFile("_compare.json");
  ASSERT_EQ(RunKilnBench(std::string(kSmall) + "--rate 50 --json " + json).code,
            0);
  const BenchOutcome same = RunKilnBench("--compare " + json + " " + json);
  EXPECT_EQ(same.code, 0) << same.output;
  EXPECT_THAT(same.output, Not(HasSubstr("warning")));
  EXPECT_EQ(RunKilnBench("--compare " + json + " /nowhere.json").code, 1);
}

TEST(BenchTool, WrongCommandLineExitsWithTwo) {
  const BenchOutcome outcome = RunKilnBench("--arival poisson");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("did you mean --arrival?"));
}

}  // namespace
}  // namespace kiln::tests
