// "inproc:": the core behind the client's interface, in real threads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "client/bake_client.h"
#include "client/bake_stream.h"
#include "core/base/mutex.h"
#include "tests/client/test_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using ::kiln::tests::ByteBlock;
using ::kiln::tests::IsOk;
using ::kiln::tests::SameResult;
using ::kiln::tests::StatusIs;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

BakeClient Inproc(int threads = 2) {
  ClientOptions options;
  options.inproc_threads = threads;
  return *BakeClient::Connect("inproc:", options);
}

// Seconds of work: a search over noise.
const ByteBlock& SlowBlock() {
  static const ByteBlock block(
      tests::NoiseBlock({64, 64, 64}, 0.5, /*class_count=*/1, /*seed=*/3));
  return block;
}
BakeRequest SlowRequest() {
  BakeRequest request = SlowBlock().request(core::Method::kSearch);
  request.recipe.effort = 3;
  return request;
}

TEST(Inproc, EqualsTheCoreForEveryMethod) {
  const BakeClient client = Inproc();
  const ByteBlock block(12);
  for (const core::Method method : core::kAllMethods) {
    BakeRequest request = block.request(method);
    request.lower_bound = true;
    request.tree = method == core::Method::kTree;
    core::BakeOptions options;
    options.lower_bound = true;
    options.tree = request.tree;
    KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply, client.Bake(request));
    KILN_ASSERT_OK_AND_ASSIGN(
        const core::BakeResult expected,
        core::Bake(block.input(), request.recipe, options));
    EXPECT_TRUE(SameResult(reply.results.at(0), expected));
  }
}

TEST(Inproc, ResultsAreInTheOrderOfTheBlocks) {
  const BakeClient client = Inproc(3);
  std::vector<ByteBlock> blocks;
  BakeRequest request;
  for (int edge = 1; edge <= 20; ++edge) blocks.emplace_back(edge);
  for (const ByteBlock& block : blocks) {
    request.blocks.push_back(block.input());
  }
  KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply, client.Bake(request));
  ASSERT_EQ(reply.results.size(), blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult expected,
                              core::Bake(blocks[i].input(), {}));
    EXPECT_TRUE(SameResult(reply.results[i], expected)) << i;
  }
}

TEST(Inproc, FirstBadBlockIsNamed) {
  const BakeClient client = Inproc();
  const ByteBlock block(4);
  BakeRequest request = block.request();
  request.blocks.push_back(block.input());
  request.blocks.push_back(block.input());
  request.blocks[1].block.size.x = 300;
  request.blocks[2].block.size.x = 300;
  EXPECT_THAT(client.Bake(request),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("blocks[1].block.size.x: 300")));
}

TEST(Inproc, HeadOfARequestIsChecked) {
  const BakeClient client = Inproc();
  const ByteBlock block(4);
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_THAT(client.Bake({}), StatusIs(kInvalid, HasSubstr("blocks: ")));
  BakeRequest request = block.request();
  request.priority = 8;
  EXPECT_THAT(client.Bake(request),
              StatusIs(kInvalid, HasSubstr("priority: 8")));
  request = block.request();
  request.recipe.effort = 1;
  EXPECT_THAT(client.Bake(request),
              StatusIs(kInvalid, HasSubstr("recipe.effort: 1")));
  request = block.request();
  request.tree = true;
  EXPECT_THAT(client.Bake(request), StatusIs(kInvalid, HasSubstr("want_tree")));
}

TEST(Inproc, AsynchronousCallNeedsItsSpansNoLonger) {
  const BakeClient client = Inproc();
  auto block = std::make_unique<ByteBlock>(16);
  KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult expected,
                            core::Bake(block->input(), {}));
  std::promise<absl::StatusOr<BakeReply>> promise;
  client.BakeAsync(block->request(), {}, [&](absl::StatusOr<BakeReply> reply) {
    promise.set_value(std::move(reply));
  });
  block.reset();
  KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply, promise.get_future().get());
  EXPECT_TRUE(SameResult(reply.results.at(0), expected));
}

TEST(Inproc, DeadlineStopsTheBake) {
  const BakeClient client = Inproc();
  CallOptions options;
  options.timeout = milliseconds(20);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(client.Bake(SlowRequest(), options),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(2));
}

// One worker, taken by the other call, which has ten seconds.
TEST(Inproc, DeadlineReachesACallThatWaitsForAWorker) {
  const BakeClient client = Inproc(1);
  const CallHandle other = client.BakeAsync(
      SlowRequest(), {}, [](const absl::StatusOr<BakeReply>&) {});
  CallOptions options;
  options.timeout = milliseconds(20);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(client.Bake(SlowRequest(), options),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(2));
  other.Cancel();
}

TEST(Inproc, CancelStopsTheBake) {
  const BakeClient client = Inproc();
  std::promise<absl::Status> promise;
  const CallHandle handle = client.BakeAsync(
      SlowRequest(), {}, [&](const absl::StatusOr<BakeReply>& reply) {
        promise.set_value(reply.status());
      });
  handle.Cancel();
  EXPECT_THAT(promise.get_future().get(),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST(Inproc, BlockingCallInACallbackIsRefused) {
  const BakeClient client = Inproc();
  const ByteBlock block(4);
  std::promise<absl::Status> promise;
  client.BakeAsync(block.request(), {}, [&](const absl::StatusOr<BakeReply>&) {
    promise.set_value(client.Bake(block.request()).status());
  });
  EXPECT_THAT(promise.get_future().get(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(Inproc, DestructionWaitsForTheCallbacks) {
  int cancelled = 0;  // of the I/O thread, until the client is gone
  {
    const BakeClient client = Inproc();
    for (int i = 0; i < 5; ++i) {
      client.BakeAsync(SlowRequest(), {},
                       [&](const absl::StatusOr<BakeReply>& reply) {
                         cancelled += absl::IsCancelled(reply.status());
                       });
    }
  }
  EXPECT_EQ(cancelled, 5);
}

TEST(Inproc, LastCopyMayBeDroppedByACallback) {
  const ByteBlock block(4);
  std::promise<void> promise;
  auto client = std::make_shared<BakeClient>(Inproc());
  BakeClient* const raw = client.get();
  raw->BakeAsync(block.request(), {},
                 [&promise, client = std::move(client)](
                     const absl::StatusOr<BakeReply>&) mutable {
                   client.reset();
                   promise.set_value();
                 });
  promise.get_future().get();
}

TEST(Inproc, ManyThreadsShareAClient) {
  const BakeClient client = Inproc();
  const ByteBlock block(8);
  KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult expected,
                            core::Bake(block.input(), {}));
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const auto reply = client.Bake(block.request());
        good += reply.ok() && SameResult(reply->results.at(0), expected);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 200);
}

TEST(Inproc, StreamAnswersEverything) {
  const BakeClient client = Inproc();
  std::vector<ByteBlock> blocks;
  for (int edge = 1; edge <= 40; ++edge) blocks.emplace_back(edge % 16 + 1);
  core::Mutex mutex;
  std::vector<int> answers(blocks.size());
  StreamOptions options;
  options.max_in_flight = 5;
  BakeStream stream(client, options,
                    [&](uint64_t id, const absl::StatusOr<BakeReply>& reply) {
                      core::MutexLock lock(mutex);
                      answers[id] += reply.ok();
                    });
  for (size_t i = 0; i < blocks.size(); ++i) {
    KILN_ASSERT_OK(stream.Submit(i, blocks[i].request()));
    EXPECT_LE(stream.in_flight(), 5);
  }
  EXPECT_THAT(stream.Finish(), IsOk());
  EXPECT_EQ(answers, std::vector<int>(blocks.size(), 1));
}

}  // namespace
}  // namespace kiln::client
