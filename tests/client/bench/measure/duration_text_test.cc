#include "client/bench/measure/duration_text.h"

#include <gtest/gtest.h>

#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using std::chrono::nanoseconds;

TEST(DurationText, UnitsAreRead) {
  const struct {
    const char* text;
    int64_t ns;
  } cases[] = {{"0ns", 0},
               {"17ns", 17},
               {"250us", 250'000},
               {"5ms", 5'000'000},
               {"1.5s", 1'500'000'000},
               {"0.25ms", 250'000},
               {"3600s", 3'600'000'000'000}};
  for (const auto& c : cases) {
    KILN_ASSERT_OK_AND_ASSIGN(const nanoseconds time, ParseDuration(c.text));
    EXPECT_EQ(time.count(), c.ns) << c.text;
  }
}

TEST(DurationText, WhatIsNoTimeIsRefused) {
  for (const char* text : {"", "5", "ms", "-1ms", "+1ms", "1e3ms", "nanms",
                           "1 ms", "1m", "3601s", ".ms", "1.2.3s"}) {
    EXPECT_FALSE(ParseDuration(text).ok()) << text;
  }
}

TEST(DurationText, IsReadBackTheSame) {
  for (const int64_t ns : {0L, 1L, 999L, 1000L, 1234L, 250'000L, 5'000'000L,
                           1'234'000'000L, 60'000'000'000L}) {
    KILN_ASSERT_OK_AND_ASSIGN(const nanoseconds time,
                              ParseDuration(DurationText(nanoseconds(ns))));
    EXPECT_EQ(time.count(), ns);
  }
}

}  // namespace
}  // namespace kiln::client
