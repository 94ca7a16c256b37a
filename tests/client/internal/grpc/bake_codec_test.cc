#include "client/internal/grpc/bake_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "kiln/v1/bake.pb.h"
#include "proto/wire/bake_wire.h"
#include "proto/wire/status_wire.h"
#include "tests/client/test_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::client::internal {
namespace {

using ::kiln::tests::ByteBlock;
using ::kiln::tests::SameResult;
using ::kiln::tests::StatusIs;
using ::testing::HasSubstr;

constexpr auto kInternal = absl::StatusCode::kInternal;
constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

std::string BytesOf(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  EXPECT_TRUE(buffer.Dump(&slices).ok());
  for (const grpc::Slice& slice : slices) {
    bytes.append(slice.begin(), slice.end());
  }
  return bytes;
}

grpc::ByteBuffer BufferOf(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

class BakeCodecTest : public ::testing::Test {
 protected:
  BakeCodecTest()
      : encoded_(*EncodeBake(block_.request())),
        result_(*core::Bake(block_.input(), {})) {
    wire::ResultToProto(result_, {}, {}, *response_.add_results());
  }

  absl::StatusOr<StreamAnswer> DecodeAnswer(
      const v1::BakeVoxelStreamResponse& answer) {
    grpc::ByteBuffer buffer = BufferOf(answer.SerializeAsString());
    return DecodeStreamResponse(
        buffer, [this](uint64_t id) -> std::shared_ptr<const EncodedBake> {
          return id == 7 ? encoded_ : nullptr;
        });
  }

  const ByteBlock block_{5};
  const std::shared_ptr<const EncodedBake> encoded_;
  const core::BakeResult result_;
  v1::BakeVoxelsResponse response_;
};

TEST_F(BakeCodecTest, RequestHoldsTheBlocks) {
  const grpc::ByteBuffer buffer(&encoded_->message(), 1);
  v1::BakeVoxelsRequest request;
  ASSERT_TRUE(request.ParseFromString(BytesOf(buffer)));
  EXPECT_EQ(request.blocks_size(), 1);
  EXPECT_EQ(request.blocks(0).block().size().x(), 5u);
  EXPECT_EQ(encoded_->bytes(), static_cast<int64_t>(request.ByteSizeLong()));
  EXPECT_EQ(encoded_->sizes(), std::vector<core::Vec3i>({{5, 5, 5}}));
}

TEST_F(BakeCodecTest, WhatTheMessageCannotSayIsRefused) {
  BakeRequest request = block_.request();
  request.priority = -1;
  EXPECT_THAT(EncodeBake(request), StatusIs(kInvalid, HasSubstr("priority")));
  request = block_.request();
  request.recipe.effort = -1;
  EXPECT_THAT(EncodeBake(request), StatusIs(kInvalid, HasSubstr("effort")));
}

// It is put together from parts, without protobuf and without a copy.
TEST_F(BakeCodecTest, StreamRequestIsWhatProtobufWouldWrite) {
  for (const uint64_t id : {uint64_t{0}, uint64_t{1}, UINT64_MAX}) {
    for (const uint32_t timeout_ms : {1u, 300u, UINT32_MAX}) {
      v1::BakeVoxelStreamRequest request;
      ASSERT_TRUE(request.ParseFromString(
          BytesOf(EncodeStreamRequest(id, *encoded_, timeout_ms))));
      EXPECT_EQ(request.id(), id);
      EXPECT_EQ(request.timeout_ms(), timeout_ms);
      const grpc::ByteBuffer alone(&encoded_->message(), 1);
      EXPECT_EQ(request.request().SerializeAsString(), BytesOf(alone));
    }
  }
}

TEST_F(BakeCodecTest, ResponseGivesTheResult) {
  grpc::ByteBuffer buffer = BufferOf(response_.SerializeAsString());
  KILN_ASSERT_OK_AND_ASSIGN(const auto results,
                            DecodeResponse(*encoded_, buffer));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(SameResult(results[0], result_));
}

TEST_F(BakeCodecTest, DishonestResponsesAreRefused) {
  grpc::ByteBuffer garbage = BufferOf("\xff\xff\xff");
  EXPECT_THAT(DecodeResponse(*encoded_, garbage), StatusIs(kInternal));

  v1::BakeVoxelsResponse twice = response_;
  *twice.add_results() = response_.results(0);
  grpc::ByteBuffer too_many = BufferOf(twice.SerializeAsString());
  EXPECT_THAT(DecodeResponse(*encoded_, too_many),
              StatusIs(kInternal, HasSubstr("results: length 2")));

  response_.mutable_results(0)->set_bounds(3, 200);
  grpc::ByteBuffer outside = BufferOf(response_.SerializeAsString());
  EXPECT_THAT(DecodeResponse(*encoded_, outside),
              StatusIs(kInternal, HasSubstr("results[0]")));
}

TEST_F(BakeCodecTest, StreamAnswerIsAResultOrAnError) {
  v1::BakeVoxelStreamResponse answer;
  answer.set_id(7);
  *answer.mutable_response() = response_;
  KILN_ASSERT_OK_AND_ASSIGN(const StreamAnswer good, DecodeAnswer(answer));
  EXPECT_EQ(good.id, 7u);
  KILN_ASSERT_OK(good.results);
  EXPECT_TRUE(SameResult(good.results->at(0), result_));

  *answer.mutable_error() = wire::StatusToProto(
      core::BusyError("queue", std::chrono::milliseconds(70)));
  KILN_ASSERT_OK_AND_ASSIGN(const StreamAnswer busy, DecodeAnswer(answer));
  EXPECT_THAT(busy.results, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(core::RetryAfter(busy.results.status()),
            std::chrono::milliseconds(70));
}

TEST_F(BakeCodecTest, StreamAnswerThatIsNoneIsRefused) {
  v1::BakeVoxelStreamResponse answer;
  answer.set_id(8);
  EXPECT_THAT(DecodeAnswer(answer), StatusIs(kInternal, HasSubstr("id 8")));
  answer.set_id(7);
  KILN_ASSERT_OK_AND_ASSIGN(const StreamAnswer empty, DecodeAnswer(answer));
  EXPECT_THAT(empty.results, StatusIs(kInternal, HasSubstr("neither")));
}

}  // namespace
}  // namespace kiln::client::internal
