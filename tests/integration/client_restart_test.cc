// A server that goes away and comes back, under calls and under a stream.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "client/bake_client.h"
#include "client/bake_stream.h"
#include "tests/client/test_blocks.h"
#include "tests/integration/server_harness.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using ::kiln::tests::ByteBlock;
using ::kiln::tests::IsOk;
using ::kiln::tests::KilndProcess;
using ::kiln::tests::WaitUntil;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

// How long a server is away: long enough for the client's pause between
// attempts to connect to reach its upper bound.
constexpr milliseconds kAway{3000};

// The goal is one second from the server's return; ten times that is allowed.
constexpr milliseconds kLimit{10'000};

class ClientRestartTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    server_ = std::make_unique<KilndProcess>();
    ASSERT_FALSE(server_->address().empty());
    address_ = server_->address();
    options_.timeout = seconds(30);
  }

  // Ends the server by the test's signal and starts another on its port.
  void Restart() {
    server_->Signal(GetParam());
    server_->Wait();
    std::this_thread::sleep_for(kAway);
    server_ = std::make_unique<KilndProcess>(
        std::vector<std::string>{"--listen=" + address_});
    ASSERT_EQ(server_->address(), address_);
  }

  std::unique_ptr<KilndProcess> server_;
  std::string address_;
  ClientOptions options_;
  const ByteBlock block_{16};
};

TEST_P(ClientRestartTest, CallsGoOnWithinASecondOfItsReturn) {
  const BakeClient client = *BakeClient::Connect(address_, options_);
  std::atomic<bool> stop{false};
  std::atomic<int> good{0};
  std::atomic<int> bad{0};
  std::thread caller([&] {
    while (!stop) ++(client.Bake(block_.request()).ok() ? good : bad);
  });
  EXPECT_TRUE(WaitUntil([&] { return good > 10; }, seconds(5)));
  Restart();
  const auto back = steady_clock::now();
  const int before = good;
  EXPECT_TRUE(WaitUntil([&] { return good > before; }, kLimit));
  RecordProperty("milliseconds",
                 static_cast<int>(std::chrono::duration_cast<milliseconds>(
                                      steady_clock::now() - back)
                                      .count()));
  stop = true;
  caller.join();
  EXPECT_EQ(bad, 0);
}

TEST_P(ClientRestartTest, StreamLosesAndDoublesNothing) {
  const BakeClient client = *BakeClient::Connect(address_, options_);
  std::atomic<uint64_t> submitted{0};
  std::atomic<uint64_t> good{0};
  std::atomic<uint64_t> bad{0};
  std::atomic<uint64_t> sum{0};
  BakeStream stream(client, {},
                    [&](uint64_t id, const absl::StatusOr<BakeReply>& reply) {
                      ++(reply.ok() ? good : bad);
                      sum += id;
                    });
  std::atomic<bool> stop{false};
  std::thread caller([&] {
    while (!stop && stream.Submit(submitted, block_.request()).ok()) {
      ++submitted;
    }
  });
  EXPECT_TRUE(WaitUntil([&] { return good > 100; }, seconds(5)));
  Restart();
  const uint64_t before = good;
  EXPECT_TRUE(WaitUntil([&] { return good > before + 100; }, kLimit));
  stop = true;
  caller.join();
  EXPECT_THAT(stream.Finish(), IsOk());
  EXPECT_EQ(bad, 0u);
  EXPECT_EQ(good, submitted);
  EXPECT_EQ(sum, submitted * (submitted - 1) / 2);
}

INSTANTIATE_TEST_SUITE_P(Killed, ClientRestartTest, ::testing::Values(SIGKILL));
INSTANTIATE_TEST_SUITE_P(Drained, ClientRestartTest,
                         ::testing::Values(SIGTERM));

}  // namespace
}  // namespace kiln::client
