// server/net/acceptor.h
//
// Listens and accepts in place of gRPC, whose own listener dies for good the
// first time the process runs out of file descriptors (CVE-2023-4785), and
// which knows no limit on connections. What is accepted is handed to gRPC.

#ifndef KILN_SERVER_NET_ACCEPTOR_H_
#define KILN_SERVER_NET_ACCEPTOR_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "server/log/log_burst.h"
#include "server/net/connection_table.h"
#include "server/net/file_descriptor.h"

namespace kiln::server {

// Threads: Start and Stop by the owner; the rest from any.
class Acceptor {
 public:
  // Gets each new connection: takes `fd` over (non-blocking, close-on-exec, no
  // Nagle delay).
  using Handler = std::function<void(int listener_fd, int fd)>;

  // Binds `address` ("host:port", "[::1]:5456"; port 0: any free one) and
  // listens: clients may connect from now on, they wait until Start.
  // Errors: kInvalidArgument for an address that is none; kUnavailable,
  //         kPermissionDenied when it cannot be bound.
  static absl::StatusOr<std::unique_ptr<Acceptor>> Listen(
      const std::string& address, int max_connections);
  ~Acceptor();

  // "127.0.0.1:41234": with the port that was bound.
  const std::string& address() const { return address_; }
  int port() const { return port_; }

  void Start(Handler handler);
  // Stops accepting and closes the listener: who connects from now on is
  // refused by the system. Calls of the handler have returned.
  void Stop();

 private:
  Acceptor(FileDescriptor listener, FileDescriptor wakeup, std::string address,
           int port, int max_connections);

  void Run();
  // Accepts what is waiting. False when the system has no descriptor to give.
  bool AcceptAll();
  void Take(FileDescriptor connection);
  // Accepts and closes one connection. False when not even that can be done.
  bool RefuseForWantOfDescriptors(int error_number);

  FileDescriptor listener_;
  FileDescriptor wakeup_;  // an eventfd, to end the thread
  // Given up for a moment to accept and close a connection when there is no
  // other descriptor: the peer learns at once instead of hanging.
  FileDescriptor spare_;
  const std::string address_;
  const int port_;
  ConnectionTable connections_;
  LogBurst over_cap_{"refused_connections"};
  LogBurst out_of_descriptors_{"out_of_descriptors"};
  Handler handler_;
  std::thread thread_;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_NET_ACCEPTOR_H_
