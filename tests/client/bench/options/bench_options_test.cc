#include "client/bench/options/bench_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/bench/options/option_table.h"
#include "client/cli/errors.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using ::kiln::tests::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(BenchOptions, NothingGivenMeansBothModesOfHills) {
  KILN_ASSERT_OK_AND_ASSIGN(const BenchOptions options, ReadBenchOptions({}));
  EXPECT_THAT(options.modes, ElementsAre(CallMode::kUnary, CallMode::kStream));
  EXPECT_THAT(options.workload.grids, ElementsAre("hills"));
  EXPECT_TRUE(options.server.empty());
  EXPECT_FALSE(options.echo);
}

TEST(BenchOptions, EveryOptionIsRead) {
  KILN_ASSERT_OK_AND_ASSIGN(const BenchOptions options,
                            ReadBenchOptions({"--server=127.0.0.1:1",
                                              "--mode",
                                              "stream",
                                              "--inputs",
                                              "caves,ball",
                                              "--edge=16",
                                              "--encoding=runs",
                                              "--blocks=3",
                                              "--method=search",
                                              "--effort=2",
                                              "--compression=zstd",
                                              "--seconds=7.5",
                                              "--rounds=2",
                                              "--connections=4",
                                              "--in-flight=9",
                                              "--rate=100.5",
                                              "--arrival=poisson",
                                              "--seed=5",
                                              "--warmup=2",
                                              "--max-lag=250us",
                                              "--echo",
                                              "--json=x.json",
                                              "--csv=x.csv",
                                              "--html=-"}));
  EXPECT_EQ(options.server, "127.0.0.1:1");
  EXPECT_THAT(options.modes, ElementsAre(CallMode::kStream));
  EXPECT_THAT(options.workload.grids, ElementsAre("caves", "ball"));
  EXPECT_EQ(options.workload.edge, 16);
  EXPECT_EQ(options.workload.encoding, "runs");
  EXPECT_EQ(options.workload.blocks_per_request, 3);
  EXPECT_EQ(options.workload.recipe.method, core::Method::kSearch);
  EXPECT_EQ(options.workload.recipe.effort, 2);
  EXPECT_EQ(options.workload.compression, Compression::kZstd);
  EXPECT_EQ(options.duration, std::chrono::milliseconds(7500));
  EXPECT_EQ(options.warm_up, std::chrono::seconds(2));
  EXPECT_EQ(options.rounds, 2);
  EXPECT_EQ(options.connections, 4);
  EXPECT_EQ(options.in_flight, 9);
  EXPECT_EQ(options.rate, 100.5);
  EXPECT_EQ(options.arrival, Arrival::kPoisson);
  EXPECT_EQ(options.seed, 5u);
  EXPECT_EQ(options.max_lag, std::chrono::microseconds(250));
  EXPECT_TRUE(options.echo);
  EXPECT_EQ(options.json_file, "x.json");
  EXPECT_EQ(options.csv_file, "x.csv");
  EXPECT_EQ(options.html_file, "-");
}

TEST(BenchOptions, SearchIsRead) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const BenchOptions options,
      ReadBenchOptions({"--find-max-rate", "--slo=p99=5ms,max=1s", "--rate=7",
                        "--resolution=2", "--processes=3"}));
  ASSERT_TRUE(options.slo);
  EXPECT_EQ(options.slo->ToText(), "p99=5ms,max=1s");
  EXPECT_EQ(options.search.first, 7);
  EXPECT_DOUBLE_EQ(options.search.resolution, 0.02);
  EXPECT_EQ(options.processes, 3);
}

TEST(BenchOptions, CompareTakesTwoFiles) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const BenchOptions options,
      ReadBenchOptions({"--compare", "a.json", "b.json", "--noise=10"}));
  ASSERT_TRUE(options.compare);
  EXPECT_EQ(options.compare->before, "a.json");
  EXPECT_EQ(options.compare->after, "b.json");
  EXPECT_DOUBLE_EQ(options.compare->noise, 0.1);
}

TEST(BenchOptions, RoomIsWideOnlyForSchedules) {
  KILN_ASSERT_OK_AND_ASSIGN(const BenchOptions closed, ReadBenchOptions({}));
  KILN_ASSERT_OK_AND_ASSIGN(const BenchOptions open,
                            ReadBenchOptions({"--rate=1"}));
  EXPECT_EQ(closed.in_flight, 16);
  EXPECT_EQ(open.in_flight, 4096);
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
      {{"--server=a:1", "--kilnd=x"}, "only without --server"},
      {{"--server=a:1", "--threads=2"}, "give --threads to the kilnd"},
      {{"--vox=a.vox", "--inputs=hills"}, "--inputs"},
      {{"--vox=a.vox", "--encoding=u8"}, "--encoding"},
      {{"--rate=nan"}, "--rate"},
      {{"--rate=-1"}, "--rate"},
      {{"--warmup=x"}, "--warmup"},
      {{"--arrival=poisson"}, "add --rate N"},
      {{"--rate=0", "--arrival=poisson"}, "add --rate N"},
      {{"--max-lag=1ms"}, "add --rate N"},
      {{"--rate=5", "--max-lag=1"}, "as in 5ms"},
      {{"--rate=5", "--arrival=uniform"}, "constant, poisson"},
      {{"--rate=5", "--seed=2"}, "--arrival poisson"},
      {{"--find-max-rate"}, "--slo p99=5ms"},
      {{"--slo=p99=5ms"}, "--find-max-rate"},
      {{"--resolution=5"}, "--find-max-rate"},
      {{"--find-max-rate", "--slo=p99=5"}, "as in 5ms"},
      {{"--find-max-rate", "--slo=p99=5ms", "--echo"}, "run of its own"},
      {{"--find-max-rate", "--slo=p99=5ms", "--rounds=2"}, "--rounds"},
      {{"--processes=65"}, "1..64"},
      {{"--processes=2", "--echo"}, "leave out one"},
      {{"--processes=2", "--server=inproc:"}, "leave out one"},
      {{"--compare", "a.json"}, "A.json B.json"},
      {{"--compare", "a.json", "b.json", "--rate=5"}, "leave out --rate"},
      {{"--noise=5"}, "--compare"},
      {{"--json=-", "--csv=-"}, "standard output"},
      {{"extra"}, "extra"},
  };
  for (const auto& wrong : cases) {
    const absl::Status status = ReadBenchOptions(wrong.words).status();
    EXPECT_TRUE(IsUsageError(status)) << wrong.message;
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr(wrong.message)));
  }
}

TEST(BenchOptions, HelpNamesEveryOptionButTheHidden) {
  const std::string help = BenchHelp();
  for (const OptionSpec& option : AllBenchOptions()) {
    const std::string name = absl::StrCat("  --", option.name);
    if (option.name == kWorkerOption) {
      EXPECT_THAT(help, Not(HasSubstr(name)));
    } else {
      EXPECT_THAT(help, HasSubstr(name));
    }
  }
  EXPECT_THAT(help, HasSubstr("exit codes"));
}

TEST(BenchOptions, HelpIsReadBeforeMistakes) {
  KILN_ASSERT_OK_AND_ASSIGN(const BenchOptions options,
                            ReadBenchOptions({"--help", "--edge=999"}));
  EXPECT_TRUE(options.help);
}

TEST(BenchOptions, HelpFitsItsColumns) {
  for (const auto line : absl::StrSplit(BenchHelp(), '\n')) {
    EXPECT_LE(line.size(), 88u) << line;
  }
}

}  // namespace
}  // namespace kiln::client
