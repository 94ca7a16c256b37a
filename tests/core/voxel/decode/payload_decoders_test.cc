// The rules of each payload of encoded_block.h, one by one, and layouts of real
// formats as small goldens.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/voxel/decode/block_decoder.h"
#include "core/voxel/decode/decode_sparse.h"
#include "core/voxel/decode/payload_layout.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::kiln::tests::StatusIs;
using ::testing::HasSubstr;

using Ids = std::vector<uint32_t>;

EncodedBlock Block(const Vec3i& size, Payload payload,
                   AxisOrder order = AxisOrder::kXyz) {
  EncodedBlock block;
  block.size = size;
  block.axis_order = order;
  block.payload = payload;
  return block;
}

// "#" solid, "." air: rows along x, then y, separated by spaces; z layers by /.
std::string Draw(const absl::StatusOr<VoxelBlock>& block) {
  if (!block.ok()) return std::string(block.status().message());
  std::string text;
  for (int z = 0; z < block->size().z; ++z) {
    if (z > 0) text += "/";
    for (int y = 0; y < block->size().y; ++y) {
      if (y > 0) text += " ";
      for (int x = 0; x < block->size().x; ++x) {
        text += block->occupancy.Get(x, y, z) ? '#' : '.';
      }
    }
  }
  return text;
}

testing::Matcher<absl::StatusOr<VoxelBlock>> Refused(const std::string& why) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(why));
}

TEST(Bitset, TailBitsMustBeClear) {
  const std::vector<uint8_t> good = {0xa5, 0x03};
  const std::vector<uint8_t> bad = {0xa5, 0x07};
  EXPECT_EQ(Draw(DecodeBlock(Block({5, 2, 1}, BitsetPayload{good}))),
            "#.#.. #.###");
  EXPECT_THAT(DecodeBlock(Block({5, 2, 1}, BitsetPayload{bad})),
              Refused("bitset.bits: a bit set beyond the last voxel"));
}

TEST(Bitset, PaletteOfOneAllowsNoSetBit) {
  const std::vector<uint8_t> bits = {0x08};
  const Ids palette = {9};
  EncodedBlock block = Block({4, 1, 1}, BitsetPayload{bits});
  block.palette = palette;
  EXPECT_THAT(DecodeBlock(block),
              Refused("voxel (3, 0, 0): 1 is not allowed; allowed: 0..0"));
}

TEST(Bitset, PaletteMayInvertIt) {
  const std::vector<uint8_t> bits = {0x05};
  const Ids palette = {9, 0};
  EncodedBlock block = Block({4, 1, 1}, BitsetPayload{bits});
  block.palette = palette;
  EXPECT_EQ(Draw(DecodeBlock(block)), ".#.#");
}

TEST(Array, WidthsThatDoNotExistAreRefused) {
  for (const int width : {0, 3, 5, 8, -1}) {
    EXPECT_THAT(DecodeBlock(Block({1, 1, 1}, ArrayPayload{{}, width})),
                Refused("array.bytes_per_entry: " + std::to_string(width) +
                        " is not allowed; allowed: 1, 2 or 4"));
  }
}

TEST(Packed, WidthsThatDoNotExistAreRefused) {
  for (const int bits : {0, 33, -4}) {
    EXPECT_THAT(DecodeBlock(Block({1, 1, 1}, PackedPayload{{}, bits})),
                Refused("packed.bits_per_entry: " + std::to_string(bits) +
                        " is not allowed; allowed: 1..32"));
  }
  for (const int word : {0, 8, 16, 128}) {
    EXPECT_THAT(DecodeBlock(Block({1, 1, 1}, PackedPayload{{}, 4, word})),
                Refused("packed.word_bits: " + std::to_string(word)));
  }
}

TEST(Packed, BitsTooFewForThePaletteAreRefused) {
  const Ids palette(17);
  const std::vector<uint8_t> bytes(8);
  EncodedBlock block = Block({2, 2, 2}, PackedPayload{bytes, 4});
  block.palette = palette;
  EXPECT_THAT(DecodeBlock(block),
              Refused("packed.bits_per_entry: 4 is not allowed; allowed: "
                      "enough to tell 17 palette entries apart"));
  block.payload = PackedPayload{bytes, 5};  // More than needed is allowed.
  EXPECT_TRUE(DecodeBlock(block).ok());
}

TEST(Palette, LengthOverTheLimitIsRefused) {
  const Ids palette(65537);
  EncodedBlock block = Block({1, 1, 1}, UniformPayload{});
  block.palette = palette;
  EXPECT_THAT(DecodeBlock(block),
              Refused("palette: length 65537 is not allowed; allowed: at most "
                      "65536"));
}

TEST(Solidity, ListOverTheLimitIsRefused) {
  const Ids ids(65537);
  EncodedBlock block = Block({1, 1, 1}, UniformPayload{});
  block.solidity.class_ids = ids;
  block.solidity.classes = ids;
  EXPECT_THAT(DecodeBlock(block), Refused("solidity: a list of 65537 ids"));
}

TEST(Solidity, ClassesMustMatchTheirIds) {
  const Ids ids = {1, 2};
  const Ids classes = {1};
  EncodedBlock block = Block({1, 1, 1}, UniformPayload{});
  block.solidity.class_ids = ids;
  block.solidity.classes = classes;
  EXPECT_THAT(DecodeBlock(block), Refused("solidity.classes: length 1"));
}

TEST(Uniform, EntryBeyondPaletteIsRefused) {
  const Ids palette = {4};
  EncodedBlock block = Block({2, 2, 2}, UniformPayload{1});
  block.palette = palette;
  EXPECT_THAT(DecodeBlock(block),
              Refused("uniform_entry: 1 is not allowed; allowed: 0..0"));
}

TEST(Runs, FillInPayloadOrder) {
  const Ids entries = {1, 0, 2};
  const Ids counts = {3, 2, 1};
  EXPECT_EQ(Draw(DecodeBlock(Block({3, 2, 1}, RunsPayload{entries, counts},
                                   AxisOrder::kYxz))),
            "##. #.#");
}

TEST(Runs, CountsMustBePositiveAndSumToTheVoxels) {
  const Ids entries = {1, 0};
  const Ids zero = {6, 0};
  const Ids many = {4, 3};
  const Ids few = {4, 1};
  const Ids huge = {4, ~0u};
  const auto decode = [&](const Ids& counts) {
    return DecodeBlock(Block({3, 2, 1}, RunsPayload{entries, counts}));
  };
  EXPECT_THAT(decode(zero), Refused("runs.counts[1]: 0 is not allowed"));
  EXPECT_THAT(decode(many),
              Refused("runs.counts[1]: 3 is not allowed; allowed: 1..2"));
  EXPECT_THAT(decode(huge), Refused("runs.counts[1]: 4294967295"));
  EXPECT_THAT(decode(few), Refused("runs.counts: a sum of 5 is not allowed; "
                                   "allowed: 6, the voxels"));
}

TEST(Points, LastOneWins) {
  const Ids at = {0, 0, 0, 2, 1, 0, 0, 0, 0};
  const Ids entries = {5, 0, 0};
  EXPECT_EQ(Draw(DecodeBlock(Block({3, 2, 1}, PointsPayload{at, entries, 1}))),
            ".## ##.");
}

TEST(Points, OneEntryServesAll) {
  const Ids at = {0, 0, 0, 2, 1, 0};
  const Ids entry = {5};
  EXPECT_EQ(Draw(DecodeBlock(Block({3, 2, 1}, PointsPayload{at, entry}))),
            "#.. ..#");
}

TEST(Points, NoneLeaveTheBackground) {
  EXPECT_EQ(Draw(DecodeBlock(Block({2, 1, 2}, PointsPayload{{}, {}, 1}))),
            "##/##");
}

TEST(Points, OutsideTheBlockIsRefused) {
  const Ids at = {0, 0, 0, 2, 2, 0};
  const Ids entry = {5};
  EXPECT_THAT(DecodeBlock(Block({3, 2, 1}, PointsPayload{at, entry})),
              Refused("points.coordinates: y of point 1: 2 is not allowed; "
                      "allowed: 0..1"));
}

TEST(Boxes, LastOneWins) {
  const Ids bounds = {0, 0, 0, 3, 2, 1, 1, 0, 0, 3, 1, 1, 2, 0, 0, 3, 2, 1};
  const Ids entries = {1, 0, 7};
  EXPECT_EQ(Draw(DecodeBlock(Block({4, 2, 1}, BoxesPayload{bounds, entries}))),
            "#.#. ###.");
}

TEST(Boxes, EmptyOrOutsideIsRefused) {
  const Ids entry = {1};
  const Ids empty = {0, 1, 0, 1, 1, 1};
  const Ids outside = {0, 0, 0, 1, 1, 2};
  EXPECT_THAT(DecodeBlock(Block({4, 2, 1}, BoxesPayload{empty, entry})),
              Refused("boxes.bounds: y of box 0: [1, 1) is not allowed; "
                      "allowed: not empty, in 0..2"));
  EXPECT_THAT(DecodeBlock(Block({4, 2, 1}, BoxesPayload{outside, entry})),
              Refused("boxes.bounds: z of box 0: [0, 2)"));
}

TEST(Boxes, PaintingTheBlockTooOftenIsRefused) {
  const Ids entry = {1};
  Ids bounds;
  for (int i = 0; i < internal::kMaxBoxOverdraw; ++i) {
    bounds.insert(bounds.end(), {0, 0, 0, 4, 4, 4});
  }
  EXPECT_TRUE(DecodeBlock(Block({4, 4, 4}, BoxesPayload{bounds, entry})).ok());
  bounds.insert(bounds.end(), {0, 0, 0, 1, 1, 1});
  EXPECT_THAT(DecodeBlock(Block({4, 4, 4}, BoxesPayload{bounds, entry})),
              Refused("at most 64 times the block, 4096"));
}

TEST(Columns, RunsStandBetweenTheFills) {
  // Two columns of 5: ground 2, gap 1, roof 1, sky; and all sky.
  const Ids first_y = {2, 0};
  const Ids run_counts = {2, 0};
  const Ids lengths = {1, 1};
  const Ids entries = {0, 1};
  const Ids below = {1};
  const Ids above = {0};
  const ColumnsPayload columns{first_y, run_counts, lengths,
                               entries, below,      above};
  EXPECT_EQ(Draw(DecodeBlock(Block({2, 5, 1}, columns))), "#. #. .. #. ..");
}

TEST(Columns, FollowTheAxisOrderWithoutY) {
  const Ids first_y = {0, 1, 0, 0};
  const Ids none(4);
  const Ids below = {1};
  const Ids above = {0};
  const ColumnsPayload columns{first_y, none, {}, {}, below, above};
  EXPECT_EQ(Draw(DecodeBlock(Block({2, 1, 2}, columns, AxisOrder::kXyz))),
            ".#/..");
  EXPECT_EQ(Draw(DecodeBlock(Block({2, 1, 2}, columns, AxisOrder::kZyx))),
            "../#.");
}

TEST(Columns, OverfullOrUnmatchedRunsAreRefused) {
  const Ids first_y = {3};
  const Ids one = {1};
  const Ids two = {2};
  const Ids five = {5};
  const auto decode = [&](const Ids& first, const Ids& counts,
                          const Ids& lengths) {
    return DecodeBlock(Block(
        {1, 4, 1}, ColumnsPayload{first, counts, lengths, one, one, one}));
  };
  EXPECT_THAT(decode(first_y, one, two),
              Refused("columns.lengths[0]: 2 is not allowed; allowed: 1..1"));
  EXPECT_THAT(decode(five, one, one),
              Refused("columns.first_y[0]: 5 is not allowed; allowed: 0..4"));
  EXPECT_THAT(decode(first_y, two, one), Refused("columns.run_counts[0]: 2"));
  EXPECT_THAT(decode(one, Ids{0}, one),
              Refused("columns.run_counts: a sum of 0 is not allowed; allowed: "
                      "1, the length of columns.lengths"));
}

// Words as they lie in files and on wires, written out by hand.

TEST(RealLayouts, MinecraftPadsBigEndianWords) {
  // 5 bits: 12 entries a word, 4 bits of padding, here set.
  const std::vector<uint8_t> bytes = {
      0xf0, 0, 0, 0, 0, 0, 0x04, 0x01,  // entries 0: 1, 2: 1
      0xf0, 0, 0, 0, 0, 0, 0x00, 0x40,  // entry 13: 2
  };
  const EncodedBlock block =
      Block({4, 2, 2}, PackedPayload{bytes, 5, 64, false, ByteOrder::kBig},
            AxisOrder::kXzy);
  EXPECT_EQ(Draw(DecodeBlock(block)), "#.#. ..../.... .#..");
}

TEST(RealLayouts, OldMinecraftSpansWords) {
  // 5 bits, entry 12 has 4 bits in the first word and 1 in the second.
  const std::vector<uint8_t> bytes = {
      0x00, 0, 0, 0, 0, 0, 0, 0x00,  //
      0x00, 0, 0, 0, 0, 0, 0, 0x03,  // entry 12: 16, entry 13: 1
  };
  const EncodedBlock block =
      Block({4, 2, 2}, PackedPayload{bytes, 5, 64, true, ByteOrder::kBig},
            AxisOrder::kXzy);
  EXPECT_EQ(Draw(DecodeBlock(block)), ".... ..../.... ##..");
}

TEST(RealLayouts, MinecraftLongCountsAreExact) {
  // wiki.vg: 256, 342, 410, 456, 512 longs for 4..8 bits; 1.13 spans.
  const int longs[] = {256, 342, 410, 456, 512};
  for (int bits = 4; bits <= 8; ++bits) {
    const auto padded = PayloadBytes(PackedPayload{{}, bits}, {16, 16, 16});
    const auto spanning =
        PayloadBytes(PackedPayload{{}, bits, 64, true}, {16, 16, 16});
    EXPECT_EQ(*padded, 8 * longs[bits - 4]);
    EXPECT_EQ(*spanning, 4096 * bits / 8);
  }
}

TEST(RealLayouts, BedrockRunsAlongYInShortWords) {
  // index = x<<8 | z<<4 | y; 32-bit words of 2 entries of 16 bits, here 2^3.
  const std::vector<uint8_t> bytes = {1, 0, 0, 0, 0, 0, 1, 0,
                                      0, 0, 0, 0, 0, 0, 9, 9};
  const EncodedBlock block =
      Block({2, 2, 2}, PackedPayload{bytes, 16, 32}, AxisOrder::kYzx);
  EXPECT_EQ(Draw(DecodeBlock(block)), "#. ../.. ##");
}

TEST(RealLayouts, LuantiHoldsBigEndianIds) {
  // u16 param0, index z*256 + y*16 + x; 126 is air.
  std::vector<uint8_t> bytes(16 * 16 * 16 * 2);
  for (size_t i = 0; i < 4096; ++i) bytes[2 * i + 1] = 126;
  bytes[2 * (3 * 256 + 2 * 16 + 1)] = 126;  // 126 << 8 | 126: not air
  const Ids air = {126, 127};
  EncodedBlock block =
      Block({16, 16, 16}, ArrayPayload{bytes, 2, ByteOrder::kBig});
  block.solidity.kind = Solidity::Kind::kEmptyIds;
  block.solidity.ids = air;
  KILN_ASSERT_OK_AND_ASSIGN(const VoxelBlock decoded, DecodeBlock(block));
  EXPECT_EQ(decoded.occupancy.CountSolid(), 1);
  EXPECT_TRUE(decoded.occupancy.Get(1, 2, 3));
}

TEST(RealLayouts, LitematicEndsInsideALastLong) {
  // 150 cells of 5 bits are 12 longs.
  std::vector<uint8_t> bytes(12 * 8);
  const EncodedBlock block =
      Block({10, 3, 5}, PackedPayload{bytes, 5, 64, true}, AxisOrder::kXzy);
  EXPECT_TRUE(DecodeBlock(block).ok());
  bytes[745 / 8] = 0x3e;   // bits 745..749: the last cell is 31
  bytes[750 / 8] |= 0xc0;  // padding
  KILN_ASSERT_OK_AND_ASSIGN(const VoxelBlock decoded, DecodeBlock(block));
  EXPECT_EQ(decoded.occupancy.CountSolid(), 1);
  EXPECT_TRUE(decoded.occupancy.Get(9, 2, 4));
}

}  // namespace
}  // namespace kiln::core
