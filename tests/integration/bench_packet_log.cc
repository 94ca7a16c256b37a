#include "tests/integration/bench_packet_log.h"

#include <algorithm>

#include "core/base/check.h"

namespace kiln::tests {
namespace {

constexpr size_t kPreface = 24;       // "PRI * HTTP/2.0 ..."
constexpr size_t kFrameHeader = 9;    // length, type, flags, stream
constexpr size_t kMessagePrefix = 5;  // flag, length
constexpr uint8_t kDataFrame = 0;
constexpr uint8_t kPadded = 8;

uint32_t BigEndian(absl::string_view bytes) {
  uint32_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

}  // namespace

MessageReader::MessageReader(bool from_client)
    : skip_(from_client ? kPreface : 0) {}

void MessageReader::Feed(absl::string_view bytes,
                         std::chrono::steady_clock::time_point time) {
  const size_t skipped = std::min(skip_, bytes.size());
  skip_ -= skipped;
  unread_.append(bytes.data() + skipped, bytes.size() - skipped);
  size_t at = 0;
  for (;;) {
    const absl::string_view rest = absl::string_view(unread_).substr(at);
    if (rest.size() < kFrameHeader) break;
    const size_t length = BigEndian(rest.substr(0, 3));
    if (rest.size() < kFrameHeader + length) break;
    if (static_cast<uint8_t>(rest[3]) == kDataFrame) {
      KILN_CHECK((static_cast<uint8_t>(rest[4]) & kPadded) == 0);
      ReadData(BigEndian(rest.substr(5, 4)), rest.substr(kFrameHeader, length),
               time);
    }
    at += kFrameHeader + length;
  }
  unread_.erase(0, at);
}

void MessageReader::ReadData(uint32_t stream, absl::string_view data,
                             std::chrono::steady_clock::time_point time) {
  Partial& partial = partial_[stream];
  while (!data.empty()) {
    if (partial.prefix.size() < kMessagePrefix) {
      const size_t some =
          std::min(data.size(), kMessagePrefix - partial.prefix.size());
      partial.prefix.append(data.data(), some);
      data.remove_prefix(some);
      if (partial.prefix.size() < kMessagePrefix) return;
      partial.left = BigEndian(absl::string_view(partial.prefix).substr(1));
    }
    const size_t some = std::min<uint64_t>(data.size(), partial.left);
    partial.left -= some;
    data.remove_prefix(some);
    if (partial.left > 0) return;
    messages_.push_back({stream, time});
    partial.prefix.clear();
  }
}

}  // namespace kiln::tests
