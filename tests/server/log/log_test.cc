#include "server/log/log.h"

#include <gtest/gtest.h>

#include <chrono>

namespace kiln::server {
namespace {

const std::chrono::system_clock::time_point kTime =
    std::chrono::system_clock::time_point(std::chrono::milliseconds(1'234));

TEST(LogLine, TextQuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(FormatLogLine(LogFormat::kText, kTime, LogLevel::kInfo, "serving",
                          {{"port", 5456}, {"a", "plain"}, {"b", "two words"}}),
            "1970-01-01T00:00:01.234Z info serving port=5456 a=plain "
            "b=\"two words\"");
}

TEST(LogLine, JsonIsOneObject) {
  EXPECT_EQ(FormatLogLine(LogFormat::kJson, kTime, LogLevel::kWarn, "busy",
                          {{"count", 3}, {"why", "full"}}),
            "{\"ts\":\"1970-01-01T00:00:01.234Z\",\"level\":\"warn\","
            "\"event\":\"busy\",\"count\":3,\"why\":\"full\"}");
}

TEST(LogLine, HostileTextCannotLeaveItsField) {
  const std::string line =
      FormatLogLine(LogFormat::kJson, kTime, LogLevel::kInfo, "e",
                    {{"m", "a\"b\\c\nd\x01\xff"}});
  EXPECT_NE(line.find("\"a\\\"b\\\\c\\nd\\u0001\\u00ff\"}"), std::string::npos)
      << line;
}

TEST(LogLine, TextStaysOnOneLine) {
  const std::string line =
      FormatLogLine(LogFormat::kText, kTime, LogLevel::kInfo, "e",
                    {{"m", "first\nsecond=2"}});
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
}

}  // namespace
}  // namespace kiln::server
