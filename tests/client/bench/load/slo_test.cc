#include "client/bench/load/slo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// 1 ms, 2 ms ... 100 ms.
LatencyHistogram OneToHundred() {
  LatencyHistogram latencies;
  for (int i = 1; i <= 100; ++i) latencies.Add(milliseconds(i));
  return latencies;
}

TEST(Slo, EveryBoundMustHold) {
  const LatencyHistogram latencies = OneToHundred();
  const struct {
    const char* text;
    bool met;
  } cases[] = {{"p99=100ms", true},       {"p99=98ms", false},
               {"max=100ms", true},       {"max=99.9ms", false},
               {"mean=50.5ms", true},     {"mean=50.4ms", false},
               {"p50=51ms,max=1s", true}, {"p50=51ms,max=99ms", false},
               {"p99.9=100000us", true}};
  for (const auto& c : cases) {
    KILN_ASSERT_OK_AND_ASSIGN(const Slo slo, ParseSlo(c.text));
    EXPECT_EQ(slo.IsMetBy(latencies), c.met) << c.text;
  }
}

TEST(Slo, TextIsWhatWasRead) {
  for (const char* text :
       {"p99=5ms", "p50=1ms,p99.9=20ms,max=1s", "mean=2us"}) {
    KILN_ASSERT_OK_AND_ASSIGN(const Slo slo, ParseSlo(text));
    EXPECT_EQ(slo.ToText(), text);
  }
}

TEST(Slo, WhatIsNoneSaysWhatIsAllowed) {
  for (const char* text :
       {"", "p99", "p99=", "p99=5", "p99=0ms", "p0=1ms", "p101=1ms", "px=1ms",
        "q99=1ms", "p99=-1ms", "p99=1ms,", "p99=2h"}) {
    EXPECT_THAT(ParseSlo(text),
                tests::StatusIs(absl::StatusCode::kInvalidArgument,
                                HasSubstr("allowed")))
        << text;
  }
}

}  // namespace
}  // namespace kiln::client
