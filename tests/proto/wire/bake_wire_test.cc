#include "proto/wire/bake_wire.h"

#include <gmock/gmock.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "tests/support/status_matchers.h"

namespace kiln::wire {
namespace {

using ::kiln::tests::IsOk;
using ::kiln::tests::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

v1::VoxelBlock SolidBlock(uint32_t x, uint32_t y, uint32_t z) {
  v1::VoxelBlock block;
  block.mutable_size()->set_x(x);
  block.mutable_size()->set_y(y);
  block.mutable_size()->set_z(z);
  block.set_uniform_entry(1);
  return block;
}

v1::BakeVoxelsRequest SmallRequest() {
  v1::BakeVoxelsRequest request;
  *request.add_blocks()->mutable_block() = SolidBlock(4, 3, 2);
  return request;
}

absl::StatusOr<RequestHead> Head(const v1::BakeVoxelsRequest& request) {
  return HeadFromProto(request, {});
}

testing::Matcher<absl::StatusOr<RequestHead>> Refused(const std::string& why) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(why));
}

TEST(RequestHead, DefaultsAreThoseOfTheProto) {
  KILN_ASSERT_OK_AND_ASSIGN(const RequestHead head, Head(SmallRequest()));
  EXPECT_EQ(head.recipe, core::Recipe());
  EXPECT_EQ(head.priority, core::kDefaultPriority);
  EXPECT_EQ(head.blocks, 1);
  EXPECT_EQ(head.cost, 24);
  EXPECT_EQ(head.raw_bytes, 0);
  EXPECT_FALSE(head.options.lower_bound);
  EXPECT_FALSE(head.options.tree);
}

TEST(RequestHead, EnumsAndNumbersOutOfRangeAreRefused) {
  v1::BakeVoxelsRequest request = SmallRequest();
  request.mutable_recipe()->set_method(static_cast<v1::Method>(6));
  EXPECT_THAT(Head(request), Refused("recipe.method: 6"));
  request = SmallRequest();
  request.mutable_recipe()->set_exposure(static_cast<v1::ExposureRule>(-1));
  EXPECT_THAT(Head(request), Refused("recipe.exposure: -1"));
  request = SmallRequest();
  request.mutable_recipe()->set_method(v1::METHOD_SEARCH);
  request.mutable_recipe()->set_effort(4);
  EXPECT_THAT(Head(request), Refused("recipe.effort: 4"));
  request.mutable_recipe()->set_effort(~0u);
  EXPECT_THAT(Head(request), Refused("recipe.effort: 4294967295"));
  request = SmallRequest();
  request.set_priority(8);
  EXPECT_THAT(Head(request), Refused("priority: 8 is not allowed; allowed: "
                                     "0..7"));
}

TEST(RequestHead, PriorityZeroIsNotTheDefault) {
  v1::BakeVoxelsRequest request = SmallRequest();
  request.set_priority(0);
  KILN_ASSERT_OK_AND_ASSIGN(const RequestHead head, Head(request));
  EXPECT_EQ(head.priority, 0);
}

TEST(RequestHead, TreeOnlyGoesWithItsMethod) {
  v1::BakeVoxelsRequest request = SmallRequest();
  request.set_want_tree(true);
  EXPECT_THAT(Head(request), Refused("want_tree: true"));
  request.mutable_recipe()->set_method(v1::METHOD_TREE);
  EXPECT_THAT(Head(request), IsOk());
}

TEST(RequestHead, RequestWithoutBlocksIsRefused) {
  EXPECT_THAT(Head(v1::BakeVoxelsRequest()),
              Refused("blocks: length 0 is not allowed; allowed: at least 1"));
}

TEST(RequestHead, ErrorsNameBlockAndNeighbour) {
  v1::BakeVoxelsRequest request = SmallRequest();
  v1::BlockInput& second = *request.add_blocks();
  EXPECT_THAT(Head(request), Refused("blocks[1].block.size.x: 0"));
  *second.mutable_block() = SolidBlock(4, 4, 4);
  *second.mutable_neighbours()->mutable_plus_x()->mutable_plane() =
      SolidBlock(1, 4, 300);
  EXPECT_THAT(
      Head(request),
      Refused("blocks[1].neighbours.plus_x.plane.size.z: 300 is not allowed"));
}

TEST(RequestHead, VoxelSizesMustBeFiniteAndPositive) {
  for (const double edge : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()}) {
    v1::BakeVoxelsRequest request = SmallRequest();
    v1::VoxelScale& scale = *request.mutable_blocks(0)->mutable_voxel_size_m();
    scale.set_x(1);
    scale.set_y(edge);
    scale.set_z(1);
    EXPECT_THAT(Head(request), Refused("blocks[0].voxel_size_m.y: "));
  }
}

TEST(RequestHead, LimitsNameTheirFlags) {
  v1::BakeVoxelsRequest request = SmallRequest();
  *request.add_blocks()->mutable_block() = SolidBlock(100, 1, 1);
  RequestLimits limits;
  limits.max_blocks = 1;
  EXPECT_THAT(
      HeadFromProto(request, limits),
      Refused("allowed: 0..1 (raise it with --max_blocks_per_request)"));
  limits.max_blocks = 2;
  limits.max_cost = 123;
  EXPECT_THAT(HeadFromProto(request, limits),
              Refused("allowed: 0..123 (raise it with --max_request_cost)"));
  limits.max_cost = 124;
  EXPECT_THAT(HeadFromProto(request, limits), IsOk());
  EXPECT_THAT(CheckMessageBytes(limits.max_message_bytes + 1, limits),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--max_message_bytes")));
  EXPECT_THAT(CheckMessageBytes(limits.max_message_bytes, limits), IsOk());
}

TEST(RequestHead, DecompressedBytesOfNeighboursCount) {
  v1::BakeVoxelsRequest request = SmallRequest();
  v1::VoxelBlock block = SolidBlock(16, 16, 16);
  v1::ArrayPayload& array = *block.mutable_array();
  array.set_bytes_per_entry(4);
  array.mutable_entries()->set_compression(v1::COMPRESSION_LZ4);
  array.mutable_entries()->set_raw_bytes(16384);
  v1::BlockInput& input = *request.mutable_blocks(0);
  *input.mutable_block() = block;
  *input.mutable_neighbours()->mutable_minus_z()->mutable_block() = block;
  KILN_ASSERT_OK_AND_ASSIGN(const RequestHead head, Head(request));
  EXPECT_EQ(head.raw_bytes, 32768);
  RequestLimits limits;
  limits.max_raw_bytes = 32767;
  EXPECT_THAT(HeadFromProto(request, limits),
              Refused("--max_request_raw_bytes"));
}

// As many blocks as fit, each two bytes long.
std::string ManyEmptyBlocks(size_t count) {
  std::string bytes;
  for (size_t i = 0; i < count; ++i) bytes += std::string("\x12\x00", 2);
  return bytes;
}

absl::Status CountIn(const std::string& bytes, bool in_stream,
                     int64_t max_blocks) {
  RequestLimits limits;
  limits.max_blocks = max_blocks;
  google::protobuf::io::ArrayInputStream stream(
      bytes.data(), static_cast<int>(bytes.size()), /*block_size=*/7);
  return CheckBlockCount(stream, in_stream, limits);
}

TEST(BlockCount, IsKnownBeforeParsing) {
  v1::BakeVoxelsRequest request = SmallRequest();
  *request.add_blocks() = request.blocks(0);
  request.set_priority(3);
  const std::string bytes = request.SerializeAsString();
  EXPECT_THAT(CountIn(bytes, false, 2), IsOk());
  EXPECT_THAT(CountIn(bytes, false, 1),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--max_blocks_per_request")));
  EXPECT_FALSE(CountIn(ManyEmptyBlocks(100'000), false, 4096).ok());
}

TEST(BlockCount, OfAStreamAddsUpOverItsParts) {
  v1::BakeVoxelStreamRequest message;
  message.set_id(77);
  *message.mutable_request() = SmallRequest();
  *message.mutable_request()->add_blocks() = message.request().blocks(0);
  // Two messages in a row are one merged message.
  const std::string twice =
      message.SerializeAsString() + message.SerializeAsString();
  EXPECT_THAT(CountIn(twice, true, 4), IsOk());
  EXPECT_FALSE(CountIn(twice, true, 3).ok());
}

TEST(BlockCount, NonsenseIsLeftToTheParser) {
  EXPECT_THAT(CountIn("\xff\xff\xff\xff\xff\xff\xff", false, 1), IsOk());
  EXPECT_THAT(CountIn("\x12\x7f", true, 1), IsOk());
}

core::EncodedBlock Uniform(const core::Vec3i& size) {
  core::EncodedBlock block;
  block.size = size;
  block.payload = core::UniformPayload{3};
  return block;
}

TEST(RequestToProto, IsReadBackAsItWas) {
  core::BakeInput input;
  input.block = Uniform({4, 5, 6});
  input.neighbours[0] = core::UniformNeighbour::kSolid;
  input.neighbours[1] = core::UniformNeighbour::kAir;
  input.neighbours[2] = core::PlaneNeighbour{Uniform({4, 1, 6})};
  input.neighbours[5] = core::BlockNeighbour{Uniform({4, 5, 9})};
  core::Recipe recipe;
  recipe.method = core::Method::kSearch;
  recipe.effort = 2;
  recipe.exposure = core::ExposureRule::kPerClass;
  core::BakeOptions options;
  options.lower_bound = true;
  v1::BakeVoxelsRequest proto;
  RequestToProto({&input, 1}, recipe, options, {Compression::kNone, 7}, proto);
  KILN_ASSERT_OK_AND_ASSIGN(const RequestHead head, Head(proto));
  EXPECT_EQ(head.recipe, recipe);
  EXPECT_TRUE(head.options.lower_bound);
  EXPECT_EQ(head.priority, 7);
  EXPECT_EQ(head.cost, core::EstimatedCost(input, recipe, options));
  KILN_ASSERT_OK_AND_ASSIGN(const auto read, InputFromProto(proto.blocks(0)));
  for (size_t face = 0; face < 6; ++face) {
    EXPECT_EQ(read->input.neighbours[face].index(),
              input.neighbours[face].index())
        << face;
  }
  EXPECT_EQ(std::get<core::UniformNeighbour>(read->input.neighbours[0]),
            core::UniformNeighbour::kSolid);
  EXPECT_EQ(
      std::get<core::BlockNeighbour>(read->input.neighbours[5]).block.size.z,
      9);
}

TEST(InputFromProto, DamagedNeighbourIsNamed) {
  v1::BlockInput input;
  *input.mutable_block() = SolidBlock(4, 4, 4);
  v1::VoxelBlock plane = SolidBlock(4, 4, 1);
  v1::PayloadBytes& bits = *plane.mutable_bitset()->mutable_bits();
  bits.set_compression(v1::COMPRESSION_ZLIB);
  bits.set_raw_bytes(2);
  bits.set_data("no zlib");
  *input.mutable_neighbours()->mutable_plus_z()->mutable_plane() = plane;
  EXPECT_THAT(InputFromProto(input).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("neighbours.plus_z.plane.bitset.bits.data")));
}

}  // namespace
}  // namespace kiln::wire
