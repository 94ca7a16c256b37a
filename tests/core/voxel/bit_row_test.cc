#include "core/voxel/bit_row.h"

#include <gtest/gtest.h>

#include <array>

namespace kiln::core {
namespace {

using Row = std::array<uint64_t, 4>;

TEST(BitRow, WordRunSetsExactlyItsBits) {
  EXPECT_EQ(WordRun(0, 64), ~uint64_t{0});
  EXPECT_EQ(WordRun(3, 5), 0b11000u);
  EXPECT_EQ(WordRun(63, 64), uint64_t{1} << 63);
}

TEST(BitRow, EverySetRunIsFoundAgain) {
  for (int from = 0; from < 256; from += 7) {
    for (int to = from + 1; to <= 256; to += 11) {
      Row row{};
      const BitRun run(from, to);
      run.SetIn(row.data());
      EXPECT_TRUE(run.IsSetIn(row.data()));
      EXPECT_EQ(FirstSetBit(row.data(), 4, 0), from);
      EXPECT_EQ(FirstClearBit(row.data(), 4, from), to);
      run.ClearIn(row.data());
      EXPECT_EQ(row, Row{});
    }
  }
}

TEST(BitRow, OneMissingBitBreaksARun) {
  for (int hole = 60; hole < 200; ++hole) {
    Row row{};
    const BitRun run(60, 200);
    run.SetIn(row.data());
    BitRun(hole, hole + 1).ClearIn(row.data());
    EXPECT_FALSE(run.IsSetIn(row.data()));
    EXPECT_EQ(FirstClearBit(row.data(), 4, 60), hole);
  }
}

TEST(BitRow, SearchesEndBehindTheLastWord) {
  const Row air{};
  EXPECT_EQ(FirstSetBit(air.data(), 4, 0), 256);
  EXPECT_EQ(FirstSetBit(air.data(), 4, 256), 256);
  const Row solid{~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};
  EXPECT_EQ(FirstClearBit(solid.data(), 4, 0), 256);
  EXPECT_EQ(FirstClearBit(solid.data(), 4, 256), 256);
}

}  // namespace
}  // namespace kiln::core
