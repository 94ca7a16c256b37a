// Stopping a server: what was accepted is answered, what is merely open does
// not hold it, and everybody is told.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/client_context.h"
#include "proto/wire/status_wire.h"
#include "tests/integration/server_harness.h"
#include "tests/support/status_matchers.h"

namespace kiln::tests {
namespace {

namespace health = grpc::health::v1;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

health::HealthCheckResponse::ServingStatus Check(const std::string& address,
                                                 const std::string& name) {
  const auto stub = health::Health::NewStub(NewChannel(address));
  grpc::ClientContext context;
  health::HealthCheckRequest request;
  request.set_service(name);
  health::HealthCheckResponse response;
  const grpc::Status status = stub->Check(&context, request, &response);
  return status.ok() ? response.status()
                     : health::HealthCheckResponse::SERVICE_UNKNOWN;
}

TEST(ServerHealth, ReadinessAndLivenessAreServing) {
  TestServer server;
  for (const char* name : {"", "kiln.v1.BakeService", "liveness"}) {
    EXPECT_EQ(Check(server.address(), name),
              health::HealthCheckResponse::SERVING)
        << name;
  }
  EXPECT_EQ(Check(server.address(), "no.such.Service"),
            health::HealthCheckResponse::SERVICE_UNKNOWN);
}

TEST(ServerHealth, StuckQueueIsNotReadyButAlive) {
  server::ServerOptions options = TestOptions();
  options.stall = std::chrono::seconds(1);
  TestServer server(options);
  grpc::ClientContext context;
  const auto stream = server.stub().BakeVoxelStream(&context);
  v1::BakeVoxelStreamRequest message;
  *message.mutable_request() = LongRequest();
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(stream->Write(message));
  EXPECT_TRUE(WaitUntil(
      [&] {
        return Check(server.address(), "") ==
               health::HealthCheckResponse::NOT_SERVING;
      },
      milliseconds(10'000)));
  EXPECT_EQ(Check(server.address(), "liveness"),
            health::HealthCheckResponse::SERVING);
  context.TryCancel();
  EXPECT_TRUE(WaitUntil(
      [&] {
        return Check(server.address(), "") ==
               health::HealthCheckResponse::SERVING;
      },
      milliseconds(10'000)));
}

TEST(ServerDrain, OpenWatchAndIdleStreamDoNotHoldIt) {
  TestServer server;
  const auto health_stub =
      health::Health::NewStub(NewChannel(server.address()));
  grpc::ClientContext watch_context;
  const auto watch =
      health_stub->Watch(&watch_context, health::HealthCheckRequest());
  health::HealthCheckResponse status;
  ASSERT_TRUE(watch->Read(&status));
  EXPECT_EQ(status.status(), health::HealthCheckResponse::SERVING);
  grpc::ClientContext stream_context;
  const auto stream = server.stub().BakeVoxelStream(&stream_context);
  v1::BakeVoxelStreamRequest message;
  *message.mutable_request() = RequestOf({SolidInput(4)});
  v1::BakeVoxelStreamResponse answer;
  ASSERT_TRUE(stream->Write(message) && stream->Read(&answer));

  const auto begin = steady_clock::now();
  EXPECT_TRUE(server->Stop(milliseconds(3000)));
  EXPECT_LT(steady_clock::now() - begin, milliseconds(1500));
  ASSERT_TRUE(watch->Read(&status));
  EXPECT_EQ(status.status(), health::HealthCheckResponse::NOT_SERVING);
  EXPECT_FALSE(stream->Read(&answer));
  EXPECT_THAT(
      wire::FromGrpcStatus(stream->Finish()),
      StatusIs(absl::StatusCode::kUnavailable, testing::HasSubstr("draining")));
}

TEST(ServerDrain, AcceptedWorkIsAnswered) {
  TestServer server;
  const auto request =
      RequestOf({NoiseInput(128, 1), NoiseInput(128, 2)}, v1::METHOD_TREE);
  absl::Status status = absl::UnknownError("not answered");
  std::thread caller([&] {
    grpc::ClientContext context;
    v1::BakeVoxelsResponse response;
    status = wire::FromGrpcStatus(
        server.stub().BakeVoxels(&context, request, &response));
  });
  ASSERT_TRUE(
      WaitUntil([&] { return server->admission().requests_inside() == 1; },
                milliseconds(10'000)));
  EXPECT_TRUE(server->Stop(milliseconds(60'000)));
  caller.join();
  EXPECT_THAT(status, IsOk());
}

TEST(ServerDrain, WorkBeyondTheBudgetIsCancelled) {
  TestServer server;
  absl::Status status;
  std::thread caller([&] {
    grpc::ClientContext context;
    v1::BakeVoxelsResponse response;
    status = wire::FromGrpcStatus(
        server.stub().BakeVoxels(&context, LongRequest(), &response));
  });
  ASSERT_TRUE(
      WaitUntil([&] { return server->admission().requests_inside() == 1; },
                milliseconds(10'000)));
  const auto begin = steady_clock::now();
  EXPECT_FALSE(server->Stop(milliseconds(500)));
  // Ten times what stopping the work may take.
  EXPECT_LT(steady_clock::now() - begin, milliseconds(500 + 50));
  caller.join();
  EXPECT_FALSE(status.ok());
}

TEST(ServerDrain, NewConnectionsAreRefused) {
  TestServer server;
  const std::string address = server.address();
  server->Stop(milliseconds(1000));
  const auto stub = v1::BakeService::NewStub(NewChannel(address));
  grpc::ClientContext context;
  v1::BakeVoxelsResponse response;
  EXPECT_EQ(stub->BakeVoxels(&context, RequestOf({SolidInput(4)}), &response)
                .error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace kiln::tests
