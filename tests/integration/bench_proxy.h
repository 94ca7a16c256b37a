// tests/integration/bench_proxy.h
//
// A relay on loopback that passes on everything at once and notes when each
// gRPC message went by.

#ifndef KILN_TESTS_INTEGRATION_BENCH_PROXY_H_
#define KILN_TESTS_INTEGRATION_BENCH_PROXY_H_

#include <list>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "server/net/file_descriptor.h"
#include "tests/integration/bench_packet_log.h"

namespace kiln::tests {

// Relays any number of connections, with a thread for each direction of each,
// so that a side that does not read holds nothing else up.
class BenchProxy {
 public:
  // `target` is "127.0.0.1:port".
  explicit BenchProxy(const std::string& target);
  // Ends every connection.
  ~BenchProxy();

  const std::string& address() const { return address_; }

  struct Log {
    std::vector<PassedMessage> requests;
    std::vector<PassedMessage> responses;
  };
  // Of the connection that has carried the most requests so far.
  Log Busiest() const;

 private:
  struct Connection {
    server::FileDescriptor client;
    server::FileDescriptor target;
    MessageReader requests{/*from_client=*/true};
    MessageReader responses{/*from_client=*/false};
    std::thread up;
    std::thread down;
  };

  void Accept(int target_port);
  void Relay(int from, int to, MessageReader& reader);

  server::FileDescriptor listener_;
  std::string address_;
  mutable core::Mutex mutex_;
  // The readers of all connections are guarded, too.
  std::list<Connection> connections_ ABSL_GUARDED_BY(mutex_);
  std::thread acceptor_;
};

}  // namespace kiln::tests

#endif  // KILN_TESTS_INTEGRATION_BENCH_PROXY_H_
