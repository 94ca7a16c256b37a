// Streams of the client library against real servers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "client/bake_client.h"
#include "client/bake_stream.h"
#include "core/base/mutex.h"
#include "tests/client/test_blocks.h"
#include "tests/integration/server_harness.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using ::kiln::tests::ByteBlock;
using ::kiln::tests::IsOk;
using ::kiln::tests::SameResult;
using ::kiln::tests::StatusIs;
using ::kiln::tests::TestOptions;
using ::kiln::tests::TestServer;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

// Blocks of many sizes, their results by the core, and what a stream says.
class ClientStreamTest : public ::testing::Test {
 protected:
  static constexpr size_t kBlocks = 300;

  ClientStreamTest() : answers_(kBlocks, 0), statuses_(kBlocks) {
    for (size_t i = 0; i < kBlocks; ++i) {
      blocks_.emplace_back(static_cast<int>(i % 24) + 1, /*seed=*/i);
    }
    UseMethod(core::Method::kPartition);
  }

  void UseMethod(core::Method method) {
    expected_.clear();
    for (const ByteBlock& block : blocks_) {
      expected_.push_back(*core::Bake(block.input(), {.method = method}));
    }
  }

  BakeStream::Callback Collect() {
    return [this](uint64_t id, const absl::StatusOr<BakeReply>& reply) {
      core::MutexLock lock(mutex_);
      ++answers_[id];
      statuses_[id] =
          !reply.ok() || SameResult(reply->results.at(0), expected_[id])
              ? reply.status()
              : absl::DataLossError("another result");
      if (reply.ok()) attempts_ += reply->stats.attempts;
    };
  }

  core::Mutex mutex_;
  std::vector<ByteBlock> blocks_;
  std::vector<core::BakeResult> expected_;
  std::vector<int> answers_;
  std::vector<absl::Status> statuses_;
  int attempts_ = 0;
};

TEST_F(ClientStreamTest, EveryRequestIsAnsweredOnceAsByTheCore) {
  TestServer server;
  const BakeClient client = *BakeClient::Connect(server.address());
  BakeStream stream(client, {}, Collect());
  for (size_t i = 0; i < kBlocks; ++i) {
    KILN_ASSERT_OK(stream.Submit(i, blocks_[i].request()));
  }
  EXPECT_THAT(stream.Finish(), IsOk());
  EXPECT_THAT(answers_, Each(1));
  EXPECT_THAT(statuses_, Each(IsOk()));
  EXPECT_EQ(attempts_, static_cast<int>(kBlocks));
}

// More in flight than the server reads: it stops reading, nothing is lost.
TEST_F(ClientStreamTest, ServerThatStopsReadingLosesNothing) {
  server::ServerOptions options = TestOptions();
  options.max_stream_in_flight = 3;
  TestServer server(options);
  const BakeClient client = *BakeClient::Connect(server.address());
  StreamOptions stream_options;
  stream_options.max_in_flight = 200;
  BakeStream stream(client, stream_options, Collect());
  for (size_t i = 0; i < kBlocks; ++i) {
    KILN_ASSERT_OK(stream.Submit(i, blocks_[i].request()));
  }
  EXPECT_THAT(stream.Finish(), IsOk());
  EXPECT_THAT(answers_, Each(1));
  EXPECT_THAT(statuses_, Each(IsOk()));
}

// Takes about one request at a time, so that most answers are "busy". By tree,
// for what is cheaper is done at once and never waits.
TEST_F(ClientStreamTest, BusyAnswersAreSentAgainUntilAllAreDone) {
  UseMethod(core::Method::kTree);
  server::ServerOptions options = TestOptions();
  options.admission.queue_cost = 1000;
  TestServer server(options);
  ClientOptions client_options;
  client_options.timeout = seconds(60);
  const BakeClient client =
      *BakeClient::Connect(server.address(), client_options);
  BakeStream stream(client, {}, Collect());
  for (size_t i = 0; i < kBlocks; ++i) {
    KILN_ASSERT_OK(stream.Submit(i, blocks_[i].request(core::Method::kTree)));
  }
  EXPECT_THAT(stream.Finish(), IsOk());
  EXPECT_THAT(answers_, Each(1));
  EXPECT_THAT(statuses_, Each(IsOk()));
  EXPECT_GT(attempts_, static_cast<int>(kBlocks));
}

TEST_F(ClientStreamTest, BadRequestIsAnErrorOfItsOwn) {
  TestServer server;
  const BakeClient client = *BakeClient::Connect(server.address());
  BakeStream stream(client, {}, Collect());
  BakeRequest bad = blocks_[0].request();
  bad.blocks[0].block.size.x = 300;
  KILN_ASSERT_OK(stream.Submit(0, bad));
  KILN_ASSERT_OK(stream.Submit(1, blocks_[1].request()));
  EXPECT_THAT(stream.Finish(), IsOk());
  EXPECT_THAT(statuses_[0], StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("blocks[0].block.size.x: 300")));
  EXPECT_THAT(statuses_[1], IsOk());
}

// gRPC ends the stream of a message beyond twice the server's limit.
TEST_F(ClientStreamTest, MessageThatEndsTheStreamCostsNobodyElse) {
  server::ServerOptions options = TestOptions();
  options.request.max_message_bytes = 20'000;
  TestServer server(options);
  const BakeClient client = *BakeClient::Connect(server.address());
  const ByteBlock large(64);
  BakeStream stream(client, {}, Collect());
  for (size_t i = 0; i < 20; ++i) {
    KILN_ASSERT_OK(
        stream.Submit(i, i == 10 ? large.request() : blocks_[i].request()));
  }
  EXPECT_THAT(stream.Finish(), IsOk());
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(answers_[i], 1) << i;
    if (i != 10) {
      EXPECT_THAT(statuses_[i], IsOk()) << i;
    }
  }
  EXPECT_THAT(statuses_[10], StatusIs(absl::StatusCode::kInvalidArgument,
                                      AllOf(HasSubstr("allowed: 0..20000"),
                                            HasSubstr("--max_message_bytes"))));
}

TEST_F(ClientStreamTest, DestructionLeavesNothingAtTheServer) {
  TestServer server;
  const BakeClient client = *BakeClient::Connect(server.address());
  const ByteBlock slow(
      tests::NoiseBlock({80, 80, 80}, 0.5, /*class_count=*/1, /*seed=*/3));
  BakeRequest request = slow.request(core::Method::kSearch);
  request.recipe.effort = 3;
  {
    BakeStream stream(client, {}, Collect());
    KILN_ASSERT_OK(stream.Submit(0, request));
    ASSERT_TRUE(tests::WaitUntil(
        [&] { return server->admission().requests_inside() == 1; },
        seconds(5)));
  }
  EXPECT_THAT(statuses_[0], StatusIs(absl::StatusCode::kCancelled));
  EXPECT_TRUE(tests::WaitUntil(
      [&] { return server->admission().requests_inside() == 0; },
      milliseconds(500)));
}

}  // namespace
}  // namespace kiln::client
