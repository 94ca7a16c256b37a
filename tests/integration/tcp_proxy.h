// tests/integration/tcp_proxy.h
//
// A relay on loopback that can fail as networks do: the connection goes away
// without a word of HTTP/2 from either side.

#ifndef KILN_TESTS_INTEGRATION_TCP_PROXY_H_
#define KILN_TESTS_INTEGRATION_TCP_PROXY_H_

#include <string>
#include <thread>

#include "server/net/file_descriptor.h"

namespace kiln::tests {

// Relays one connection.
class TcpProxy {
 public:
  // Requires: `target_port` listens on loopback.
  explicit TcpProxy(int target_port);
  ~TcpProxy();

  const std::string& address() const { return address_; }
  // Breaks the connection off: resets both sides.
  void Drop();

 private:
  void Run(int target_port);

  server::FileDescriptor listener_;
  server::FileDescriptor stop_;
  std::string address_;
  std::thread thread_;
};

}  // namespace kiln::tests

#endif  // KILN_TESTS_INTEGRATION_TCP_PROXY_H_
