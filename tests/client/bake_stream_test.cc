// Streams over a mock connection, whose time is the test's own.

#include "client/bake_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "client/testing/mock_connection.h"
#include "core/base/errors.h"
#include "tests/client/test_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using ::kiln::tests::ByteBlock;
using ::kiln::tests::IsOk;
using ::kiln::tests::StatusIs;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using MockConnection = ::kiln::client::testing::MockConnection;

class BakeStreamTest : public ::testing::Test {
 protected:
  BakeStreamTest() { mock_->set_auto_advance(false); }

  // Room for two.
  std::unique_ptr<BakeStream> Open() {
    StreamOptions options;
    options.max_in_flight = 2;
    return std::make_unique<BakeStream>(
        client_, options, [this](uint64_t id, absl::StatusOr<BakeReply> reply) {
          ids_.push_back(id);
          replies_.push_back(std::move(reply));
        });
  }

  const ByteBlock block_{4};
  const BakeRequest request_ = block_.request();
  const std::shared_ptr<MockConnection> mock_ =
      std::make_shared<MockConnection>();
  const BakeClient client_{mock_, {}};
  std::vector<uint64_t> ids_;
  std::vector<absl::StatusOr<BakeReply>> replies_;
};

TEST_F(BakeStreamTest, EachRequestHasOneAnswerUnderItsId) {
  const auto stream = Open();
  EXPECT_EQ(stream->TrySubmit(70, request_), Submitted::kAccepted);
  EXPECT_EQ(stream->TrySubmit(50, request_), Submitted::kAccepted);
  mock_->AnswerNext();
  mock_->AnswerNext();
  EXPECT_THAT(ids_, ElementsAre(70, 50));
  EXPECT_THAT(replies_, Each(IsOk()));
  EXPECT_THAT(stream->Finish(), IsOk());
  EXPECT_EQ(mock_->streams(), 1);
}

TEST_F(BakeStreamTest, BeyondItsRoomItWouldBlock) {
  const auto stream = Open();
  EXPECT_EQ(stream->TrySubmit(1, request_), Submitted::kAccepted);
  EXPECT_EQ(stream->TrySubmit(2, request_), Submitted::kAccepted);
  EXPECT_EQ(stream->TrySubmit(3, request_), Submitted::kWouldBlock);
  EXPECT_EQ(stream->in_flight(), 2);
  mock_->AnswerNext();
  EXPECT_EQ(stream->TrySubmit(3, request_), Submitted::kAccepted);
}

TEST_F(BakeStreamTest, CallbackMaySubmitTheNext) {
  mock_->set_auto_advance(true);
  std::vector<uint64_t> ids;
  std::unique_ptr<BakeStream> stream;
  StreamOptions options;
  options.max_in_flight = 1;
  stream = std::make_unique<BakeStream>(
      client_, options, [&](uint64_t id, const absl::StatusOr<BakeReply>&) {
        ids.push_back(id);
        if (id < 3) stream->TrySubmit(id + 1, request_);
      });
  EXPECT_EQ(stream->TrySubmit(1, request_), Submitted::kAccepted);
  EXPECT_THAT(ids, ElementsAre(1, 2, 3));
}

TEST_F(BakeStreamTest, EqualIdsAreTwoRequests) {
  const auto stream = Open();
  stream->TrySubmit(5, request_);
  stream->TrySubmit(5, request_);
  mock_->AnswerNext();
  mock_->AnswerNext();
  EXPECT_THAT(ids_, ElementsAre(5, 5));
}

TEST_F(BakeStreamTest, ErrorOfOneRequestIsItsAnswer) {
  const auto stream = Open();
  stream->TrySubmit(1, request_);
  stream->TrySubmit(2, request_);
  mock_->FailNext(core::FieldError("size.x", 300, "1..256"));
  mock_->AnswerNext();
  mock_->AnswerNext();
  ASSERT_THAT(ids_, ElementsAre(1, 2));
  EXPECT_THAT(replies_[0], StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(replies_[1], IsOk());
  EXPECT_EQ(mock_->streams(), 1);
}

TEST_F(BakeStreamTest, BusyAnswerIsSentAgainAfterTheHint) {
  const auto stream = Open();
  stream->TrySubmit(1, request_);
  mock_->FailNext(core::BusyError("queue", milliseconds(100)));
  mock_->AnswerNext();
  mock_->Advance(milliseconds(99));
  EXPECT_EQ(mock_->attempts(), 1);
  mock_->Advance(milliseconds(26));
  mock_->AnswerNext();
  ASSERT_THAT(ids_, ElementsAre(1));
  KILN_ASSERT_OK(replies_[0]);
  EXPECT_EQ(replies_[0]->stats.attempts, 2);
}

TEST_F(BakeStreamTest, BrokenStreamIsReplacedAndUnansweredSentAgain) {
  const auto stream = Open();
  stream->TrySubmit(1, request_);
  stream->TrySubmit(2, request_);
  mock_->AnswerNext();
  mock_->BreakStream(core::UnavailableError("reset"));
  EXPECT_THAT(ids_, ElementsAre(1));
  mock_->Advance(milliseconds(100));
  EXPECT_EQ(mock_->streams(), 2);
  EXPECT_EQ(mock_->attempts(), 3);
  mock_->AnswerNext();  // of the old stream: too late
  EXPECT_THAT(ids_, ElementsAre(1));
  mock_->AnswerNext();
  EXPECT_THAT(ids_, ElementsAre(1, 2));
  EXPECT_THAT(replies_[1], IsOk());
}

TEST_F(BakeStreamTest, IdleStreamThatBreaksIsReplacedOnDemand) {
  const auto stream = Open();
  stream->TrySubmit(1, request_);
  mock_->AnswerNext();
  mock_->BreakStream(core::UnavailableError("reset"));
  mock_->Advance(seconds(5));
  EXPECT_EQ(mock_->streams(), 1);
  stream->TrySubmit(2, request_);
  mock_->AnswerNext();
  EXPECT_EQ(mock_->streams(), 2);
  EXPECT_THAT(ids_, ElementsAre(1, 2));
}

// A message that gRPC itself refuses ends the stream of the others, too.
TEST_F(BakeStreamTest, StreamBrokenByOneRequestCostsTheOthersNothing) {
  const auto stream = Open();
  stream->TrySubmit(1, request_);
  stream->TrySubmit(2, request_);
  mock_->BreakStream(core::FieldError("request", "too large", "less"));
  EXPECT_EQ(mock_->attempts(), 4);  // two more, in calls of their own
  mock_->AnswerNext();              // of the old stream
  mock_->AnswerNext();
  mock_->FailNext(core::FieldError("request", "too large", "less"));
  mock_->AnswerNext();
  mock_->AnswerNext();
  ASSERT_THAT(ids_, ElementsAre(1, 2));
  EXPECT_THAT(replies_[0], StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(replies_[1], IsOk());
}

TEST_F(BakeStreamTest, DeadlinePassesWithoutAnAnswer) {
  const auto stream = Open();
  CallOptions options;
  options.timeout = seconds(3);
  stream->TrySubmit(1, request_);
  stream->TrySubmit(2, request_, options);
  mock_->Advance(seconds(3));
  ASSERT_THAT(ids_, ElementsAre(2));
  EXPECT_THAT(replies_[0], StatusIs(absl::StatusCode::kDeadlineExceeded));
  mock_->Advance(seconds(7));
  EXPECT_THAT(ids_, ElementsAre(2, 1));
  mock_->AnswerNext();
  mock_->AnswerNext();
  EXPECT_EQ(ids_.size(), 2u);
}

TEST_F(BakeStreamTest, DeadlineOfABrokenStreamSaysWhy) {
  const auto stream = Open();
  stream->TrySubmit(1, request_);
  mock_->BreakStream(core::UnavailableError("connection reset"));
  mock_->Advance(seconds(10));
  ASSERT_THAT(ids_, ElementsAre(1));
  EXPECT_THAT(replies_[0], StatusIs(absl::StatusCode::kDeadlineExceeded,
                                    HasSubstr("connection reset")));
}

TEST_F(BakeStreamTest, CancelAnswersEverything) {
  const auto stream = Open();
  stream->TrySubmit(1, request_);
  stream->TrySubmit(2, request_);
  stream->Cancel();
  ASSERT_THAT(ids_, ElementsAre(1, 2));
  EXPECT_THAT(replies_, Each(StatusIs(absl::StatusCode::kCancelled)));
  EXPECT_EQ(stream->TrySubmit(3, request_), Submitted::kEnded);
}

TEST_F(BakeStreamTest, DestructionCancelsAndAnswersFirst) {
  auto stream = Open();
  stream->TrySubmit(1, request_);
  stream.reset();
  ASSERT_THAT(ids_, ElementsAre(1));
  EXPECT_THAT(replies_[0], StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(BakeStreamTest, AfterFinishNothingIsTaken) {
  const auto stream = Open();
  EXPECT_THAT(stream->Finish(), IsOk());
  EXPECT_EQ(stream->TrySubmit(1, request_), Submitted::kEnded);
  EXPECT_THAT(stream->Submit(1, request_),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(BakeStreamTest, SubmitWithoutRoomWaitsUntilItsDeadline) {
  const auto stream = Open();
  stream->TrySubmit(1, request_);
  stream->TrySubmit(2, request_);
  CallOptions options;
  options.timeout = milliseconds(0);
  EXPECT_THAT(stream->Submit(3, request_, options),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(mock_->attempts(), 2);
}

}  // namespace
}  // namespace kiln::client
