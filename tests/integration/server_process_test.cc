// kilnd as a process: flags, signals, exit codes, file descriptors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/client_context.h"
#include "grpcpp/completion_queue.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/byte_buffer.h"
#include "tests/integration/server_harness.h"

namespace kiln::tests {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;

// Whether a block comes back within `limit`.
bool CanBake(const std::string& address,
             milliseconds limit = milliseconds(5000)) {
  const auto stub = v1::BakeService::NewStub(NewChannel(address));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + limit);
  v1::BakeVoxelsResponse response;
  return stub->BakeVoxels(&context, RequestOf({SolidInput(4)}), &response).ok();
}

// A connection that has been made and is kept.
std::shared_ptr<grpc::Channel> Connected(const std::string& address) {
  auto channel = NewChannel(address);
  channel->WaitForConnected(std::chrono::system_clock::now() +
                            milliseconds(1000));
  return channel;
}

TEST(KilndFlags, HelpListsFlagsAndSucceeds) {
  const ChildResult result = RunKilnd({"--help"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("--listen"), HasSubstr("--queue_cost"),
                    HasSubstr("--probe_address"), HasSubstr("KILN_")));
}

TEST(KilndFlags, VersionSucceeds) {
  const ChildResult result = RunKilnd({"--version"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.output, testing::StartsWith("kilnd "));
}

TEST(KilndFlags, UnknownFlagFailsAndIsNamed) {
  const ChildResult result = RunKilnd({"--thraeds=2"});
  EXPECT_GT(result.code, 0);
  EXPECT_THAT(result.output, HasSubstr("thraeds"));
}

TEST(KilndFlags, BadVariableExitsWithTwo) {
  const ChildResult result = RunKilnd({}, {"KILN_IO_THREADS=some"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.output, HasSubstr("KILN_IO_THREADS: some"));
}

TEST(KilndFlags, CommandLineWinsOverVariables) {
  KilndProcess kilnd({"--log_format=json", "--threads=1"},
                     {"KILN_THREADS=2", "KILN_IO_THREADS=3"});
  ASSERT_NE(kilnd.address(), "");
  kilnd.Signal(SIGTERM);
  EXPECT_THAT(kilnd.Wait().output,
              AllOf(HasSubstr("\"threads\":1"), HasSubstr("\"io_threads\":3")));
}

TEST(KilndFlags, TakenPortFailsAndIsNamed) {
  KilndProcess kilnd;
  const ChildResult second = RunKilnd({"--listen=" + kilnd.address()});
  EXPECT_EQ(second.code, 1);
  EXPECT_THAT(second.output, AllOf(HasSubstr(kilnd.address()),
                                   HasSubstr("Address already in use")));
}

TEST(KilndProbe, ServingExitsWithZero) {
  KilndProcess kilnd;
  EXPECT_EQ(RunKilnd({"--probe", "--probe_address=" + kilnd.address()}).code,
            0);
  EXPECT_EQ(RunKilnd({"--probe", "--probe_service=liveness"},
                     {"KILN_LISTEN=" + kilnd.address()})
                .code,
            0);
}

TEST(KilndProbe, NobodyThereExitsWithOneLine) {
  std::string address;
  {
    KilndProcess kilnd;
    address = kilnd.address();
  }
  const ChildResult result =
      RunKilnd({"--probe", "--probe_address=" + address});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.output, HasSubstr(address));
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1);
}

// What a tool without our .proto files gets to see: one message of
// grpc.reflection.v1alpha each way, whose fields are not worth generated code.
TEST(KilndReflection, ServicesAreListed) {
  KilndProcess kilnd;
  grpc::GenericStub stub(NewChannel(kilnd.address()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + milliseconds(10'000));
  grpc::CompletionQueue queue;
  const auto call = stub.PrepareCall(
      &context,
      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  const auto await = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  call->StartCall(nullptr);
  ASSERT_TRUE(await());
  const grpc::Slice list_services("\x3a\x01*");  // field 7, a string
  call->Write(grpc::ByteBuffer(&list_services, 1), nullptr);
  ASSERT_TRUE(await());
  grpc::ByteBuffer answer;
  call->Read(&answer, nullptr);
  ASSERT_TRUE(await());
  grpc::Slice services;
  ASSERT_TRUE(answer.DumpToSingleSlice(&services).ok());
  EXPECT_THAT(std::string(services.begin(), services.end()),
              AllOf(HasSubstr("kiln.v1.BakeService"),
                    HasSubstr("grpc.health.v1.Health")));
  context.TryCancel();
  queue.Shutdown();
  while (await()) {
  }
}

TEST(KilndSignals, TermWithOpenStreamsExitsWithZero) {
  KilndProcess kilnd({"--drain_seconds=5"});
  namespace health = grpc::health::v1;
  const auto health_stub = health::Health::NewStub(NewChannel(kilnd.address()));
  grpc::ClientContext watch_context;
  const auto watch =
      health_stub->Watch(&watch_context, health::HealthCheckRequest());
  health::HealthCheckResponse status;
  ASSERT_TRUE(watch->Read(&status));
  const auto stub = v1::BakeService::NewStub(NewChannel(kilnd.address()));
  grpc::ClientContext stream_context;
  const auto stream = stub->BakeVoxelStream(&stream_context);
  v1::BakeVoxelStreamRequest message;
  *message.mutable_request() = RequestOf({SolidInput(4)});
  v1::BakeVoxelStreamResponse answer;
  ASSERT_TRUE(stream->Write(message) && stream->Read(&answer));

  kilnd.Signal(SIGTERM);
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = kilnd.Wait();
  EXPECT_EQ(result.code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(5000));
  EXPECT_THAT(result.output, AllOf(HasSubstr("draining signal=SIGTERM"),
                                   HasSubstr("stopped all_answered=1")));
}

TEST(KilndSignals, SecondSignalExitsAtOnce) {
  KilndProcess kilnd({"--drain_seconds=600"});
  const auto stub = v1::BakeService::NewStub(NewChannel(kilnd.address()));
  std::thread caller([&] {
    grpc::ClientContext context;
    v1::BakeVoxelsResponse response;
    stub->BakeVoxels(&context, LongRequest(), &response);
  });
  std::this_thread::sleep_for(milliseconds(300));
  kilnd.Signal(SIGINT);
  std::this_thread::sleep_for(milliseconds(300));
  const auto begin = std::chrono::steady_clock::now();
  kilnd.Signal(SIGTERM);
  EXPECT_NE(kilnd.Wait().code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(2000));
  caller.join();
}

TEST(KilndConnections, ServesAgainAfterRunningOutOfDescriptors) {
  KilndProcess kilnd({}, {}, /*max_files=*/48);
  ASSERT_TRUE(CanBake(kilnd.address()));
  {
    std::vector<std::shared_ptr<grpc::Channel>> channels;
    for (int i = 0; i < 80; ++i) {
      channels.push_back(NewChannel(kilnd.address()));
      channels.back()->GetState(/*try_to_connect=*/true);
    }
    std::this_thread::sleep_for(milliseconds(500));
  }
  EXPECT_TRUE(CanBake(kilnd.address()));
  kilnd.Signal(SIGTERM);
  const ChildResult result = kilnd.Wait();
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.output, HasSubstr("out_of_descriptors"));
}

TEST(KilndConnections, CapClosesOnlyWhatIsOverIt) {
  KilndProcess kilnd({"--max_connections=2"});
  auto first = Connected(kilnd.address());
  auto second = Connected(kilnd.address());
  EXPECT_EQ(first->GetState(false), GRPC_CHANNEL_READY);
  EXPECT_EQ(second->GetState(false), GRPC_CHANNEL_READY);
  EXPECT_FALSE(CanBake(kilnd.address(), milliseconds(500)));
  EXPECT_EQ(first->GetState(false), GRPC_CHANNEL_READY);
  second = nullptr;
  EXPECT_TRUE(
      WaitUntil([&] { return CanBake(kilnd.address()); }, milliseconds(5000)));
}

}  // namespace
}  // namespace kiln::tests
