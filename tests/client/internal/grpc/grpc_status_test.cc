#include "client/internal/grpc/grpc_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "core/base/errors.h"
#include "proto/wire/status_wire.h"
#include "tests/support/status_matchers.h"

namespace kiln::client::internal {
namespace {

using ::kiln::tests::IsOk;
using ::kiln::tests::StatusIs;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

// As a call of 5000 bytes ends that takes 1000.
absl::Status End(grpc::StatusCode code, const std::string& message,
                 bool cancelled = false) {
  const grpc::ClientContext context;
  CallFacts facts;
  facts.request_bytes = 5000;
  facts.max_response_bytes = 1000;
  facts.cancelled = cancelled;
  return EndOfCall(grpc::Status(code, message), context, facts);
}

TEST(EndOfCall, OkIsOk) { EXPECT_THAT(End(grpc::StatusCode::OK, ""), IsOk()); }

TEST(EndOfCall, BusyKeepsItsHint) {
  const grpc::ClientContext context;
  const absl::Status status =
      EndOfCall(wire::ToGrpcStatus(core::BusyError("queue", milliseconds(9))),
                context, {});
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(core::RetryAfter(status), milliseconds(9));
}

TEST(EndOfCall, ResponseOverOurLimitNamesTheOption) {
  EXPECT_THAT(End(grpc::StatusCode::RESOURCE_EXHAUSTED,
                  "Received message larger than max (1001 vs. 1000)"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("response: 1001 bytes"),
                             HasSubstr("ClientOptions::max_response_bytes"))));
}

TEST(EndOfCall, RequestOverTheServersLimitNamesItsFlag) {
  EXPECT_THAT(End(grpc::StatusCode::RESOURCE_EXHAUSTED,
                  "Received message larger than max (5000 vs. 4000)"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("5000"), HasSubstr("allowed: 0..2000"),
                             HasSubstr("--max_message_bytes"))));
  // Both limits may be the same: then the size tells.
  EXPECT_THAT(End(grpc::StatusCode::RESOURCE_EXHAUSTED,
                  "Received message larger than max (5000 vs. 1000)"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--max_message_bytes")));
}

TEST(EndOfCall, OtherExhaustionStaysAsItIs) {
  EXPECT_THAT(End(grpc::StatusCode::RESOURCE_EXHAUSTED, "out of memory"),
              StatusIs(absl::StatusCode::kResourceExhausted, "out of memory"));
}

TEST(EndOfCall, CancelIsOursOrTheServerGoingAway) {
  EXPECT_THAT(End(grpc::StatusCode::CANCELLED, "x", /*cancelled=*/true),
              StatusIs(absl::StatusCode::kCancelled,
                       std::string(core::CancelledError().message())));
  EXPECT_THAT(End(grpc::StatusCode::CANCELLED, "x"),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST(EndOfCall, DeadlineIsInOurWordsOrTheServers) {
  EXPECT_THAT(End(grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded"),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       std::string(core::DeadlineError().message())));
  EXPECT_THAT(End(grpc::StatusCode::DEADLINE_EXCEEDED, "cannot be met"),
              StatusIs(absl::StatusCode::kDeadlineExceeded, "cannot be met"));
}

}  // namespace
}  // namespace kiln::client::internal
