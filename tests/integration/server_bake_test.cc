// Unary calls against a real server: results, limits, busy, quiet.

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "core/base/errors.h"
#include "grpcpp/client_context.h"
#include "grpcpp/generic/generic_stub.h"
#include "proto/wire/status_wire.h"
#include "tests/integration/server_harness.h"
#include "tests/support/status_matchers.h"

namespace kiln::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::ElementsAre;
using testing::HasSubstr;

// One unary call; the trailers of the last one are kept in `context`.
absl::Status Bake(v1::BakeService::Stub& stub,
                  const v1::BakeVoxelsRequest& request,
                  v1::BakeVoxelsResponse& response,
                  grpc::ClientContext& context) {
  return wire::FromGrpcStatus(stub.BakeVoxels(&context, request, &response));
}
absl::Status Bake(v1::BakeService::Stub& stub,
                  const v1::BakeVoxelsRequest& request,
                  v1::BakeVoxelsResponse& response) {
  grpc::ClientContext context;
  return Bake(stub, request, response, context);
}

TEST(ServerBake, BlockComesBackAsBoxes) {
  TestServer server;
  v1::BakeVoxelsResponse response;
  ASSERT_THAT(Bake(server.stub(), RequestOf({SolidInput(16)}), response),
              IsOk());
  ASSERT_EQ(response.results_size(), 1);
  EXPECT_THAT(response.results(0).bounds(), ElementsAre(0, 0, 0, 16, 16, 16));
  EXPECT_EQ(response.results(0).exposed_faces(), "\x3f");
}

TEST(ServerBake, ThousandSmallBlocksKeepTheirOrder) {
  TestServer server;
  std::vector<v1::BlockInput> blocks;
  for (int i = 0; i < 1000; ++i) {
    blocks.push_back(NoiseInput(4, static_cast<uint64_t>(i)));
    blocks.back().mutable_chunk()->set_y(i);
  }
  v1::BakeVoxelsResponse response;
  ASSERT_THAT(Bake(server.stub(), RequestOf(blocks), response), IsOk());
  ASSERT_EQ(response.results_size(), 1000);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(response.results(i).chunk().y(), i);
    EXPECT_GT(response.results(i).bounds_size(), 0);
  }
}

TEST(ServerBake, HashesAreEqualForAnyThreadCount) {
  std::vector<v1::BlockInput> blocks;
  for (uint64_t i = 0; i < 12; ++i) blocks.push_back(NoiseInput(16, i));
  std::vector<std::string> hashes;
  for (const int threads : {1, 2, 8}) {
    server::ServerOptions options = TestOptions();
    options.threads = threads;
    TestServer server(options);
    v1::BakeVoxelsResponse response;
    ASSERT_THAT(
        Bake(server.stub(), RequestOf(blocks, v1::METHOD_SEARCH, /*effort=*/1),
             response),
        IsOk());
    hashes.push_back(HashesOf(response));
  }
  EXPECT_EQ(hashes[0].size(), 12 * 16);
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(ServerBake, BadBlockIsNamed) {
  TestServer server;
  auto request = RequestOf({SolidInput(4), SolidInput(4)});
  request.mutable_blocks(1)->mutable_block()->mutable_size()->set_x(257);
  v1::BakeVoxelsResponse response;
  EXPECT_THAT(Bake(server.stub(), request, response),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("blocks[1].block.size.x: 257")));
}

TEST(ServerBake, MessageOverOurLimitNamesTheFlag) {
  server::ServerOptions options = TestOptions();
  options.request.max_message_bytes = 20'000;
  TestServer server(options);
  v1::BakeVoxelsResponse response;
  // 32768 bytes: between our limit and gRPC's, which is twice as much.
  EXPECT_THAT(Bake(server.stub(), RequestOf({NoiseInput(64, 1)}), response),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--max_message_bytes")));
}

TEST(ServerBake, BytesThatAreNoMessageAreRefused) {
  TestServer server;
  grpc::GenericStub stub(NewChannel(server.address()));
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  const grpc::Slice slice("\xff\xff\xff");
  const grpc::ByteBuffer request(&slice, 1);
  const auto call = stub.PrepareUnaryCall(
      &context, "/kiln.v1.BakeService/BakeVoxels", request, &queue);
  grpc::ByteBuffer response;
  grpc::Status status;
  void* tag = nullptr;
  bool ok = false;
  call->StartCall();
  call->Finish(&response, &status, nullptr);
  ASSERT_TRUE(queue.Next(&tag, &ok));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("kiln.v1.BakeVoxelsRequest"));
}

TEST(ServerBake, BusyCarriesRetryInfoAndPushback) {
  server::ServerOptions options = TestOptions();
  options.admission.queue_cost = 1000;
  TestServer server(options);
  grpc::ClientContext long_context;
  std::thread hog([&] {
    v1::BakeVoxelsResponse response;
    EXPECT_THAT(Bake(server.stub(), LongRequest(), response, long_context),
                StatusIs(absl::StatusCode::kCancelled));
  });
  ASSERT_TRUE(
      WaitUntil([&] { return server->admission().requests_inside() == 1; },
                milliseconds(5000)));
  grpc::ClientContext context;
  v1::BakeVoxelsResponse response;
  const absl::Status busy =
      Bake(server.stub(), RequestOf({SolidInput(16)}), response, context);
  EXPECT_THAT(busy, StatusIs(absl::StatusCode::kResourceExhausted));
  const auto hint = core::RetryAfter(busy);
  ASSERT_TRUE(hint.has_value());
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto pushback = trailers.find(wire::kRetryPushbackTrailer);
  ASSERT_NE(pushback, trailers.end());
  EXPECT_EQ(std::string(pushback->second.data(), pushback->second.size()),
            std::to_string(hint->count()));
  long_context.TryCancel();
  hog.join();
}

TEST(ServerBake, DeadlineThatCannotBeMetIsRefusedAtTheDoor) {
  TestServer server;
  grpc::ClientContext long_context;
  std::thread hog([&] {
    v1::BakeVoxelsResponse response;
    Bake(server.stub(), LongRequest(), response, long_context).IgnoreError();
  });
  ASSERT_TRUE(
      WaitUntil([&] { return server->admission().requests_inside() == 1; },
                milliseconds(5000)));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + milliseconds(5000));
  v1::BakeVoxelsResponse response;
  EXPECT_THAT(
      Bake(server.stub(), RequestOf({SolidInput(16)}), response, context),
      StatusIs(absl::StatusCode::kDeadlineExceeded,
               HasSubstr("cannot be met")));
  long_context.TryCancel();
  hog.join();
}

TEST(ServerBake, FirstRequestAfterQuietIsNotSlow) {
  TestServer server;
  const auto request = RequestOf({SolidInput(16)});
  v1::BakeVoxelsResponse response;
  for (int round = 0; round < 3; ++round) {
    ASSERT_THAT(Bake(server.stub(), request, response), IsOk());
    std::this_thread::sleep_for(milliseconds(2050));
    const auto begin = steady_clock::now();
    ASSERT_THAT(Bake(server.stub(), request, response), IsOk());
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
        steady_clock::now() - begin);
    RecordProperty("microseconds_" + std::to_string(round),
                   static_cast<int>(took.count()));
    // Ten times the goal.
    EXPECT_LT(took, milliseconds(50));
  }
}

}  // namespace
}  // namespace kiln::tests
