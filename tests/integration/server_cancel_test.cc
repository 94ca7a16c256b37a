// Cancelled means stopped: a deadline, a cancel or a lost connection frees the
// cores in the middle of a bake. Bounds are ten times the goal of 5 ms.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "grpcpp/client_context.h"
#include "proto/wire/status_wire.h"
#include "tests/integration/server_harness.h"
#include "tests/integration/tcp_proxy.h"
#include "tests/support/status_matchers.h"

namespace kiln::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kBound(50);

class ServerCancelTest : public testing::Test {
 protected:
  // Starts a call that keeps both workers busy.
  void StartLongCall(const std::string& address,
                     const v1::BakeVoxelsRequest& request = LongRequest()) {
    stub_ = v1::BakeService::NewStub(NewChannel(address));
    caller_ = std::thread([this, request] {
      v1::BakeVoxelsResponse response;
      status_ = wire::FromGrpcStatus(
          stub_->BakeVoxels(&context_, request, &response));
    });
    ASSERT_TRUE(WaitForRequests(1, milliseconds(10'000)));
    // Well into the bake.
    std::this_thread::sleep_for(milliseconds(100));
    ASSERT_EQ(server_->admission().requests_inside(), 1);
  }

  bool WaitForRequests(int64_t count, milliseconds limit) {
    return WaitUntil(
        [&] { return server_->admission().requests_inside() == count; }, limit);
  }

  // A ticket is given back when the last block has returned: the cores are
  // free.
  void ExpectFreeSince(steady_clock::time_point begin) {
    EXPECT_TRUE(WaitForRequests(0, milliseconds(5000)));
    const auto took = steady_clock::now() - begin;
    RecordProperty(
        "microseconds",
        static_cast<int>(
            std::chrono::duration_cast<std::chrono::microseconds>(took)
                .count()));
    EXPECT_LT(took, kBound);
  }

  absl::Status Join() {
    caller_.join();
    return status_;
  }

  TestServer server_;
  std::unique_ptr<v1::BakeService::Stub> stub_;
  grpc::ClientContext context_;
  std::thread caller_;
  absl::Status status_;
};

TEST_F(ServerCancelTest, CancelFreesTheCores) {
  StartLongCall(server_.address());
  const auto begin = steady_clock::now();
  context_.TryCancel();
  ExpectFreeSince(begin);
  EXPECT_THAT(Join(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(ServerCancelTest, CancelFreesTheCoresOfEachMethod) {
  for (const auto method : {v1::METHOD_TREE, v1::METHOD_COVER}) {
    SCOPED_TRACE(v1::Method_Name(method));
    const auto request = RequestOf({NoiseInput(256, 1), NoiseInput(256, 2),
                                    NoiseInput(256, 3), NoiseInput(256, 4)},
                                   method);
    grpc::ClientContext context;
    std::thread caller([&] {
      v1::BakeVoxelsResponse response;
      server_.stub().BakeVoxels(&context, request, &response);
    });
    ASSERT_TRUE(WaitForRequests(1, milliseconds(10'000)));
    std::this_thread::sleep_for(milliseconds(200));
    const auto begin = steady_clock::now();
    context.TryCancel();
    ExpectFreeSince(begin);
    caller.join();
  }
}

TEST_F(ServerCancelTest, DeadlineFreesTheCores) {
  const auto deadline = std::chrono::system_clock::now() + milliseconds(600);
  context_.set_deadline(deadline);
  StartLongCall(server_.address());
  std::this_thread::sleep_until(deadline);
  ExpectFreeSince(steady_clock::now());
  EXPECT_THAT(Join(), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_F(ServerCancelTest, LostConnectionFreesTheCores) {
  TcpProxy proxy(server_->port());
  StartLongCall(proxy.address());
  const auto begin = steady_clock::now();
  proxy.Drop();
  ExpectFreeSince(begin);
  EXPECT_THAT(Join(), StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(ServerCancelTest, LostStreamFreesTheCores) {
  TcpProxy proxy(server_->port());
  const auto stub = v1::BakeService::NewStub(NewChannel(proxy.address()));
  const auto stream = stub->BakeVoxelStream(&context_);
  v1::BakeVoxelStreamRequest message;
  *message.mutable_request() = LongRequest();
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(stream->Write(message));
  ASSERT_TRUE(WaitForRequests(2, milliseconds(10'000)));
  std::this_thread::sleep_for(milliseconds(100));
  const auto begin = steady_clock::now();
  proxy.Drop();
  ExpectFreeSince(begin);
  EXPECT_FALSE(stream->Finish().ok());
}

TEST_F(ServerCancelTest, ServerServesOnAfterCancels) {
  for (int i = 0; i < 20; ++i) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + milliseconds(20));
    v1::BakeVoxelsResponse response;
    EXPECT_EQ(server_.stub()
                  .BakeVoxels(&context, LongRequest(), &response)
                  .error_code(),
              grpc::StatusCode::DEADLINE_EXCEEDED);
  }
  grpc::ClientContext context;
  v1::BakeVoxelsResponse response;
  EXPECT_TRUE(server_.stub()
                  .BakeVoxels(&context, RequestOf({SolidInput(8)}), &response)
                  .ok());
}

}  // namespace
}  // namespace kiln::tests
