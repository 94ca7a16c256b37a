#include "core/base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "absl/strings/cord.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::IsOk;
using tests::StatusIs;

TEST(Errors, FieldErrorNamesFieldValueAndRange) {
  const absl::Status status = RangeError("size.x", 0, 1, 256);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(std::string(status.message()), HasSubstr("size.x"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("0"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("1..256"));
}

TEST(Errors, TextValuesReadLikeNumbers) {
  EXPECT_EQ(FieldError("axis", 7, "0..2"), FieldError("axis", "7", "0..2"));
}

TEST(Errors, LengthErrorSaysWhatWasExpected) {
  EXPECT_THAT(
      LengthError("bytes", 12, 16, "one per voxel"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               testing::AllOf(HasSubstr("bytes"), HasSubstr("12"),
                              HasSubstr("16"), HasSubstr("one per voxel"))));
}

TEST(Errors, OverLimitNamesItsFlag) {
  EXPECT_THAT(OverLimitError("message bytes", 9, 8, "max_message_bytes"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--max_message_bytes")));
}

TEST(Errors, ContextIsAPrefix) {
  const absl::Status status =
      WithContext("blocks[3].", RangeError("size.x", 0, 1, 256));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                               StartsWith("blocks[3].size.x")));
  EXPECT_THAT(WithContext("blocks[3].", absl::OkStatus()), IsOk());
}

TEST(Errors, ContextKeepsPayloads) {
  const absl::Status busy = BusyError("queue full", milliseconds(40));
  EXPECT_EQ(RetryAfter(WithContext("server: ", busy)), milliseconds(40));
}

TEST(Errors, OnlyBusyHasARetryHint) {
  const absl::Status busy = BusyError("queue full", milliseconds(250));
  EXPECT_THAT(busy, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(RetryAfter(busy), milliseconds(250));
  EXPECT_EQ(RetryAfter(CancelledError()), std::nullopt);
  EXPECT_EQ(RetryAfter(absl::OkStatus()), std::nullopt);
}

TEST(Errors, RetryHintCanBeAttached) {
  absl::Status status = UnavailableError("going away");
  SetRetryAfter(status, milliseconds(5));
  EXPECT_EQ(RetryAfter(status), milliseconds(5));
}

TEST(Errors, BrokenRetryHintIsNone) {
  absl::Status status = BusyError("queue full", milliseconds(1));
  status.ForEachPayload([&status](absl::string_view url, const absl::Cord&) {
    absl::Status broken = status;
    broken.SetPayload(url, absl::Cord("soon"));
    EXPECT_EQ(RetryAfter(broken), std::nullopt);
  });
}

TEST(Errors, SystemErrorsKeepTheirKind) {
  EXPECT_THAT(SystemError("open map.vox", ENOENT),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("map.vox")));
  EXPECT_THAT(SystemError("open map.vox", EACCES),
              StatusIs(absl::StatusCode::kPermissionDenied));
  EXPECT_THAT(SystemError("bind :5456", EADDRINUSE),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST(Errors, MalformedErrorNamesItsOffset) {
  EXPECT_THAT(
      MalformedError(".vox file", 20, "chunk ends behind the file"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("byte 20")));
}

TEST(Errors, EndsOfWorkHaveTheirOwnCodes) {
  EXPECT_THAT(CancelledError(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(DeadlineError(), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(InternalError("oops"), StatusIs(absl::StatusCode::kInternal));
}

}  // namespace
}  // namespace kiln::core
