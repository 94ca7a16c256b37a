// What applications build their own tests on: each promise of the header.

#include "client/testing/mock_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "tests/client/test_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::client::testing {
namespace {

using ::kiln::tests::ByteBlock;
using ::kiln::tests::IsOk;
using ::kiln::tests::SameResult;
using ::kiln::tests::StatusIs;
using std::chrono::milliseconds;
using ::testing::ElementsAre;

class MockConnectionTest : public ::testing::Test {
 protected:
  std::shared_ptr<const PreparedBake> Prepare() {
    return *mock_.Prepare(block_.request());
  }

  // Starts an attempt whose end lands in `ended_`.
  std::shared_ptr<Attempt> Start() {
    return mock_.StartBake(Prepare(), {}, [this](AttemptResult result) {
      ended_.push_back(result.results.status());
      if (result.results.ok()) results_ = *std::move(result.results);
    });
  }

  std::shared_ptr<StreamAttempt> Open() {
    return mock_.OpenStream(
        {},
        {.answer =
             [this](uint64_t id, const AttemptResult& result) {
               answered_.push_back(id);
               ended_.push_back(result.results.status());
             },
         .closed = [this](const absl::Status& status) { closed_ = status; }});
  }

  const ByteBlock block_{4};
  std::vector<absl::Status> ended_;
  std::vector<core::BakeResult> results_;
  std::vector<uint64_t> answered_;
  std::optional<absl::Status> closed_;
  MockConnection mock_;  // last: its end calls what still waits
};

TEST_F(MockConnectionTest, BakesWithTheCore) {
  Start();
  KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult expected,
                            core::Bake(block_.input(), {}));
  ASSERT_EQ(results_.size(), 1u);
  EXPECT_TRUE(SameResult(results_[0], expected));
}

TEST_F(MockConnectionTest, AnswerOfTheTestIsGivenTheRequest) {
  int blocks = 0;
  MockConnection mock([&](const BakeRequest& request) -> AttemptResult {
    blocks = static_cast<int>(request.blocks.size());
    return {core::UnavailableError("out of order")};
  });
  absl::Status ended;
  mock.StartBake(
      *mock.Prepare(block_.request()), {},
      [&](const AttemptResult& result) { ended = result.results.status(); });
  EXPECT_EQ(blocks, 1);
  EXPECT_THAT(ended, StatusIs(absl::StatusCode::kUnavailable, "out of order"));
}

TEST_F(MockConnectionTest, FailuresComeFirstAndInOrder) {
  mock_.FailNext(core::UnavailableError("down"));
  mock_.FailNext(core::DeadlineError());
  for (int i = 0; i < 3; ++i) Start();
  EXPECT_THAT(
      ended_,
      ElementsAre(StatusIs(absl::StatusCode::kUnavailable, "down"),
                  StatusIs(absl::StatusCode::kDeadlineExceeded), IsOk()));
}

TEST_F(MockConnectionTest, AttemptsWaitWithoutAutoAdvance) {
  mock_.set_auto_advance(false);
  Start();
  Start();
  EXPECT_EQ(mock_.attempts_waiting(), 2);
  EXPECT_THAT(ended_, ElementsAre());
  mock_.AnswerNext();
  EXPECT_THAT(ended_, ElementsAre(IsOk()));
  EXPECT_EQ(mock_.attempts_waiting(), 1);
}

TEST_F(MockConnectionTest, CancelledAttemptNoLongerWaits) {
  mock_.set_auto_advance(false);
  Start()->Cancel();
  EXPECT_EQ(mock_.attempts_waiting(), 0);
  EXPECT_THAT(ended_, ElementsAre(StatusIs(absl::StatusCode::kCancelled)));
}

TEST_F(MockConnectionTest, PausesAreLeaptOver) {
  const Clock::time_point start = mock_.Now();
  bool ran = false;
  mock_.RunAfter(milliseconds(300), [&] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_EQ(mock_.Now(), start + milliseconds(300));
}

TEST_F(MockConnectionTest, PausesWaitForAdvanceInOrderOfTime) {
  mock_.set_auto_advance(false);
  std::vector<int> ran;
  mock_.RunAfter(milliseconds(300), [&] { ran.push_back(300); });
  mock_.RunAfter(milliseconds(100), [&] { ran.push_back(100); });
  mock_.Advance(milliseconds(99));
  EXPECT_THAT(ran, ElementsAre());
  mock_.Advance(milliseconds(1));
  EXPECT_THAT(ran, ElementsAre(100));
  mock_.Advance(milliseconds(1000));
  EXPECT_THAT(ran, ElementsAre(100, 300));
}

TEST_F(MockConnectionTest, StreamAnswersById) {
  const auto stream = Open();
  stream->Send(7, Prepare(), {});
  stream->Send(9, Prepare(), {});
  stream->HalfClose();
  EXPECT_THAT(answered_, ElementsAre(7, 9));
  EXPECT_THAT(closed_, ::testing::Optional(IsOk()));
}

TEST_F(MockConnectionTest, BrokenStreamTellsWhyAndAnswersNoMore) {
  mock_.set_auto_advance(false);
  const auto stream = Open();
  stream->Send(7, Prepare(), {});
  mock_.BreakStream(core::UnavailableError("reset"));
  EXPECT_THAT(closed_, ::testing::Optional(
                           StatusIs(absl::StatusCode::kUnavailable, "reset")));
  mock_.AnswerNext();
  EXPECT_THAT(answered_, ElementsAre());
}

TEST_F(MockConnectionTest, ShutdownEndsAllThatWaits) {
  mock_.set_auto_advance(false);
  Start();
  Open();
  bool ran = false;
  mock_.RunAfter(milliseconds(300), [&] { ran = true; });
  mock_.Shutdown();
  EXPECT_THAT(ended_, ElementsAre(StatusIs(absl::StatusCode::kCancelled)));
  EXPECT_THAT(closed_,
              ::testing::Optional(StatusIs(absl::StatusCode::kCancelled)));
  EXPECT_TRUE(ran);
  Start();
  EXPECT_EQ(ended_.size(), 2u);
}

}  // namespace
}  // namespace kiln::client::testing
