#include "client/bench/bench_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "client/cli/errors.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using ::kiln::tests::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(BenchOptions, NothingGivenMeansBothModesOfHills) {
  KILN_ASSERT_OK_AND_ASSIGN(const BenchOptions options, ReadBenchOptions({}));
  EXPECT_THAT(options.modes, ElementsAre(CallMode::kUnary, CallMode::kStream));
  EXPECT_THAT(options.workload.grids, ElementsAre("hills"));
  EXPECT_TRUE(options.server.empty());
  EXPECT_FALSE(options.echo);
}

TEST(BenchOptions, EveryOptionIsRead) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const BenchOptions options,
      ReadBenchOptions({"--server=127.0.0.1:1", "--mode", "stream", "--inputs",
                        "caves,ball", "--edge=16", "--encoding=runs",
                        "--blocks=3", "--method=search", "--effort=2",
                        "--compression=zstd", "--seconds=7", "--rounds=2",
                        "--connections=4", "--in-flight=9", "--rate=100",
                        "--echo", "--json=x.json"}));
  EXPECT_EQ(options.server, "127.0.0.1:1");
  EXPECT_THAT(options.modes, ElementsAre(CallMode::kStream));
  EXPECT_THAT(options.workload.grids, ElementsAre("caves", "ball"));
  EXPECT_EQ(options.workload.edge, 16);
  EXPECT_EQ(options.workload.encoding, "runs");
  EXPECT_EQ(options.workload.blocks_per_request, 3);
  EXPECT_EQ(options.workload.recipe.method, core::Method::kSearch);
  EXPECT_EQ(options.workload.recipe.effort, 2);
  EXPECT_EQ(options.workload.compression, Compression::kZstd);
  EXPECT_EQ(options.seconds, std::chrono::seconds(7));
  EXPECT_EQ(options.rounds, 2);
  EXPECT_EQ(options.connections, 4);
  EXPECT_EQ(options.in_flight, 9);
  EXPECT_EQ(options.rate, 100);
  EXPECT_TRUE(options.echo);
  EXPECT_EQ(options.json_file, "x.json");
}

TEST(BenchOptions, WhatIsWrongIsAUsageErrorThatNamesIt) {
  const struct {
    std::vector<std::string> words;
    std::string message;
  } cases[] = {
      {{"--conections=2"}, "--connections"},
      {{"--mode=duplex"}, "unary, stream, both"},
      {{"--inputs=hills,lakes"}, "lakes"},
      {{"--inputs="}, "--inputs"},
      {{"--encoding=u64"}, "u64"},
      {{"--edge=257"}, "257"},
      {{"--method=best"}, "best"},
      {{"--effort=1"}, "recipe.effort"},
      {{"--seconds=0"}, "--seconds"},
      {{"--server=a:1", "--spawn"}, "--spawn"},
      {{"--vox=a.vox", "--inputs=hills"}, "--vox"},
      {{"extra"}, "extra"},
  };
  for (const auto& wrong : cases) {
    const absl::Status status = ReadBenchOptions(wrong.words).status();
    EXPECT_TRUE(IsUsageError(status)) << wrong.message;
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr(wrong.message)));
  }
}

TEST(BenchOptions, HelpNamesEveryOption) {
  const std::string help = BenchHelp();
  for (const char* option :
       {"--server ADDR", "--spawn",   "--kilnd",  "--threads",
        "--mode",        "--inputs",  "--edge",   "--encoding",
        "--vox",         "--blocks",  "--method", "--effort",
        "--compression", "--seconds", "--rounds", "--connections",
        "--in-flight",   "--rate",    "--echo",   "--json",
        "--help"}) {
    EXPECT_THAT(help, HasSubstr(option));
  }
}

}  // namespace
}  // namespace kiln::client
