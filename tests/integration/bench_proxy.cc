#include "tests/integration/bench_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <chrono>

#include "core/base/check.h"

namespace kiln::tests {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

void SendAtOnce(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

bool SendAll(int to, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t some = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (some <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(some));
  }
  return true;
}

}  // namespace

BenchProxy::BenchProxy(const std::string& target)
    : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = Loopback(0);
  socklen_t length = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  KILN_CHECK(bind(listener_.get(), generic, length) == 0);
  KILN_CHECK(listen(listener_.get(), 16) == 0);
  getsockname(listener_.get(), generic, &length);
  address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  const int port = std::stoi(target.substr(target.rfind(':') + 1));
  acceptor_ = std::thread([this, port] { Accept(port); });
}

BenchProxy::~BenchProxy() {
  shutdown(listener_.get(), SHUT_RDWR);  // wakes the acceptor
  acceptor_.join();
  std::list<Connection> connections;
  {
    core::MutexLock lock(mutex_);
    for (Connection& connection : connections_) {
      shutdown(connection.client.get(), SHUT_RDWR);
      shutdown(connection.target.get(), SHUT_RDWR);
    }
    connections.swap(connections_);
  }
  for (Connection& connection : connections) {
    connection.up.join();
    connection.down.join();
  }
}

void BenchProxy::Accept(int target_port) {
  for (;;) {
    server::FileDescriptor client(
        accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.valid()) return;
    server::FileDescriptor target(
        socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = Loopback(target_port);
    KILN_CHECK(connect(target.get(),
                       reinterpret_cast<const sockaddr*>(&address),
                       sizeof(address)) == 0);
    SendAtOnce(client.get());
    SendAtOnce(target.get());
    core::MutexLock lock(mutex_);
    Connection& connection = connections_.emplace_back();
    connection.client = std::move(client);
    connection.target = std::move(target);
    const int near = connection.client.get();
    const int far = connection.target.get();
    connection.up = std::thread([this, near, far, &connection] {
      Relay(near, far, connection.requests);
    });
    connection.down = std::thread([this, near, far, &connection] {
      Relay(far, near, connection.responses);
    });
  }
}

void BenchProxy::Relay(int from, int to, MessageReader& reader) {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t bytes = recv(from, buffer.data(), buffer.size(), 0);
    if (bytes <= 0) break;
    const auto now = std::chrono::steady_clock::now();
    const absl::string_view text(buffer.data(), static_cast<size_t>(bytes));
    if (!SendAll(to, text)) break;
    core::MutexLock lock(mutex_);
    reader.Feed(text, now);
  }
  shutdown(to, SHUT_RDWR);
  shutdown(from, SHUT_RDWR);
}

BenchProxy::Log BenchProxy::Busiest() const {
  core::MutexLock lock(mutex_);
  Log log;
  for (const Connection& connection : connections_) {
    if (connection.requests.messages().size() > log.requests.size()) {
      log.requests = connection.requests.messages();
      log.responses = connection.responses.messages();
    }
  }
  return log;
}

}  // namespace kiln::tests
