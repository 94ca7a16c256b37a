#include "server/net/acceptor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "server/net/file_descriptor.h"
#include "tests/support/status_matchers.h"

namespace kiln::server {
namespace {

using testing::HasSubstr;
using tests::StatusIs;

FileDescriptor NewSocket() {
  return FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

bool Connect(const FileDescriptor& socket, int port) {
  sockaddr_in to = {};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(socket.get(), reinterpret_cast<sockaddr*>(&to), sizeof(to)) ==
         0;
}

// Whether the peer closes the connection; waits until it does or sends.
bool IsClosedByPeer(const FileDescriptor& socket) {
  char byte = 0;
  return recv(socket.get(), &byte, 1, 0) <= 0;
}

// Keeps what an acceptor hands over.
class Connections {
 public:
  void Add(int fd) {
    core::MutexLock lock(mutex_);
    fds_.emplace_back(fd);
    changed_.NotifyAll();
  }
  // The descriptor of connection `index`, once there is one.
  int Wait(size_t index) {
    core::MutexLock lock(mutex_);
    while (fds_.size() <= index) changed_.Wait(mutex_);
    return fds_[index].get();
  }
  void Close(size_t index) {
    core::MutexLock lock(mutex_);
    fds_[index].Close();
  }

 private:
  core::Mutex mutex_;
  core::CondVar changed_;
  std::vector<FileDescriptor> fds_ ABSL_GUARDED_BY(mutex_);
};

class AcceptorTest : public testing::Test {
 protected:
  void Start(int max_connections) {
    KILN_ASSERT_OK_AND_ASSIGN(acceptor_,
                              Acceptor::Listen("127.0.0.1:0", max_connections));
    acceptor_->Start([this](int, int fd) { accepted_.Add(fd); });
  }

  Connections accepted_;
  std::unique_ptr<Acceptor> acceptor_;
};

TEST_F(AcceptorTest, PortZeroReportsTheBoundOne) {
  Start(10);
  EXPECT_GT(acceptor_->port(), 0);
  EXPECT_EQ(acceptor_->address(),
            "127.0.0.1:" + std::to_string(acceptor_->port()));
}

TEST_F(AcceptorTest, HandsOverReadySockets) {
  Start(10);
  const FileDescriptor client = NewSocket();
  ASSERT_TRUE(Connect(client, acceptor_->port()));
  const int fd = accepted_.Wait(0);
  EXPECT_NE(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
  int no_delay = 0;
  socklen_t size = sizeof(no_delay);
  getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, &size);
  EXPECT_NE(no_delay, 0);
}

TEST_F(AcceptorTest, OverTheCapIsClosedUntilOneLeaves) {
  Start(1);
  const FileDescriptor first = NewSocket();
  const FileDescriptor second = NewSocket();
  const FileDescriptor third = NewSocket();
  ASSERT_TRUE(Connect(first, acceptor_->port()));
  accepted_.Wait(0);
  ASSERT_TRUE(Connect(second, acceptor_->port()));
  EXPECT_TRUE(IsClosedByPeer(second));
  accepted_.Close(0);
  ASSERT_TRUE(Connect(third, acceptor_->port()));
  accepted_.Wait(1);
}

TEST_F(AcceptorTest, ReusedDescriptorIsAnotherConnection) {
  Start(1);
  const FileDescriptor first = NewSocket();
  const FileDescriptor second = NewSocket();
  ASSERT_TRUE(Connect(first, acceptor_->port()));
  const int fd = accepted_.Wait(0);
  accepted_.Close(0);
  // The number now names another socket, which is not a connection of ours.
  const FileDescriptor taken = NewSocket();
  ASSERT_EQ(taken.get(), fd);
  ASSERT_TRUE(Connect(second, acceptor_->port()));
  accepted_.Wait(1);
}

TEST_F(AcceptorTest, OutOfDescriptorsClosesAndRecovers) {
  Start(100);
  const FileDescriptor refused = NewSocket();
  const FileDescriptor served = NewSocket();
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlimit low = {static_cast<rlim_t>(served.get() + 20), limit.rlim_max};
  setrlimit(RLIMIT_NOFILE, &low);
  std::vector<FileDescriptor> hogs;
  do {
    hogs.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
  } while (hogs.back().valid());
  ASSERT_EQ(errno, EMFILE);

  ASSERT_TRUE(Connect(refused, acceptor_->port()));
  EXPECT_TRUE(IsClosedByPeer(refused));
  hogs.clear();
  ASSERT_TRUE(Connect(served, acceptor_->port()));
  accepted_.Wait(0);
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST_F(AcceptorTest, StoppedRefusesConnections) {
  Start(10);
  acceptor_->Stop();
  EXPECT_FALSE(Connect(NewSocket(), acceptor_->port()));
  EXPECT_EQ(errno, ECONNREFUSED);
}

TEST(AcceptorListen, AnyAddressOfIpv6TakesIpv4) {
  auto acceptor = Acceptor::Listen("[::]:0", 1);
  if (!acceptor.ok()) GTEST_SKIP() << "no IPv6: " << acceptor.status();
  EXPECT_TRUE(Connect(NewSocket(), (*acceptor)->port()));
}

TEST(AcceptorListen, MalformedAddressIsNamed) {
  for (const char* address :
       {"", "localhost", "1.2.3.4:", "1.2.3.4:http", "1.2.3.4:65536",
        "1.2.3.4:-1", "::1:80", "no.such.host.invalid:80"}) {
    EXPECT_THAT(
        Acceptor::Listen(address, 1),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--listen")))
        << address;
  }
}

TEST(AcceptorListen, TakenPortIsUnavailable) {
  const auto first = Acceptor::Listen("127.0.0.1:0", 1);
  ASSERT_TRUE(first.ok());
  EXPECT_THAT(Acceptor::Listen((*first)->address(), 1),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("Address already in use")));
}

}  // namespace
}  // namespace kiln::server
