#include "client/bench/report/table_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/bench/report/sample_report.h"

namespace kiln::client {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Table(const BenchReport& report) {
  return ReportTable(tests::SampleOptions(), report);
}

TEST(TableReport, RowHoldsRatePercentilesAndFailures) {
  const std::string table = Table(tests::SampleReport());
  // 1 ms ... 100 ms: p50 is 50 ms, rounded up to its bucket's end.
  EXPECT_THAT(table, HasSubstr("kiln unary          100    50004"));
  EXPECT_THAT(table, HasSubstr("100000         -      1\n"));
  EXPECT_THAT(table, HasSubstr("  1 x <script"));
}

TEST(TableReport, NotesSayWhatLimitsTrust) {
  BenchReport report = tests::SampleReport();
  report.modes[0].kiln.total.held_back = 17;
  const std::string table = Table(report);
  for (const char* note :
       {"kiln unary: send lag p99 99.01us, at most 100us", "17 requests waited",
        "the 1 failed requests are in no percentile",
        "300 requests are too few for p99.99"}) {
    EXPECT_THAT(table, HasSubstr(note));
  }
}

TEST(TableReport, EnoughRequestsNeedNoNote) {
  BenchReport report = tests::SampleReport();
  for (int i = 0; i < 10'000; ++i) {
    report.modes[0].kiln.total.latencies.Add(std::chrono::milliseconds(1));
  }
  EXPECT_THAT(Table(report), Not(HasSubstr("kiln unary: 10300 requests")));
}

TEST(TableReport, SearchSaysItsResolution) {
  BenchReport report = tests::SampleReport();
  EXPECT_THAT(Table(report),
              HasSubstr("unary: 100 requests/s meet p99=5ms, 105 do not "
                        "(resolution 5 %)"));
  report.modes[0].search->missed = 0;
  EXPECT_THAT(Table(report), HasSubstr("it is the highest rate there is"));
  report.modes[0].search->rate = 0;
  report.modes[0].search->missed = 1;
  EXPECT_THAT(Table(report), HasSubstr("no rate meets p99=5ms"));
}

TEST(TableReport, ProbeHasALineOfItsOwn) {
  EXPECT_EQ(
      ProbeLine(CallMode::kStream, {1234.5, ProbeEnd::kBehind, "p99 1ms"}),
      "stream     1234.5/s  p99 1ms: the load tester fell behind\n");
}

}  // namespace
}  // namespace kiln::client
