// Calls over a mock connection, whose time is the test's own.

#include "client/bake_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "client/testing/mock_connection.h"
#include "core/base/errors.h"
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
using MockConnection = ::kiln::client::testing::MockConnection;

class BakeClientTest : public ::testing::Test {
 protected:
  void BakeAsync(const CallOptions& options = {}) {
    handle_ = client_.BakeAsync(block_.request(), options,
                                [this](absl::StatusOr<BakeReply> reply) {
                                  ++callbacks_;
                                  reply_ = std::move(reply);
                                });
  }

  const ByteBlock block_{4};
  const std::shared_ptr<MockConnection> mock_ =
      std::make_shared<MockConnection>();
  BakeClient client_{mock_, {}};
  CallHandle handle_;
  int callbacks_ = 0;
  std::optional<absl::StatusOr<BakeReply>> reply_;
};

TEST_F(BakeClientTest, ResultIsThatOfTheCore) {
  KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply,
                            client_.Bake(block_.request()));
  KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult expected,
                            core::Bake(block_.input(), {}));
  ASSERT_EQ(reply.results.size(), 1u);
  EXPECT_TRUE(SameResult(reply.results[0], expected));
  EXPECT_EQ(reply.stats.attempts, 1);
}

TEST_F(BakeClientTest, BusyIsRepeatedAfterTheHint) {
  mock_->FailNext(core::BusyError("queue", milliseconds(300)), 2);
  KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply,
                            client_.Bake(block_.request()));
  EXPECT_EQ(reply.stats.attempts, 3);
  EXPECT_GE(reply.stats.latency, milliseconds(600));
  EXPECT_LT(reply.stats.latency, milliseconds(750));
}

TEST_F(BakeClientTest, UnavailableIsRepeatedAndThenWaitedFor) {
  mock_->FailNext(core::UnavailableError("gone"));
  KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply,
                            client_.Bake(block_.request()));
  EXPECT_EQ(reply.stats.attempts, 2);
  EXPECT_LT(reply.stats.latency, milliseconds(100));
  EXPECT_TRUE(mock_->last_options().wait_for_ready);
}

TEST_F(BakeClientTest, InvalidRequestIsTriedOnce) {
  mock_->FailNext(core::FieldError("size.x", 300, "1..256"));
  EXPECT_THAT(client_.Bake(block_.request()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "size.x: 300 is not allowed; allowed: 1..256"));
  EXPECT_EQ(mock_->attempts(), 1);
}

TEST_F(BakeClientTest, BusyBeyondTheDeadlineIsGivenUpAtOnce) {
  mock_->FailNext(core::BusyError("queue", milliseconds(400)), 100);
  CallOptions options;
  options.timeout = milliseconds(1000);
  EXPECT_THAT(client_.Bake(block_.request(), options),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("after 3 attempts: queue")));
  EXPECT_EQ(mock_->attempts(), 3);
}

TEST_F(BakeClientTest, EveryAttemptHasTheDeadlineOfTheCall) {
  mock_->FailNext(core::BusyError("queue", milliseconds(400)));
  const Clock::time_point start = mock_->Now();
  CallOptions options;
  options.timeout = seconds(5);
  EXPECT_THAT(client_.Bake(block_.request(), options), IsOk());
  EXPECT_EQ(mock_->last_options().deadline, start + seconds(5));
}

TEST_F(BakeClientTest, DefaultDeadlineIsThatOfTheClient) {
  ClientOptions options;
  options.timeout = seconds(7);
  const BakeClient client(mock_, options);
  const Clock::time_point start = mock_->Now();
  EXPECT_THAT(client.Bake(block_.request()), IsOk());
  EXPECT_EQ(mock_->last_options().deadline, start + seconds(7));
}

TEST_F(BakeClientTest, DeadlineSaysWhyTheAttemptBeforeFailed) {
  mock_->FailNext(core::UnavailableError("connection refused"));
  mock_->FailNext(core::DeadlineError());
  EXPECT_THAT(client_.Bake(block_.request()),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("connection refused")));
}

TEST_F(BakeClientTest, CancelledAttemptRunsTheCallbackOnce) {
  mock_->set_auto_advance(false);
  BakeAsync();
  EXPECT_EQ(callbacks_, 0);
  handle_.Cancel();
  handle_.Cancel();
  EXPECT_EQ(callbacks_, 1);
  EXPECT_THAT(*reply_, StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(mock_->attempts_waiting(), 0);
}

TEST_F(BakeClientTest, CancelDuringAPauseEndsTheCallAtOnce) {
  mock_->FailNext(core::BusyError("queue", seconds(2)));
  mock_->set_auto_advance(false);
  BakeAsync();
  mock_->AnswerNext();
  EXPECT_EQ(callbacks_, 0);
  handle_.Cancel();
  EXPECT_EQ(callbacks_, 1);
  EXPECT_THAT(*reply_, StatusIs(absl::StatusCode::kCancelled));
  mock_->Advance(seconds(10));
  EXPECT_EQ(mock_->attempts(), 1);
  EXPECT_EQ(callbacks_, 1);
}

TEST_F(BakeClientTest, RetryStartsWhenThePauseIsOverNotBefore) {
  mock_->FailNext(core::BusyError("queue", seconds(2)));
  mock_->set_auto_advance(false);
  BakeAsync();
  mock_->AnswerNext();
  mock_->Advance(milliseconds(1999));
  EXPECT_EQ(mock_->attempts(), 1);
  mock_->Advance(milliseconds(501));
  EXPECT_EQ(mock_->attempts(), 2);
  mock_->AnswerNext();
  ASSERT_EQ(callbacks_, 1);
  EXPECT_THAT(*reply_, IsOk());
}

TEST_F(BakeClientTest, CancelAfterTheResultDoesNothing) {
  BakeAsync();
  handle_.Cancel();
  EXPECT_EQ(callbacks_, 1);
  EXPECT_THAT(*reply_, IsOk());
}

TEST_F(BakeClientTest, LastCopyCancelsWhatIsUnderWay) {
  mock_->set_auto_advance(false);
  std::optional<BakeClient> copy(client_);
  std::optional<BakeClient> last(std::move(client_));
  int callbacks = 0;
  absl::Status status;
  last->BakeAsync(block_.request(), {},
                  [&](const absl::StatusOr<BakeReply>& reply) {
                    ++callbacks;
                    status = reply.status();
                  });
  copy.reset();
  EXPECT_EQ(callbacks, 0);
  last.reset();
  EXPECT_EQ(callbacks, 1);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(BakeClientTest, ShutdownDuringAPauseRunsTheCallback) {
  mock_->FailNext(core::BusyError("queue", seconds(2)));
  mock_->set_auto_advance(false);
  BakeAsync();
  mock_->AnswerNext();
  mock_->Shutdown();
  EXPECT_EQ(callbacks_, 1);
  EXPECT_THAT(*reply_, StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(BakeClientTest, BudgetIsSharedByTheCallsOfAClient) {
  ClientOptions options;
  options.retry.budget = 1;
  const BakeClient client(mock_, options);
  mock_->FailNext(core::UnavailableError("gone"), 3);
  EXPECT_THAT(client.Bake(block_.request()),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(mock_->attempts(), 2);
  EXPECT_THAT(client.Bake(block_.request()),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(mock_->attempts(), 3);
}

}  // namespace
}  // namespace kiln::client
