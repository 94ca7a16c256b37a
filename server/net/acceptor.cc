#include "server/net/acceptor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "server/limits.h"

namespace kiln::server {
namespace {

using std::chrono::steady_clock;

constexpr char kAllowedAddress[] =
    "host:port or [ipv6]:port, port 0..65535, 0 for any free one";

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

absl::StatusOr<AddressList> Resolve(const std::string& address) {
  const size_t colon = address.rfind(':');
  int port = 0;
  if (colon == std::string::npos ||
      !absl::SimpleAtoi(address.substr(colon + 1), &port) || port < 0 ||
      port > 65535) {
    return core::FieldError("--listen", address, kAllowedAddress);
  }
  std::string host = address.substr(0, colon);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string::npos) {
    // Which of the colons ends an IPv6 address would be a guess.
    return core::FieldError("--listen", address, kAllowedAddress);
  }
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.empty() ? nullptr : host.c_str(),
                                absl::StrCat(port).c_str(), &hints, &found);
  if (error != 0) {
    return core::FieldError(
        "--listen", absl::StrCat(address, " (", gai_strerror(error), ")"),
        kAllowedAddress);
  }
  return AddressList(found, &freeaddrinfo);
}

absl::StatusOr<FileDescriptor> Bind(const addrinfo& info,
                                    const std::string& address) {
  FileDescriptor fd(
      socket(info.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const std::string what = absl::StrCat("--listen ", address);
  if (!fd.valid()) return core::SystemError(what, errno);
  const int on = 1;
  const int off = 0;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (info.ai_family == AF_INET6) {
    // [::] takes IPv4 as well.
    setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
  }
  if (bind(fd.get(), info.ai_addr, info.ai_addrlen) != 0 ||
      listen(fd.get(), SOMAXCONN) != 0) {
    return core::SystemError(what, errno);
  }
  return fd;
}

// "host:port" of a bound socket, and its port.
std::string LocalAddress(int fd, int& port) {
  sockaddr_storage storage = {};
  socklen_t length = sizeof(storage);
  getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &length);
  std::array<char, INET6_ADDRSTRLEN> text = {};
  if (storage.ss_family == AF_INET6) {
    const auto* in6 = reinterpret_cast<const sockaddr_in6*>(&storage);
    inet_ntop(AF_INET6, &in6->sin6_addr, text.data(), text.size());
    port = ntohs(in6->sin6_port);
    return absl::StrCat("[", text.data(), "]:", port);
  }
  const auto* in4 = reinterpret_cast<const sockaddr_in*>(&storage);
  inet_ntop(AF_INET, &in4->sin_addr, text.data(), text.size());
  port = ntohs(in4->sin_port);
  return absl::StrCat(text.data(), ":", port);
}

FileDescriptor OpenSpare() {
  return FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

bool IsOutOfDescriptors(int error_number) {
  return error_number == EMFILE || error_number == ENFILE ||
         error_number == ENOBUFS || error_number == ENOMEM;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Acceptor>> Acceptor::Listen(
    const std::string& address, int max_connections) {
  KILN_ASSIGN_OR_RETURN(const AddressList list, Resolve(address));
  absl::StatusOr<FileDescriptor> listener = core::InternalError("no address");
  for (const addrinfo* info = list.get(); info != nullptr && !listener.ok();
       info = info->ai_next) {
    listener = Bind(*info, address);
  }
  KILN_RETURN_IF_ERROR(listener.status());
  FileDescriptor wakeup(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wakeup.valid()) return core::SystemError("eventfd", errno);
  int port = 0;
  std::string bound = LocalAddress(listener->get(), port);
  return std::unique_ptr<Acceptor>(
      new Acceptor(*std::move(listener), std::move(wakeup), std::move(bound),
                   port, max_connections));
}

Acceptor::Acceptor(FileDescriptor listener, FileDescriptor wakeup,
                   std::string address, int port, int max_connections)
    : listener_(std::move(listener)),
      wakeup_(std::move(wakeup)),
      spare_(OpenSpare()),
      address_(std::move(address)),
      port_(port),
      connections_(max_connections) {}

Acceptor::~Acceptor() { Stop(); }

void Acceptor::Start(Handler handler) {
  KILN_CHECK(!thread_.joinable());
  handler_ = std::move(handler);
  thread_ = std::thread([this] { Run(); });
}

void Acceptor::Stop() {
  if (thread_.joinable()) {
    const uint64_t one = 1;
    // Cannot fail: the counter of an eventfd takes far more than one.
    if (write(wakeup_.get(), &one, sizeof(one)) < 0) std::abort();
    thread_.join();
  }
  listener_.Close();
}

void Acceptor::Run() {
  std::array<pollfd, 2> polled = {
      {{listener_.get(), POLLIN, 0}, {wakeup_.get(), POLLIN, 0}}};
  for (;;) {
    // Wakes now and then to sum up bursts in the log.
    poll(polled.data(), polled.size(), static_cast<int>(kBurstQuiet.count()));
    if (polled[1].revents != 0) return;
    const auto now = steady_clock::now();
    over_cap_.Tick(now);
    out_of_descriptors_.Tick(now);
    if ((polled[0].revents & POLLIN) == 0 || AcceptAll()) continue;
    // Nothing to give: wait a little instead of spinning on the same readiness.
    poll(&polled[1], 1, static_cast<int>(kAcceptBackoff.count()));
  }
}

bool Acceptor::AcceptAll() {
  for (;;) {
    FileDescriptor connection(accept4(listener_.get(), nullptr, nullptr,
                                      SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (connection.valid()) {
      Take(std::move(connection));
    } else if (IsOutOfDescriptors(errno)) {
      if (!RefuseForWantOfDescriptors(errno)) return false;
    } else if (errno != EINTR && errno != ECONNABORTED) {
      // EAGAIN: none is waiting. The rest are errors of one connection
      // (accept(2) lists them); poll tells when there is another.
      return true;
    }
  }
}

void Acceptor::Take(FileDescriptor connection) {
  if (!connections_.HasRoom()) {
    over_cap_.Note(
        absl::StrCat("--max_connections=", connections_.size(), " are open"),
        steady_clock::now());
    return;  // closed
  }
  const int on = 1;
  setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  connections_.Add(connection.get());
  handler_(listener_.get(), connection.Release());
}

bool Acceptor::RefuseForWantOfDescriptors(int error_number) {
  out_of_descriptors_.Note(std::strerror(error_number), steady_clock::now());
  spare_.Close();
  bool refused = false;
  {
    const FileDescriptor connection(
        accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    refused = connection.valid();
  }
  spare_ = OpenSpare();
  return refused && spare_.valid();
}

}  // namespace kiln::server
