#include "proto/wire/status_wire.h"

#include <gmock/gmock.h>
#include <google/protobuf/any.pb.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>

#include "core/base/errors.h"
#include "tests/support/status_matchers.h"

namespace kiln::wire {
namespace {

using ::kiln::tests::StatusIs;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

v1::Status WithRetryInfo(int64_t seconds, int32_t nanos) {
  v1::RetryInfo info;
  info.mutable_retry_delay()->set_seconds(seconds);
  info.mutable_retry_delay()->set_nanos(nanos);
  v1::Status proto;
  proto.set_code(8);
  google::protobuf::Any& detail = *proto.add_details();
  detail.set_type_url("type.googleapis.com/google.rpc.RetryInfo");
  detail.set_value(info.SerializeAsString());
  return proto;
}

TEST(StatusWire, EveryCodeSurvivesBothRoads) {
  for (int code = 1; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "why");
    EXPECT_EQ(FromGrpcStatus(ToGrpcStatus(status)), status);
    EXPECT_EQ(StatusFromProto(StatusToProto(status)), status);
  }
  EXPECT_TRUE(ToGrpcStatus(absl::OkStatus()).ok());
  EXPECT_TRUE(FromGrpcStatus(grpc::Status::OK).ok());
}

TEST(StatusWire, RetryHintTravelsAsRetryInfo) {
  const absl::Status busy = core::BusyError("full", milliseconds(12345));
  const grpc::Status sent = ToGrpcStatus(busy);
  v1::Status details;
  ASSERT_TRUE(details.ParseFromString(sent.error_details()));
  ASSERT_EQ(details.details_size(), 1);
  EXPECT_EQ(details.details(0).type_url(),
            "type.googleapis.com/google.rpc.RetryInfo");
  EXPECT_EQ(core::RetryAfter(FromGrpcStatus(sent)), milliseconds(12345));
  EXPECT_EQ(RetryPushback(busy), "12345");
}

TEST(StatusWire, OtherErrorsCarryNoDetails) {
  const absl::Status status = absl::InvalidArgumentError("size.x: 0");
  EXPECT_EQ(ToGrpcStatus(status).error_details(), "");
  EXPECT_EQ(RetryPushback(status), std::nullopt);
}

TEST(StatusWire, RetryDelaysAreClamped) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  const std::pair<v1::Status, milliseconds> cases[] = {
      {WithRetryInfo(0, 1'500'000), milliseconds(1)},
      {WithRetryInfo(-5, 0), milliseconds(0)},
      {WithRetryInfo(0, -2'000'000'000), milliseconds(0)},
      {WithRetryInfo(most, 0), kMaxRetryAfter},
      {WithRetryInfo(3600, 999'999'999), kMaxRetryAfter}};
  for (const auto& [proto, expected] : cases) {
    EXPECT_EQ(core::RetryAfter(StatusFromProto(proto)), expected);
  }
}

TEST(StatusWire, CodesThatDoNotExistBecomeUnknown) {
  for (const int code : {-1, 17, 1000}) {
    v1::Status proto;
    proto.set_code(code);
    EXPECT_THAT(StatusFromProto(proto), StatusIs(absl::StatusCode::kUnknown));
  }
  // The enum itself holds no 1000.
  for (const int code : {-1, 17}) {
    EXPECT_THAT(
        FromGrpcStatus(grpc::Status(static_cast<grpc::StatusCode>(code), "")),
        StatusIs(absl::StatusCode::kUnknown));
  }
}

TEST(StatusWire, ErrorWithCodeZeroIsNoSuccess) {
  EXPECT_THAT(StatusFromProto(v1::Status()),
              StatusIs(absl::StatusCode::kInternal));
}

TEST(StatusWire, DetailsThatCannotBeReadAreDropped) {
  const grpc::Status sent(grpc::StatusCode::RESOURCE_EXHAUSTED, "busy",
                          "\xff\xff not a message");
  const absl::Status status = FromGrpcStatus(sent);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted,
                               HasSubstr("busy")));
  EXPECT_EQ(core::RetryAfter(status), std::nullopt);
}

TEST(StatusWire, MessagesLeaveShortAndPrintable) {
  const std::string wild = "a\x01\xff\n" + std::string(100'000, 'b');
  const v1::Status proto = StatusToProto(absl::InternalError(wild));
  EXPECT_EQ(proto.message().substr(0, 5), "a???b");
  EXPECT_EQ(proto.message().size(), size_t{kMaxStatusMessageBytes});
}

}  // namespace
}  // namespace kiln::wire
