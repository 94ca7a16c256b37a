#include "client/bench/report/csv_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "tests/client/bench/report/sample_report.h"

namespace kiln::client {
namespace {

std::vector<std::vector<std::string>> Table() {
  std::vector<std::vector<std::string>> table;
  const std::string csv = ReportCsv(tests::SampleReport());
  for (const auto line : absl::StrSplit(csv, '\n', absl::SkipEmpty())) {
    table.push_back(absl::StrSplit(line, ','));
  }
  return table;
}

TEST(CsvReport, EveryLineHasEveryColumn) {
  const auto table = Table();
  ASSERT_EQ(table.size(), 1u + 2 * (3 + 1));
  for (const auto& line : table) EXPECT_EQ(line.size(), table[0].size());
}

TEST(CsvReport, SecondsAndTheWholeAreRight) {
  const auto table = Table();
  EXPECT_THAT(table[0], testing::ElementsAre(
                            "series", "second", "requests", "answers", "errors",
                            "min_us", "mean_us", "p50_us", "p90_us", "p95_us",
                            "p99_us", "p99.9_us", "p99.99_us", "max_us"));
  EXPECT_EQ(table[2][1], "1");
  EXPECT_EQ(table[2][2], "101");
  EXPECT_EQ(table[2][4], "1");
  EXPECT_EQ(table[2][13], "100000.0");
  EXPECT_EQ(table[4][1], "all");
  EXPECT_EQ(table[4][2], "301");
  EXPECT_EQ(table[4][3], "300");
  EXPECT_EQ(table[4][6], "50500.0");
}

}  // namespace
}  // namespace kiln::client
