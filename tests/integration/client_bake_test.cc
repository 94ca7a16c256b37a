// Calls of the client library against a real server.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client/bake_client.h"
#include "tests/client/test_blocks.h"
#include "tests/integration/server_harness.h"
#include "tests/support/block_encoders.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using ::kiln::tests::ByteBlock;
using ::kiln::tests::IsOk;
using ::kiln::tests::SameResult;
using ::kiln::tests::StatusIs;
using ::kiln::tests::TestOptions;
using ::kiln::tests::TestServer;
using ::kiln::tests::WaitUntil;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

BakeClient Connect(const std::string& address,
                   const ClientOptions& options = {}) {
  return *BakeClient::Connect(address, options);
}

// Two blocks, a worker each, for many seconds.
const ByteBlock& SlowBlock() {
  static const ByteBlock block(
      tests::NoiseBlock({80, 80, 80}, 0.5, /*class_count=*/1, /*seed=*/3));
  return block;
}
BakeRequest SlowRequest() {
  BakeRequest request = SlowBlock().request(core::Method::kSearch);
  request.recipe.effort = 3;
  request.blocks.push_back(SlowBlock().input());
  return request;
}

// The same request over the network and inside the process: equal results, or
// equal errors.
class BothWays {
 public:
  BothWays()
      : remote_(Connect(server_.address())), inproc_(Connect("inproc:")) {}

  void Expect(const BakeRequest& request, const std::string& what) {
    const auto remote = remote_.Bake(request);
    const auto inproc = inproc_.Bake(request);
    ASSERT_EQ(remote.status(), inproc.status()) << what;
    if (!remote.ok()) return;
    ASSERT_EQ(remote->results.size(), inproc->results.size()) << what;
    for (size_t i = 0; i < remote->results.size(); ++i) {
      EXPECT_TRUE(SameResult(remote->results[i], inproc->results[i]))
          << what << ", block " << i;
    }
  }

  void ExpectError(const BakeRequest& request, const std::string& message) {
    EXPECT_THAT(remote_.Bake(request), StatusIs(kInvalid, HasSubstr(message)));
    EXPECT_THAT(inproc_.Bake(request), StatusIs(kInvalid, HasSubstr(message)));
    Expect(request, message);
  }

 private:
  TestServer server_;
  BakeClient remote_;
  BakeClient inproc_;
};

TEST(ClientBake, RemoteEqualsInprocForEveryEncodingAndOrder) {
  BothWays both;
  const tests::PlainVoxels voxels =
      tests::RandomVoxels({7, 9, 5}, /*max_entry=*/3, /*seed=*/1);
  for (const tests::EncodingChoice& choice : tests::EncodingsFor(3)) {
    for (const core::AxisOrder order : tests::kAllAxisOrders) {
      const auto owned = tests::Encode(voxels, choice, order);
      BakeRequest request;
      request.blocks.emplace_back().block = owned->block;
      both.Expect(request, choice.name);
    }
  }
}

TEST(ClientBake, RemoteEqualsInprocForEveryMethodAndRule) {
  BothWays both;
  const ByteBlock block(
      tests::NoiseBlock({11, 6, 9}, 0.6, /*class_count=*/3, /*seed=*/5));
  for (const core::Method method : core::kAllMethods) {
    for (const auto rule :
         {core::ExposureRule::kNone, core::ExposureRule::kAnySolid,
          core::ExposureRule::kPerClass}) {
      BakeRequest request = block.request(method);
      request.recipe.effort = method == core::Method::kSearch ? 1 : 0;
      request.recipe.exposure = rule;
      request.lower_bound = true;
      request.tree = method == core::Method::kTree;
      request.blocks[0].neighbours[0] = core::UniformNeighbour::kSolid;
      request.blocks[0].neighbours[3] =
          core::BlockNeighbour{request.blocks[0].block};
      both.Expect(request, std::string(core::MethodName(method)));
    }
  }
}

TEST(ClientBake, RemoteEqualsInprocForBlocksOfEveryKind) {
  BothWays both;
  BakeRequest request;
  std::vector<ByteBlock> blocks;
  for (int edge = 1; edge <= 33; edge += 8) blocks.emplace_back(edge);
  for (const ByteBlock& block : blocks) {
    request.blocks.push_back(block.input());
  }
  core::BakeInput& air = request.blocks.emplace_back();
  air.block.size = {256, 256, 256};
  core::BakeInput& solid = request.blocks.emplace_back();
  solid.block.size = {256, 1, 256};
  solid.block.payload = core::UniformPayload{9};
  both.Expect(request, "mixed");
}

TEST(ClientBake, ErrorsAreTheSameBothWays) {
  BothWays both;
  const ByteBlock block(4);
  both.ExpectError({}, "blocks: length 0");

  BakeRequest request = block.request();
  request.priority = 8;
  both.ExpectError(request, "priority: 8");

  request = block.request();
  request.recipe.effort = 1;
  both.ExpectError(request, "recipe.effort: 1");

  request = block.request();
  request.tree = true;
  both.ExpectError(request, "want_tree: true");

  request = block.request();
  request.blocks.push_back(block.input());
  request.blocks[1].block.size.y = 257;
  both.ExpectError(request, "blocks[1].block.size.y: 257");

  request = block.request();
  request.blocks[0].neighbours[1] =
      core::PlaneNeighbour{request.blocks[0].block};
  both.ExpectError(request, "blocks[0].neighbours.plus_x.plane.size.x: 4");

  request = block.request();
  const uint32_t palette[] = {0};
  request.blocks[0].block.palette = palette;
  both.ExpectError(request, "blocks[0].block.");
}

TEST(ClientBake, CompressionChangesBytesNotResults) {
  TestServer server;
  const BakeClient client = Connect(server.address());
  const ByteBlock block(32);
  KILN_ASSERT_OK_AND_ASSIGN(const BakeReply plain,
                            client.Bake(block.request()));
  for (const Compression compression :
       {Compression::kZlib, Compression::kZstd, Compression::kLz4}) {
    BakeRequest request = block.request();
    request.compression = compression;
    KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply, client.Bake(request));
    EXPECT_TRUE(SameResult(reply.results.at(0), plain.results.at(0)));
    EXPECT_LT(reply.stats.bytes_sent, plain.stats.bytes_sent / 4);
    EXPECT_EQ(reply.stats.bytes_received, plain.stats.bytes_received);
  }
}

TEST(ClientBake, ManyAsynchronousCallsAllEnd) {
  TestServer server;
  const BakeClient client = Connect(server.address());
  const ByteBlock block(16);
  KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult expected,
                            core::Bake(block.input(), {}));
  constexpr int kCalls = 500;
  std::atomic<int> good{0};
  std::atomic<int> ended{0};
  for (int i = 0; i < kCalls; ++i) {
    client.BakeAsync(
        block.request(), {}, [&](const absl::StatusOr<BakeReply>& reply) {
          good += reply.ok() && SameResult(reply->results.at(0), expected);
          ++ended;
        });
  }
  EXPECT_TRUE(WaitUntil([&] { return ended == kCalls; }, seconds(20)));
  EXPECT_EQ(good, kCalls);
}

TEST(ClientBake, CancelReachesTheServer) {
  TestServer server;
  const BakeClient client = Connect(server.address());
  std::promise<absl::Status> promise;
  const CallHandle handle = client.BakeAsync(
      SlowRequest(), {}, [&](const absl::StatusOr<BakeReply>& reply) {
        promise.set_value(reply.status());
      });
  const auto inside = [&] { return server->admission().requests_inside(); };
  ASSERT_TRUE(WaitUntil([&] { return inside() == 1; }, seconds(5)));
  handle.Cancel();
  EXPECT_THAT(promise.get_future().get(),
              StatusIs(absl::StatusCode::kCancelled));
  EXPECT_TRUE(WaitUntil([&] { return inside() == 0; }, milliseconds(500)));
}

TEST(ClientBake, DeadlineEndsTheCallAndTheWork) {
  TestServer server;
  const BakeClient client = Connect(server.address());
  CallOptions options;
  options.timeout = milliseconds(200);
  const auto start = steady_clock::now();
  EXPECT_THAT(client.Bake(SlowRequest(), options),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  const auto took = steady_clock::now() - start;
  EXPECT_LT(took, milliseconds(1200));
  EXPECT_TRUE(
      WaitUntil([&] { return server->admission().requests_inside() == 0; },
                milliseconds(500)));
}

TEST(ClientBake, BusyServerIsAskedAgainAsItSays) {
  server::ServerOptions server_options = TestOptions();
  server_options.admission.queue_cost = 1000;  // takes one request at a time
  TestServer server(server_options);
  const BakeClient client = Connect(server.address());
  BakeRequest shorter = SlowRequest();  // or the server's hint is ten seconds
  shorter.recipe.effort = 2;
  const CallHandle slow =
      client.BakeAsync(shorter, {}, [](const absl::StatusOr<BakeReply>&) {});
  ASSERT_TRUE(WaitUntil(
      [&] { return server->admission().requests_inside() == 1; }, seconds(5)));
  const ByteBlock block(8);

  // Deadlines that can be met, or the server would say that instead.
  ClientOptions once;
  once.retry.max_attempts = 1;
  once.timeout = seconds(60);
  EXPECT_THAT(Connect(server.address(), once).Bake(block.request()),
              StatusIs(absl::StatusCode::kResourceExhausted));

  std::promise<absl::StatusOr<BakeReply>> promise;
  CallOptions patient;
  patient.timeout = seconds(60);
  client.BakeAsync(block.request(), patient,
                   [&](absl::StatusOr<BakeReply> reply) {
                     promise.set_value(std::move(reply));
                   });
  std::this_thread::sleep_for(milliseconds(100));
  slow.Cancel();
  KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply, promise.get_future().get());
  EXPECT_GE(reply.stats.attempts, 2);
}

TEST(ClientBake, MessageOverTheServersLimitIsRefusedHelpfully) {
  server::ServerOptions server_options = TestOptions();
  server_options.request.max_message_bytes = 10'000;
  TestServer server(server_options);
  const BakeClient client = Connect(server.address());
  // Between the server's limit and gRPC's, which is twice that: 24^3 bytes.
  EXPECT_THAT(client.Bake(ByteBlock(24).request()),
              StatusIs(kInvalid, AllOf(HasSubstr("allowed: 0..10000"),
                                       HasSubstr("--max_message_bytes"))));
  // Beyond both: 64^3 bytes, refused by gRPC itself.
  EXPECT_THAT(client.Bake(ByteBlock(64).request()),
              StatusIs(kInvalid, AllOf(HasSubstr("bytes of the message: 262"),
                                       HasSubstr("allowed: 0..10000"),
                                       HasSubstr("--max_message_bytes"))));
}

TEST(ClientBake, ResponseOverTheClientsLimitNamesTheOption) {
  TestServer server;
  ClientOptions options;
  options.max_response_bytes = 1000;
  const BakeClient client = Connect(server.address(), options);
  const ByteBlock block(
      tests::NoiseBlock({16, 16, 16}, 0.5, /*class_count=*/1, /*seed=*/1));
  EXPECT_THAT(client.Bake(block.request()),
              StatusIs(kInvalid,
                       AllOf(HasSubstr("allowed: 0..1000"),
                             HasSubstr("ClientOptions::max_response_bytes"))));
}

TEST(ClientBake, ServerThatIsNotThereIsNamedAtTheDeadline) {
  int port = 0;
  {
    TestServer gone;
    port = gone->port();
  }
  const BakeClient client = Connect("127.0.0.1:" + std::to_string(port));
  CallOptions options;
  options.timeout = milliseconds(500);
  EXPECT_THAT(client.Bake(ByteBlock(4).request(), options),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("failed to connect")));
  EXPECT_THAT(client.WaitUntilReady(milliseconds(100)),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST(ClientBake, FirstCallAfterQuietIsNotSlow) {
  TestServer server;
  const BakeClient client = Connect(server.address());
  const ByteBlock block(16);
  for (int round = 0; round < 3; ++round) {
    ASSERT_THAT(client.Bake(block.request()), IsOk());
    std::this_thread::sleep_for(milliseconds(2050));
    KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply,
                              client.Bake(block.request()));
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
        reply.stats.latency);
    RecordProperty("microseconds_" + std::to_string(round),
                   static_cast<int>(took.count()));
    EXPECT_LT(took, milliseconds(50));  // ten times the goal
  }
}

TEST(ClientBake, DestructionCancelsWhatIsUnderWay) {
  TestServer server;
  // Long enough for all three, or the server refuses the last at its door.
  CallOptions patient;
  patient.timeout = std::chrono::hours(1);
  int cancelled = 0;  // of the I/O thread, until the client is gone
  {
    const BakeClient client = Connect(server.address());
    for (int i = 0; i < 3; ++i) {
      client.BakeAsync(SlowRequest(), patient,
                       [&](const absl::StatusOr<BakeReply>& reply) {
                         cancelled += absl::IsCancelled(reply.status());
                       });
    }
  }
  EXPECT_EQ(cancelled, 3);
  EXPECT_TRUE(WaitUntil(
      [&] { return server->admission().requests_inside() == 0; }, seconds(5)));
}

TEST(ClientBake, LastCopyMayBeDroppedByACallback) {
  TestServer server;
  const ByteBlock block(4);
  std::promise<void> promise;
  auto client = std::make_shared<BakeClient>(Connect(server.address()));
  BakeClient* const raw = client.get();
  raw->BakeAsync(block.request(), {},
                 [&promise, client = std::move(client)](
                     const absl::StatusOr<BakeReply>&) mutable {
                   client.reset();
                   promise.set_value();
                 });
  promise.get_future().get();
}

}  // namespace
}  // namespace kiln::client
