// tests/integration/server_harness.h
//
// Real servers for tests: one inside the process (TestServer) and kilnd itself
// as a child (KilndProcess), with raw gRPC stubs: what is tested here is the
// server, not Kiln's own client.

#ifndef KILN_TESTS_INTEGRATION_SERVER_HARNESS_H_
#define KILN_TESTS_INTEGRATION_SERVER_HARNESS_H_

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grpcpp/channel.h"
#include "kiln/v1/bake.grpc.pb.h"
#include "server/options.h"
#include "server/server.h"

namespace kiln::tests {

// A channel of its own: it shares no connection with others.
std::shared_ptr<grpc::Channel> NewChannel(const std::string& address);

// Options for a server inside a test: any port on loopback, two threads.
server::ServerOptions TestOptions();

class TestServer {
 public:
  explicit TestServer(const server::ServerOptions& options = TestOptions());

  server::Server& operator*() { return *server_; }
  server::Server* operator->() { return server_.get(); }
  const std::string& address() const { return server_->address(); }
  v1::BakeService::Stub& stub() { return *stub_; }

 private:
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<v1::BakeService::Stub> stub_;
};

// Waits until `condition` holds; false if it does not within `limit`.
bool WaitUntil(const std::function<bool()>& condition,
               std::chrono::milliseconds limit);

// How a child ended: an exit code, or minus the signal that killed it.
struct ChildResult {
  int code = 0;
  std::string output;  // standard output and error
};

// kilnd as a child process, on any port of loopback.
class KilndProcess {
 public:
  // Starts it; `environment` entries are "NAME=value"; `max_files` lowers its
  // limit on file descriptors, soft and hard.
  explicit KilndProcess(const std::vector<std::string>& arguments = {},
                        const std::vector<std::string>& environment = {},
                        std::optional<int> max_files = std::nullopt);
  // Kills it if it still runs.
  ~KilndProcess();

  // Empty if it did not come up within ten seconds.
  const std::string& address() const { return address_; }
  void Signal(int signal_number);
  // Waits for its end.
  ChildResult Wait();

 private:
  pid_t pid_ = -1;
  std::string directory_;
  std::string address_;
};

// Runs kilnd to its end.
ChildResult RunKilnd(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment = {});

// ---- Requests.

// One block of edge^3 bytes, each solid with a probability of one half.
v1::BlockInput NoiseInput(int edge, uint64_t seed);
// One solid block of edge^3 voxels.
v1::BlockInput SolidInput(int edge);

v1::BakeVoxelsRequest RequestOf(std::vector<v1::BlockInput> blocks,
                                v1::Method method = v1::METHOD_PARTITION,
                                uint32_t effort = 0);

// Keeps two workers busy for several seconds unless it is cancelled.
v1::BakeVoxelsRequest LongRequest();

// Result hashes of a response, one after the other.
std::string HashesOf(const v1::BakeVoxelsResponse& response);

}  // namespace kiln::tests

#endif  // KILN_TESTS_INTEGRATION_SERVER_HARNESS_H_
