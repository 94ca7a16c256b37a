#include "core/voxel/bit_grid.h"

#include <gtest/gtest.h>

namespace kiln::core {
namespace {

TEST(BitGrid, DefaultHasNoVoxels) {
  const BitGrid grid;
  EXPECT_EQ(grid.size(), Vec3i());
  EXPECT_EQ(grid.rows(), 0);
  EXPECT_EQ(grid.CountSolid(), 0);
}

TEST(BitGrid, SetAndClearTouchOneVoxel) {
  BitGrid grid({130, 3, 2});
  grid.Set(64, 1, 1);
  EXPECT_EQ(grid.CountSolid(), 1);
  EXPECT_TRUE(grid.Get(64, 1, 1));
  EXPECT_FALSE(grid.Get(63, 1, 1));
  EXPECT_FALSE(grid.Get(64, 0, 1));
  grid.Clear(64, 1, 1);
  EXPECT_EQ(grid, BitGrid({130, 3, 2}));
}

TEST(BitGrid, RowsAreOrderedByYThenZ) {
  BitGrid grid({64, 2, 2});
  grid.Set(5, 1, 0);
  grid.Set(6, 0, 1);
  ASSERT_EQ(grid.words().size(), 4u);
  EXPECT_EQ(grid.words()[1], uint64_t{1} << 5);
  EXPECT_EQ(grid.words()[2], uint64_t{1} << 6);
}

TEST(BitGrid, WidthRoundsUpToWords) {
  EXPECT_EQ(BitGrid({1, 1, 1}).words_per_row(), 1);
  EXPECT_EQ(BitGrid({64, 1, 1}).words_per_row(), 1);
  EXPECT_EQ(BitGrid({65, 1, 1}).words_per_row(), 2);
  EXPECT_EQ(BitGrid({256, 1, 1}).words_per_row(), 4);
}

TEST(BitGrid, ResetGivesAir) {
  BitGrid grid({8, 8, 8});
  grid.Set(7, 7, 7);
  grid.Reset({4, 4, 4});
  EXPECT_EQ(grid, BitGrid({4, 4, 4}));
  EXPECT_EQ(grid.CountSolid(), 0);
}

TEST(BitGrid, GridsOfUnlikeSizesDiffer) {
  EXPECT_NE(BitGrid({2, 3, 1}), BitGrid({3, 2, 1}));
}

}  // namespace
}  // namespace kiln::core
