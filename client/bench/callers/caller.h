// client/bench/callers/caller.h
//
// One connection of the load tester: sends a request of the workload and tells
// when its answer is there. Kiln's client and the bare echo are the same thing
// to the generator of the load, so both are measured by the same code.

#ifndef KILN_CLIENT_BENCH_CALLERS_CALLER_H_
#define KILN_CLIENT_BENCH_CALLERS_CALLER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bake_client.h"
#include "client/bench/workload.h"

namespace kiln::client {

enum class CallMode : uint8_t { kUnary, kStream };

// How one request ended.
struct CallEnd {
  absl::Status status;
  int attempts = 1;
  int64_t bytes_sent = 0;
  int64_t bytes_received = 0;
};

class Caller {
 public:
  using Done = std::function<void(const CallEnd&)>;

  virtual ~Caller() = default;
  // Sends request `index` of the workload. `done` runs once, on the
  // connection's own thread, and may send the next.
  //
  // Requires: fewer than the connection's in-flight bound are unanswered.
  virtual void Send(size_t index, Done done) = 0;
};

// A connection of its own to `address` ("inproc:" too).
absl::StatusOr<std::unique_ptr<Caller>> MakeKilnCaller(
    const std::string& address, CallMode mode, int in_flight,
    const Workload& workload);

// Bytes of one request and of its answer.
struct MessageSizes {
  int64_t request = 0;
  int64_t response = 0;
};

// A connection to an echo server (echo_server.h): requests and responses of
// these sizes, one for each request of the workload. A stream's responses all
// have the mean size.
std::unique_ptr<Caller> MakeEchoCaller(const std::string& address,
                                       CallMode mode,
                                       const std::vector<MessageSizes>& sizes);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_CALLERS_CALLER_H_
