#include "tests/integration/bench_packet_log.h"

#include <gtest/gtest.h>

#include <string>

namespace kiln::tests {
namespace {

using Clock = std::chrono::steady_clock;

std::string Number(uint32_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) {
    text.push_back(static_cast<char>(value >> (8 * i)));
  }
  return text;
}

std::string Frame(uint8_t type, uint32_t stream, const std::string& payload) {
  return Number(static_cast<uint32_t>(payload.size()), 3) + Number(type, 1) +
         Number(0, 1) + Number(stream, 4) + payload;
}

std::string Message(size_t bytes) {
  return Number(0, 1) + Number(static_cast<uint32_t>(bytes), 4) +
         std::string(bytes, 'x');
}

// Two streams interleaved, a message across frames, two messages in a frame, an
// empty one, and frames that are no data.
std::string Sample() {
  const std::string split = Message(10);
  return std::string(24, 'P') + Frame(4, 0, "settings") + Frame(1, 1, "head") +
         Frame(0, 1, split.substr(0, 3)) +
         Frame(0, 3, Message(4) + Message(0)) + Frame(0, 1, split.substr(3)) +
         Frame(0, 1, "") + Frame(8, 0, "more");
}

TEST(MessageReader, EveryCutGivesTheSameMessages) {
  const std::string bytes = Sample();
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    MessageReader reader(/*from_client=*/true);
    reader.Feed(bytes.substr(0, cut), Clock::time_point());
    reader.Feed(bytes.substr(cut), Clock::time_point());
    ASSERT_EQ(reader.messages().size(), 3u) << cut;
    EXPECT_EQ(reader.messages()[0].stream, 3u);
    EXPECT_EQ(reader.messages()[1].stream, 3u);
    EXPECT_EQ(reader.messages()[2].stream, 1u);
  }
}

TEST(MessageReader, TimeIsThatOfTheLastByte) {
  MessageReader reader(/*from_client=*/false);
  const std::string bytes = Frame(0, 1, Message(5));
  for (size_t i = 0; i < bytes.size(); ++i) {
    reader.Feed(bytes.substr(i, 1),
                Clock::time_point(std::chrono::nanoseconds(i)));
  }
  ASSERT_EQ(reader.messages().size(), 1u);
  EXPECT_EQ(reader.messages()[0].time,
            Clock::time_point(std::chrono::nanoseconds(bytes.size() - 1)));
}

}  // namespace
}  // namespace kiln::tests
