// Streams against a real server: ids, errors as answers, bounds, many at once.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "grpcpp/client_context.h"
#include "proto/wire/status_wire.h"
#include "tests/integration/server_harness.h"
#include "tests/support/status_matchers.h"

namespace kiln::tests {
namespace {

using testing::HasSubstr;

// A stream as a client uses it: writes from one thread, reads from another.
class Stream {
 public:
  explicit Stream(v1::BakeService::Stub& stub)
      : stream_(stub.BakeVoxelStream(&context_)) {}

  bool Send(uint64_t id, const v1::BakeVoxelsRequest& request,
            uint32_t timeout_ms = 0) {
    v1::BakeVoxelStreamRequest message;
    message.set_id(id);
    message.set_timeout_ms(timeout_ms);
    *message.mutable_request() = request;
    return stream_->Write(message);
  }
  bool Receive(v1::BakeVoxelStreamResponse& answer) {
    return stream_->Read(&answer);
  }
  // Half-closes and reads all that comes, by id.
  std::map<uint64_t, v1::BakeVoxelStreamResponse> ReceiveAll() {
    stream_->WritesDone();
    std::map<uint64_t, v1::BakeVoxelStreamResponse> answers;
    v1::BakeVoxelStreamResponse answer;
    while (Receive(answer)) {
      EXPECT_TRUE(answers.emplace(answer.id(), answer).second)
          << "two answers for " << answer.id();
    }
    return answers;
  }
  absl::Status Finish() { return wire::FromGrpcStatus(stream_->Finish()); }
  grpc::ClientContext& context() { return context_; }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriterInterface<
      v1::BakeVoxelStreamRequest, v1::BakeVoxelStreamResponse>>
      stream_;
};

absl::Status ErrorOf(const v1::BakeVoxelStreamResponse& answer) {
  return wire::StatusFromProto(answer.error());
}

TEST(ServerStream, EachRequestHasItsAnswer) {
  TestServer server;
  Stream stream(server.stub());
  for (uint64_t id = 0; id < 50; ++id) {
    ASSERT_TRUE(stream.Send(id, RequestOf({NoiseInput(8, id)})));
  }
  const auto answers = stream.ReceiveAll();
  EXPECT_THAT(stream.Finish(), IsOk());
  ASSERT_EQ(answers.size(), 50);
  for (const auto& [id, answer] : answers) EXPECT_TRUE(answer.has_response());
}

TEST(ServerStream, StreamAndUnaryGiveEqualResults) {
  TestServer server;
  const auto request = RequestOf({NoiseInput(16, 7)});
  Stream stream(server.stub());
  ASSERT_TRUE(stream.Send(1, request));
  const auto answers = stream.ReceiveAll();
  grpc::ClientContext context;
  v1::BakeVoxelsResponse unary;
  ASSERT_TRUE(server.stub().BakeVoxels(&context, request, &unary).ok());
  ASSERT_EQ(answers.size(), 1);
  EXPECT_EQ(answers.at(1).response().SerializeAsString(),
            unary.SerializeAsString());
}

TEST(ServerStream, ErrorOfARequestIsItsAnswer) {
  TestServer server;
  Stream stream(server.stub());
  ASSERT_TRUE(stream.Send(1, RequestOf({SolidInput(300)})));
  ASSERT_TRUE(stream.Send(2, RequestOf({SolidInput(8)})));
  ASSERT_TRUE(stream.Send(3, v1::BakeVoxelsRequest()));
  const auto answers = stream.ReceiveAll();
  EXPECT_THAT(stream.Finish(), IsOk());
  ASSERT_EQ(answers.size(), 3);
  EXPECT_THAT(ErrorOf(answers.at(1)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("size")));
  EXPECT_TRUE(answers.at(2).has_response());
  EXPECT_THAT(ErrorOf(answers.at(3)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ServerStream, MessageOverOurLimitIsAnsweredByItsId) {
  server::ServerOptions options = TestOptions();
  options.request.max_message_bytes = 20'000;
  TestServer server(options);
  Stream stream(server.stub());
  ASSERT_TRUE(stream.Send(41, RequestOf({NoiseInput(64, 1)})));
  ASSERT_TRUE(stream.Send(42, RequestOf({NoiseInput(16, 1)})));
  const auto answers = stream.ReceiveAll();
  EXPECT_THAT(stream.Finish(), IsOk());
  ASSERT_EQ(answers.size(), 2);
  EXPECT_THAT(ErrorOf(answers.at(41)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--max_message_bytes")));
  EXPECT_TRUE(answers.at(42).has_response());
}

TEST(ServerStream, TimeoutOfARequestIsItsAnswer) {
  TestServer server;
  Stream stream(server.stub());
  ASSERT_TRUE(stream.Send(1, LongRequest(), /*timeout_ms=*/100));
  ASSERT_TRUE(stream.Send(2, RequestOf({SolidInput(8)})));
  const auto answers = stream.ReceiveAll();
  EXPECT_THAT(stream.Finish(), IsOk());
  EXPECT_THAT(ErrorOf(answers.at(1)),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_TRUE(answers.at(2).has_response());
}

TEST(ServerStream, MoreThanTheBoundInFlightIsAllAnswered) {
  server::ServerOptions options = TestOptions();
  options.max_stream_in_flight = 2;
  TestServer server(options);
  Stream stream(server.stub());
  for (uint64_t id = 0; id < 20; ++id) {
    ASSERT_TRUE(stream.Send(id, RequestOf({NoiseInput(16, id)})));
  }
  EXPECT_EQ(stream.ReceiveAll().size(), 20);
}

TEST(ServerStream, ServerStopsReadingAtTheBound) {
  server::ServerOptions options = TestOptions();
  options.max_stream_in_flight = 2;
  TestServer server(options);
  Stream stream(server.stub());
  for (uint64_t id = 0; id < 6; ++id) {
    ASSERT_TRUE(stream.Send(id, LongRequest()));
  }
  ASSERT_TRUE(
      WaitUntil([&] { return server->admission().requests_inside() == 2; },
                std::chrono::milliseconds(5000)));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(server->admission().requests_inside(), 2);
  stream.context().TryCancel();
}

TEST(ServerStream, MetadataComeBeforeTheFirstAnswer) {
  TestServer server;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::seconds(10));
  const auto stream = server.stub().BakeVoxelStream(&context);
  stream->WaitForInitialMetadata();  // or the deadline
  EXPECT_TRUE(stream->WritesDone());
  EXPECT_TRUE(stream->Finish().ok());
}

TEST(ServerStream, ParallelStreamsAreAllAnswered) {
  server::ServerOptions options = TestOptions();
  options.io_threads = 2;
  TestServer server(options);
  std::vector<std::thread> clients;
  for (uint64_t client = 0; client < 8; ++client) {
    clients.emplace_back([&server, client] {
      const auto stub = v1::BakeService::NewStub(NewChannel(server.address()));
      Stream stream(*stub);
      for (uint64_t id = 0; id < 40; ++id) {
        EXPECT_TRUE(stream.Send(id, RequestOf({NoiseInput(8, client)})));
      }
      EXPECT_EQ(stream.ReceiveAll().size(), 40);
      EXPECT_THAT(stream.Finish(), IsOk());
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(server->admission().requests_inside(), 0);
}

}  // namespace
}  // namespace kiln::tests
