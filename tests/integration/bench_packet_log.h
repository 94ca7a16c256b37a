// tests/integration/bench_packet_log.h
//
// When each gRPC message of a connection went by on the wire: an oracle for
// latencies that shares nothing with the load tester, not even gRPC.

#ifndef KILN_TESTS_INTEGRATION_BENCH_PACKET_LOG_H_
#define KILN_TESTS_INTEGRATION_BENCH_PACKET_LOG_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kiln::tests {

// A whole message has passed.
struct PassedMessage {
  uint32_t stream = 0;  // HTTP/2's number of the call
  std::chrono::steady_clock::time_point time;
};

// Reads one direction of an HTTP/2 connection: frames, of which only DATA
// matters, and in those gRPC's messages. Compression and padding are not known.
class MessageReader {
 public:
  // A client begins with a preface that is no frame.
  explicit MessageReader(bool from_client);

  // Bytes that have passed, in any pieces.
  void Feed(absl::string_view bytes,
            std::chrono::steady_clock::time_point time);

  const std::vector<PassedMessage>& messages() const { return messages_; }

 private:
  // What has come of the message under way on a stream.
  struct Partial {
    std::string prefix;  // of 5 bytes: a flag and the length
    uint64_t left = 0;
  };

  void ReadData(uint32_t stream, absl::string_view data,
                std::chrono::steady_clock::time_point time);

  size_t skip_;
  std::string unread_;
  std::map<uint32_t, Partial> partial_;
  std::vector<PassedMessage> messages_;
};

}  // namespace kiln::tests

#endif  // KILN_TESTS_INTEGRATION_BENCH_PACKET_LOG_H_
