#include "core/voxel/decode/block_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/block_encoders.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::kiln::tests::Encode;
using ::kiln::tests::EncodingChoice;
using ::kiln::tests::EncodingsFor;
using ::kiln::tests::kAllAxisOrders;
using ::kiln::tests::OwnedBlock;
using ::kiln::tests::OwnedSolidity;
using ::kiln::tests::PlainDecode;
using ::kiln::tests::PlainVoxels;
using ::kiln::tests::RandomVoxels;
using ::kiln::tests::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Decodes `voxels` in every step-th encoding and in every axis order, and
// expects one block and one hash.
void ExpectOneResult(const PlainVoxels& voxels, uint32_t max_entry, size_t step,
                     const std::vector<uint32_t>& palette,
                     const OwnedSolidity& solidity) {
  const VoxelBlock expected = PlainDecode(voxels, palette, solidity);
  const Hash128 hash = ContentHash(expected);
  const std::vector<EncodingChoice> choices = EncodingsFor(max_entry);
  for (size_t i = choices.size(); i >= 1; i -= std::min(i, step)) {
    const EncodingChoice& choice = choices[i - 1];
    for (const AxisOrder order : kAllAxisOrders) {
      const auto encoded = Encode(voxels, choice, order, palette, solidity);
      const auto block = DecodeBlock(encoded->block);
      ASSERT_TRUE(block.ok()) << choice.name << ": " << block.status();
      ASSERT_EQ(*block, expected)
          << choice.name << " in order " << static_cast<int>(order);
      ASSERT_EQ(ContentHash(*block), hash);
    }
  }
}

OwnedSolidity ClassesOverPalette() {
  OwnedSolidity solidity;
  solidity.kind = Solidity::Kind::kEmptyIds;
  solidity.ids = {7, 100, 4000000000u};
  solidity.class_ids = {9, 70000, 100};
  solidity.classes = {255, 2, 3};
  return solidity;
}

TEST(BlockDecoder, EncodingsAndOrdersGiveEqualBlocks) {
  uint32_t seed = 1;
  for (const Vec3i& size : {Vec3i{1, 1, 1}, Vec3i{5, 7, 3}, Vec3i{17, 3, 9}}) {
    for (const uint32_t max_entry : {1u, 2u, 13u, 200u, 30000u, ~0u}) {
      SCOPED_TRACE(::testing::Message() << size.x << " wide, seed " << seed);
      ExpectOneResult(RandomVoxels(size, max_entry, seed++), max_entry, 1, {},
                      {});
    }
  }
}

TEST(BlockDecoder, PaletteAndClassesAreEqualOverEncodings) {
  const std::vector<uint32_t> palette = {100, 9, 7, 70000, 4000000000u, 1, 9};
  uint32_t seed = 100;
  for (const Vec3i& size : {Vec3i{4, 4, 4}, Vec3i{9, 5, 6}}) {
    ExpectOneResult(RandomVoxels(size, 6, seed++), 6, 1, palette,
                    ClassesOverPalette());
  }
}

// Every subset of the ids 0..3 is air once; found by a fuzzer: look-ups of
// several entries took a solid entry 0 for a neighbour of every other.
TEST(BlockDecoder, EveryChoiceOfAirIsEqualOverEncodings) {
  const PlainVoxels voxels = RandomVoxels({6, 5, 4}, 3, 8);
  for (uint32_t air = 0; air < 16; ++air) {
    OwnedSolidity solidity;
    solidity.kind = Solidity::Kind::kEmptyIds;
    for (uint32_t id = 0; id < 4; ++id) {
      if ((air >> id & 1) != 0) solidity.ids.push_back(id);
    }
    ExpectOneResult(voxels, 3, 3, {}, solidity);
    ExpectOneResult(voxels, 3, 5, {3, 0, 2, 1}, solidity);
  }
}

TEST(BlockDecoder, ClassesOfRawIdsAreEqualOverEncodings) {
  OwnedSolidity solidity;
  solidity.kind = Solidity::Kind::kSolidIds;
  solidity.ids = {3, 4, 5, 70000, 70001};
  solidity.class_ids = {4, 5, 70001, 6};
  solidity.classes = {200, 0, 7, 9};
  for (const uint32_t max_entry : {5u, 70001u}) {
    PlainVoxels voxels = RandomVoxels({6, 5, 7}, 5, max_entry);
    if (max_entry > 5) {
      for (uint32_t& entry : voxels.entries) {
        if (entry < 2) entry += 70000;
      }
    }
    ExpectOneResult(voxels, max_entry, 1, {}, solidity);
  }
}

// Rows, words, tiles and edges that end in every way.
TEST(BlockDecoder, ShapesOfAllKindsAreEqualOverOrders) {
  uint32_t seed = 200;
  for (const Vec3i& size :
       {Vec3i{16, 16, 16}, Vec3i{64, 3, 2}, Vec3i{65, 2, 33}, Vec3i{3, 1, 130},
        Vec3i{128, 2, 9}, Vec3i{256, 1, 2}, Vec3i{1, 256, 3}, Vec3i{2, 3, 256},
        Vec3i{40, 31, 1}, Vec3i{63, 1, 65}}) {
    SCOPED_TRACE(::testing::Message()
                 << size.x << "x" << size.y << "x" << size.z);
    ExpectOneResult(RandomVoxels(size, 5, seed++), 5, 29, {}, {});
  }
}

TEST(BlockDecoder, ClassesOfAllShapesAreEqualOverOrders) {
  const std::vector<uint32_t> palette = {100, 9, 7, 70000};
  for (const Vec3i& size : {Vec3i{33, 35, 2}, Vec3i{2, 34, 65}}) {
    ExpectOneResult(RandomVoxels(size, 3, 7), 3, 40, palette,
                    ClassesOverPalette());
  }
}

TEST(BlockDecoder, UniformFillsOrLeavesAir) {
  EncodedBlock encoded;
  encoded.size = {70, 3, 2};
  encoded.payload = UniformPayload{5};
  KILN_ASSERT_OK_AND_ASSIGN(const VoxelBlock full, DecodeBlock(encoded));
  EXPECT_EQ(full.occupancy.CountSolid(), 70 * 3 * 2);
  encoded.payload = UniformPayload{0};
  KILN_ASSERT_OK_AND_ASSIGN(const VoxelBlock air, DecodeBlock(encoded));
  EXPECT_EQ(air.occupancy.CountSolid(), 0);
}

TEST(BlockDecoder, GreatestBlockIsDecoded) {
  EncodedBlock encoded;
  encoded.size = {256, 256, 256};
  const std::vector<uint8_t> bytes(256 * 256 * 256 / 8, 0xff);
  encoded.payload = BitsetPayload{bytes};
  encoded.axis_order = AxisOrder::kZyx;
  KILN_ASSERT_OK_AND_ASSIGN(const VoxelBlock block, DecodeBlock(encoded));
  EXPECT_EQ(block.occupancy.CountSolid(), 256 * 256 * 256);
}

TEST(BlockDecoder, SizesOutOfRangeAreRefused) {
  for (const int edge : {0, -1, 257, 1 << 30}) {
    for (int axis = 0; axis < 3; ++axis) {
      EncodedBlock encoded;
      encoded.size = {8, 8, 8};
      encoded.size[axis] = edge;
      encoded.payload = ArrayPayload{};
      const std::string field = std::string("size.") + "xyz"[axis] + ": ";
      EXPECT_THAT(DecodeBlock(encoded),
                  StatusIs(absl::StatusCode::kInvalidArgument,
                           AllOf(HasSubstr(field + std::to_string(edge)),
                                 HasSubstr("1..256"))));
    }
  }
}

// The bytes of every dense encoding, cut at every place and with one byte more.
TEST(BlockDecoder, EveryTruncationAndTrailingByteIsRefused) {
  const PlainVoxels voxels = RandomVoxels({3, 4, 5}, 1, 3);
  for (const EncodingChoice& choice : EncodingsFor(1)) {
    const auto encoded = Encode(voxels, choice, AxisOrder::kXyz);
    const size_t whole = encoded->bytes.size();
    if (whole == 0) continue;
    encoded->bytes.push_back(0);
    for (size_t length = 0; length <= whole + 1; ++length) {
      const std::span<const uint8_t> cut(encoded->bytes.data(), length);
      Payload payload = choice.payload;
      if (auto* p = std::get_if<BitsetPayload>(&payload)) p->bytes = cut;
      if (auto* p = std::get_if<ArrayPayload>(&payload)) p->bytes = cut;
      if (auto* p = std::get_if<PackedPayload>(&payload)) p->bytes = cut;
      EncodedBlock block = encoded->block;
      block.payload = payload;
      ASSERT_EQ(DecodeBlock(block).ok(), length == whole)
          << choice.name << " with " << length << " of " << whole;
    }
  }
}

// The same for every list of every other payload.
TEST(BlockDecoder, EveryShorterOrLongerListIsRefused) {
  const PlainVoxels voxels = RandomVoxels({3, 4, 2}, 5, 4);
  for (const EncodingChoice& choice : EncodingsFor(5)) {
    for (size_t list = 0; list < 6; ++list) {
      const auto whole = Encode(voxels, choice, AxisOrder::kYzx);
      const size_t length = whole->lists[list].size();
      if (length == 0) continue;
      for (size_t cut = 0; cut <= length + 1; ++cut) {
        // One element for all is allowed where there are many.
        if (cut == length || (cut == 1 && length > 1)) continue;
        const auto encoded = Encode(voxels, choice, AxisOrder::kYzx);
        encoded->lists[list].resize(cut, 1);
        encoded->Bind();
        EXPECT_THAT(DecodeBlock(encoded->block),
                    StatusIs(absl::StatusCode::kInvalidArgument))
            << choice.name << ", list " << list << ", " << cut << " of "
            << length;
      }
    }
  }
}

TEST(BlockDecoder, LengthErrorNamesFieldLengthAndNeed) {
  const std::vector<uint8_t> bytes(100);
  EncodedBlock encoded;
  encoded.size = {16, 16, 16};
  encoded.payload = PackedPayload{bytes, 5};
  EXPECT_THAT(DecodeBlock(encoded),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("packed.words: length 100"),
                             HasSubstr("2736 (4096 voxels of 5 bits"))));
}

TEST(BlockDecoder, EntryBeyondPaletteNamesVoxelAndRange) {
  PlainVoxels voxels = RandomVoxels({5, 4, 3}, 6, 5);
  voxels.At(2, 1, 2) = 7;
  const std::vector<uint32_t> palette = {0, 1, 2, 3, 4, 5, 6};
  int dense = 0;
  for (const EncodingChoice& choice : EncodingsFor(7)) {
    const auto encoded = Encode(voxels, choice, AxisOrder::kZxy, palette);
    const auto block = DecodeBlock(encoded->block);
    ASSERT_THAT(block, StatusIs(absl::StatusCode::kInvalidArgument,
                                HasSubstr("7 is not allowed; allowed: 0..6")))
        << choice.name;
    if (encoded->bytes.empty()) continue;
    ++dense;
    EXPECT_THAT(block, StatusIs(absl::StatusCode::kInvalidArgument,
                                HasSubstr("voxel (2, 1, 2)")));
  }
  EXPECT_EQ(dense, 3 * 2 + 30 * 8);
}

TEST(BlockDecoder, EntryBeyondPaletteIsRefusedWhereClassesAreAskedFor) {
  PlainVoxels voxels = RandomVoxels({5, 4, 3}, 3, 5);
  voxels.At(4, 3, 2) = 4;
  const std::vector<uint32_t> palette = {0, 9, 70000, 3};
  for (const EncodingChoice& choice : EncodingsFor(4)) {
    const auto encoded =
        Encode(voxels, choice, AxisOrder::kXyz, palette, ClassesOverPalette());
    EXPECT_THAT(DecodeBlock(encoded->block),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("4 is not allowed; allowed: 0..3")))
        << choice.name;
  }
}

TEST(BlockDecoder, CancelledDecodingStops) {
  CancelSource source;
  source.Cancel();
  const PlainVoxels voxels = RandomVoxels({4, 4, 4}, 5, 5);
  for (const EncodingChoice& choice : EncodingsFor(5)) {
    const auto encoded = Encode(voxels, choice, AxisOrder::kXyz);
    EXPECT_THAT(DecodeBlock(encoded->block, source.token()),
                StatusIs(absl::StatusCode::kCancelled))
        << choice.name;
  }
}

template <typename T>
class BlockFromViewTest : public ::testing::Test {};
using EntryTypes = ::testing::Types<uint8_t, uint16_t, uint32_t>;
TYPED_TEST_SUITE(BlockFromViewTest, EntryTypes);

// A part of a larger array, seen through swapped axes.
TYPED_TEST(BlockFromViewTest, PartOfAnArrayIsSeenThroughItsStrides) {
  const Vec3i whole{9, 8, 70};
  const PlainVoxels voxels = RandomVoxels(whole, 3, 6);
  const std::vector<TypeParam> array(voxels.entries.begin(),
                                     voxels.entries.end());
  VoxelView<TypeParam> view;
  view.data = array.data();
  view.stride_x = whole.x * whole.y;  // the array's z
  view.stride_y = whole.x;
  view.stride_z = 1;
  view.min = {2, 1, 3};
  view.max = {69, 8, 9};
  KILN_ASSERT_OK_AND_ASSIGN(const VoxelBlock block, BlockFromView(view));
  ASSERT_EQ(block.size(), (Vec3i{67, 7, 6}));
  for (int z = 0; z < 6; ++z) {
    for (int y = 0; y < 7; ++y) {
      for (int x = 0; x < 67; ++x) {
        ASSERT_EQ(block.occupancy.Get(x, y, z),
                  voxels.At(z + 3, y + 1, x + 2) != 0);
      }
    }
  }
}

TYPED_TEST(BlockFromViewTest, DenseArrayEqualsDecodedArray) {
  const PlainVoxels voxels = RandomVoxels({7, 6, 5}, 9, 7);
  const std::vector<TypeParam> array(voxels.entries.begin(),
                                     voxels.entries.end());
  OwnedSolidity solidity = ClassesOverPalette();
  KILN_ASSERT_OK_AND_ASSIGN(
      const VoxelBlock block,
      BlockFromView(DenseView(array.data(), voxels.size), solidity.View()));
  EXPECT_EQ(block, PlainDecode(voxels, {}, solidity));
}

TEST(BlockFromView, EmptyOrMissingViewIsRefused) {
  const uint8_t voxel = 1;
  EXPECT_THAT(BlockFromView(DenseView(&voxel, {1, 0, 1})),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("view.size.y: 0")));
  EXPECT_THAT(BlockFromView(DenseView<uint8_t>(nullptr, {1, 1, 1})),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("view.data: null")));
}

}  // namespace
}  // namespace kiln::core
