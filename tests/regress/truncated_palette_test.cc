// SlopeCraft#131: a short or empty array of palette indices crashed the reader.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/voxel/decode/block_decoder.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::kiln::tests::StatusIs;
using ::testing::HasSubstr;

TEST(TruncatedPalette, ShortOrEmptyWordsAreRefused) {
  const std::vector<uint8_t> words(342 * 8);
  const std::vector<uint32_t> palette(17, 1);
  EncodedBlock block;
  block.size = {16, 16, 16};
  block.axis_order = AxisOrder::kXzy;
  block.palette = palette;
  for (size_t bytes = 0; bytes < words.size(); bytes += 8) {
    block.payload = PackedPayload{std::span<const uint8_t>(words).first(bytes),
                                  5, 64, false, ByteOrder::kBig};
    EXPECT_THAT(DecodeBlock(block), StatusIs(absl::StatusCode::kInvalidArgument,
                                             HasSubstr("allowed: 2736")));
  }
  block.payload = PackedPayload{words, 5, 64, false, ByteOrder::kBig};
  EXPECT_TRUE(DecodeBlock(block).ok());
}

TEST(TruncatedPalette, PaletteShorterThanItsIndicesIsRefused) {
  std::vector<uint8_t> words(342 * 8);
  words[7] = 16;  // voxel (0, 0, 0) is entry 16
  const std::vector<uint32_t> palette(17, 1);
  EncodedBlock block;
  block.size = {16, 16, 16};
  block.payload = PackedPayload{words, 5, 64, false, ByteOrder::kBig};
  for (size_t entries = 1; entries <= 17; ++entries) {
    block.palette = std::span<const uint32_t>(palette).first(entries);
    EXPECT_EQ(DecodeBlock(block).ok(), entries == 17) << entries;
  }
}

}  // namespace
}  // namespace kiln::core
