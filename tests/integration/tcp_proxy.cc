#include "tests/integration/tcp_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>

#include "core/base/check.h"

namespace kiln::tests {
namespace {

using server::FileDescriptor;

sockaddr_in Loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// Passes on what has come. False at the end of the connection.
bool Relay(int from, int to) {
  std::array<char, 65536> buffer;
  const ssize_t bytes = recv(from, buffer.data(), buffer.size(), 0);
  if (bytes <= 0) return false;
  for (ssize_t sent = 0; sent < bytes;) {
    const ssize_t some = send(to, buffer.data() + sent,
                              static_cast<size_t>(bytes - sent), MSG_NOSIGNAL);
    if (some <= 0) return false;
    sent += some;
  }
  return true;
}

void CloseWithReset(const FileDescriptor& fd) {
  const linger reset = {1, 0};
  setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
}

}  // namespace

TcpProxy::TcpProxy(int target_port)
    : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      stop_(eventfd(0, EFD_CLOEXEC)) {
  sockaddr_in address = Loopback(0);
  socklen_t length = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  KILN_CHECK(bind(listener_.get(), generic, length) == 0);
  KILN_CHECK(listen(listener_.get(), 1) == 0);
  getsockname(listener_.get(), generic, &length);
  address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  thread_ = std::thread([this, target_port] { Run(target_port); });
}

TcpProxy::~TcpProxy() { Drop(); }

void TcpProxy::Drop() {
  if (!thread_.joinable()) return;
  const uint64_t one = 1;
  KILN_CHECK(write(stop_.get(), &one, sizeof(one)) == sizeof(one));
  thread_.join();
}

void TcpProxy::Run(int target_port) {
  std::array<pollfd, 2> waiting = {
      {{listener_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
  poll(waiting.data(), waiting.size(), -1);
  if (waiting[1].revents != 0) return;
  const FileDescriptor client(accept(listener_.get(), nullptr, nullptr));
  const FileDescriptor target(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = Loopback(target_port);
  KILN_CHECK(connect(target.get(), reinterpret_cast<const sockaddr*>(&address),
                     sizeof(address)) == 0);
  CloseWithReset(client);
  CloseWithReset(target);
  std::array<pollfd, 3> polled = {{{client.get(), POLLIN, 0},
                                   {target.get(), POLLIN, 0},
                                   {stop_.get(), POLLIN, 0}}};
  for (;;) {
    poll(polled.data(), polled.size(), -1);
    if (polled[2].revents != 0) return;
    if (polled[0].revents != 0 && !Relay(client.get(), target.get())) return;
    if (polled[1].revents != 0 && !Relay(target.get(), client.get())) return;
  }
}

}  // namespace kiln::tests
