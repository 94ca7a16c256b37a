#include "server/log/log_burst.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "server/limits.h"
#include "server/log/log.h"

namespace kiln::server {
namespace {

// What `body` logs, line by line.
template <typename Body>
std::string LoggedBy(const Body& body) {
  InitLog({LogLevel::kWarn, LogFormat::kText});
  testing::internal::CaptureStderr();
  body();
  InitLog({LogLevel::kError, LogFormat::kText});
  return testing::internal::GetCapturedStderr();
}

int LinesIn(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

const LogBurst::TimePoint kNow = LogBurst::TimePoint() + std::chrono::hours(1);

TEST(LogBurst, BurstIsOneLine) {
  LogBurst burst("refused");
  const std::string log = LoggedBy([&] {
    for (int i = 0; i < 1000; ++i) burst.Note("full", kNow);
  });
  EXPECT_EQ(LinesIn(log), 1) << log;
  EXPECT_EQ(burst.total(), 1000);
}

TEST(LogBurst, EndOfBurstIsSummedUp) {
  LogBurst burst("refused");
  const std::string log = LoggedBy([&] {
    burst.Note("full", kNow);
    burst.Note("full", kNow + std::chrono::milliseconds(7));
    burst.Tick(kNow + 2 * kBurstQuiet);
    burst.Tick(kNow + 3 * kBurstQuiet);
  });
  EXPECT_EQ(LinesIn(log), 2) << log;
  EXPECT_NE(log.find("refused_total count=2 ms=7"), std::string::npos) << log;
}

}  // namespace
}  // namespace kiln::server
