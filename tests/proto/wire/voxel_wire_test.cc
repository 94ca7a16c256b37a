#include "proto/wire/voxel_wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/voxel/decode/block_decoder.h"
#include "tests/support/block_encoders.h"
#include "tests/support/status_matchers.h"

namespace kiln::wire {
namespace {

using ::kiln::tests::Encode;
using ::kiln::tests::EncodingChoice;
using ::kiln::tests::EncodingsFor;
using ::kiln::tests::IsOk;
using ::kiln::tests::kAllAxisOrders;
using ::kiln::tests::OwnedSolidity;
using ::kiln::tests::PlainVoxels;
using ::kiln::tests::RandomVoxels;
using ::kiln::tests::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Compression kAllCompressions[] = {
    Compression::kNone, Compression::kZlib, Compression::kZstd,
    Compression::kLz4};

v1::VoxelBlock PackedBlock() {
  v1::VoxelBlock block;
  block.mutable_size()->set_x(16);
  block.mutable_size()->set_y(16);
  block.mutable_size()->set_z(16);
  block.mutable_packed()->set_bits_per_entry(4);
  block.mutable_packed()->mutable_words()->set_data(std::string(2048, '\1'));
  return block;
}

testing::Matcher<absl::StatusOr<BlockShape>> Refused(const std::string& why) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(why));
}

TEST(VoxelWire, BlocksSurviveTheWire) {
  const PlainVoxels voxels = RandomVoxels({9, 8, 7}, 5, 1);
  const std::vector<uint32_t> palette = {4, 0, 5, 70000, 9, 2};
  OwnedSolidity solidity;
  solidity.kind = core::Solidity::Kind::kSolidIds;
  solidity.ids = {4, 5, 9};
  solidity.class_ids = {5};
  solidity.classes = {17};
  const core::VoxelBlock expected =
      tests::PlainDecode(voxels, palette, solidity);
  int turn = 0;
  for (const EncodingChoice& choice : EncodingsFor(5)) {
    for (const Compression compression : kAllCompressions) {
      const auto encoded =
          Encode(voxels, choice, kAllAxisOrders[turn++ % 6], palette, solidity);
      v1::VoxelBlock proto;
      BlockToProto(encoded->block, compression, proto);
      PayloadStore store;
      const auto block = BlockFromProto(proto, store);
      ASSERT_THAT(block, IsOk()) << choice.name;
      const auto decoded = core::DecodeBlock(*block);
      ASSERT_THAT(decoded, IsOk()) << choice.name;
      ASSERT_EQ(*decoded, expected) << choice.name;
    }
  }
}

TEST(VoxelWire, ShapeTellsSizeAndDecompressedBytes) {
  const PlainVoxels voxels = RandomVoxels({20, 10, 5}, 1, 2);
  const auto encoded =
      Encode(voxels, {"", core::ArrayPayload{{}, 4, core::ByteOrder::kLittle}},
             core::AxisOrder::kXyz);
  v1::VoxelBlock proto;
  BlockToProto(encoded->block, Compression::kZstd, proto);
  KILN_ASSERT_OK_AND_ASSIGN(const BlockShape shape, CheckBlock(proto));
  EXPECT_EQ(shape.size, voxels.size);
  EXPECT_EQ(shape.raw_bytes, 4000);
  BlockToProto(encoded->block, Compression::kNone, proto);
  KILN_ASSERT_OK_AND_ASSIGN(const BlockShape plain, CheckBlock(proto));
  EXPECT_EQ(plain.raw_bytes, 0);
}

TEST(VoxelWire, SizesOutOfRangeAreRefusedBeforeArithmetic) {
  for (const uint32_t edge : {0u, 257u, 65536u, 0x80000000u, ~0u}) {
    v1::VoxelBlock block = PackedBlock();
    block.mutable_size()->set_y(edge);
    EXPECT_THAT(CheckBlock(block), Refused("size.y: " + std::to_string(edge) +
                                           " is not allowed; allowed: 1..256"));
  }
  v1::VoxelBlock unset = PackedBlock();
  unset.clear_size();
  EXPECT_THAT(CheckBlock(unset), Refused("size.x: 0"));
}

TEST(VoxelWire, EnumsOutOfRangeAreRefused) {
  v1::VoxelBlock order = PackedBlock();
  order.set_axis_order(static_cast<v1::AxisOrder>(7));
  EXPECT_THAT(CheckBlock(order), Refused("axis_order: 7"));
  v1::VoxelBlock bytes = PackedBlock();
  bytes.mutable_packed()->set_byte_order(static_cast<v1::ByteOrder>(-3));
  EXPECT_THAT(CheckBlock(bytes), Refused("packed.byte_order: -3"));
  v1::VoxelBlock compression = PackedBlock();
  compression.mutable_packed()->mutable_words()->set_compression(
      static_cast<v1::Compression>(4));
  EXPECT_THAT(CheckBlock(compression), Refused("packed.words.compression: 4"));
  v1::VoxelBlock array = PackedBlock();
  array.mutable_array()->set_byte_order(static_cast<v1::ByteOrder>(3));
  EXPECT_THAT(CheckBlock(array), Refused("array.byte_order: 3"));
}

TEST(VoxelWire, UnspecifiedEnumsAndWidthsHaveDefaults) {
  PayloadStore store;
  KILN_ASSERT_OK_AND_ASSIGN(const core::EncodedBlock block,
                            BlockFromProto(PackedBlock(), store));
  const auto& packed = std::get<core::PackedPayload>(block.payload);
  EXPECT_EQ(packed.word_bits, 64);
  EXPECT_EQ(packed.byte_order, core::ByteOrder::kLittle);
  EXPECT_EQ(block.axis_order, core::AxisOrder::kXyz);
  v1::VoxelBlock array = PackedBlock();
  array.mutable_array()->mutable_entries()->set_data(std::string(4096, '\1'));
  EXPECT_THAT(CheckBlock(array), IsOk());
}

TEST(VoxelWire, WidthsBeyondAnIntAreRefused) {
  for (const uint32_t width : {0u, 33u, 0x80000001u, ~0u}) {
    v1::VoxelBlock block = PackedBlock();
    block.mutable_packed()->set_bits_per_entry(width);
    EXPECT_THAT(CheckBlock(block),
                Refused("packed.bits_per_entry: " + std::to_string(width)));
  }
  for (const uint32_t width : {1u, 63u, 65u, ~0u}) {
    v1::VoxelBlock block = PackedBlock();
    block.mutable_packed()->set_word_bits(width);
    EXPECT_THAT(CheckBlock(block),
                Refused("packed.word_bits: " + std::to_string(width)));
  }
  for (const uint32_t width : {3u, 5u, ~0u}) {
    v1::VoxelBlock block = PackedBlock();
    block.mutable_array()->set_bytes_per_entry(width);
    EXPECT_THAT(CheckBlock(block),
                Refused("array.bytes_per_entry: " + std::to_string(width)));
  }
}

TEST(VoxelWire, PayloadIsRequired) {
  v1::VoxelBlock block = PackedBlock();
  block.clear_payload();
  EXPECT_THAT(CheckBlock(block), Refused("payload: unset"));
}

TEST(VoxelWire, ByteCountIsCheckedWithoutDecompressing) {
  v1::VoxelBlock block = PackedBlock();
  block.mutable_packed()->mutable_words()->set_data("short");
  EXPECT_THAT(CheckBlock(block),
              Refused("packed.words.data: length 5 is not allowed; allowed: "
                      "2048"));
  // A bomb says how large it would become, and that is the end of it.
  v1::PayloadBytes& words = *block.mutable_packed()->mutable_words();
  words.set_compression(v1::COMPRESSION_ZSTD);
  for (const uint64_t raw :
       {uint64_t{0}, uint64_t{2047}, uint64_t{1} << 40, ~uint64_t{0}}) {
    words.set_raw_bytes(raw);
    EXPECT_THAT(CheckBlock(block),
                Refused("packed.words.raw_bytes: " + std::to_string(raw) +
                        " is not allowed; allowed: 2048"));
  }
}

TEST(VoxelWire, RawBytesOfPlainDataMustMatchOrBeZero) {
  v1::VoxelBlock block = PackedBlock();
  block.mutable_packed()->mutable_words()->set_raw_bytes(2048);
  EXPECT_THAT(CheckBlock(block), IsOk());
  block.mutable_packed()->mutable_words()->set_raw_bytes(2049);
  EXPECT_THAT(CheckBlock(block), Refused("packed.words.raw_bytes: 2049"));
}

TEST(VoxelWire, DamagedCompressionNamesTheField) {
  v1::VoxelBlock block = PackedBlock();
  v1::PayloadBytes& words = *block.mutable_packed()->mutable_words();
  words.set_raw_bytes(2048);
  for (const auto compression :
       {v1::COMPRESSION_ZLIB, v1::COMPRESSION_ZSTD, v1::COMPRESSION_LZ4}) {
    words.set_compression(compression);
    words.set_data("\xff\xff nonsense");
    PayloadStore store;
    EXPECT_THAT(BlockFromProto(block, store),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("packed.words.data: ")));
  }
}

TEST(VoxelWire, LayoutRulesOfCoreAreAsked) {
  v1::VoxelBlock runs = PackedBlock();
  runs.mutable_runs()->add_counts(4096);
  EXPECT_THAT(CheckBlock(runs),
              Refused("runs.entries: length 0 is not allowed; allowed: 1"));
  v1::VoxelBlock palette = PackedBlock();
  for (int i = 0; i < 17; ++i) palette.add_palette(1);
  EXPECT_THAT(CheckBlock(palette), Refused("packed.bits_per_entry: 4"));
}

}  // namespace
}  // namespace kiln::wire
