#include "core/voxel/voxel_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/random_blocks.h"

namespace kiln::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::BlockOfClasses;
using tests::BlockOfVoxels;

TEST(VoxelBlock, NormalizeDropsClassesOfOneDefault) {
  VoxelBlock block = BlockOfVoxels({2, 1, 1}, {{1, 0, 0}});
  const VoxelBlock plain = block;
  block.classes = {0, 1};
  EXPECT_NE(block, plain);
  block.Normalize();
  EXPECT_EQ(block, plain);
}

TEST(VoxelBlock, NormalizeKeepsOtherClasses) {
  VoxelBlock block = BlockOfVoxels({2, 1, 1}, {{1, 0, 0}});
  block.classes = {0, 2};
  block.Normalize();
  EXPECT_THAT(block.classes, ElementsAre(0, 2));
}

TEST(VoxelBlock, ClassAtIsZeroForAir) {
  const VoxelBlock block = BlockOfClasses({2, 2, 1}, {0, 7, 9, 0});
  EXPECT_EQ(block.ClassAt(0, 0, 0), 0);
  EXPECT_EQ(block.ClassAt(1, 0, 0), 7);
  EXPECT_EQ(block.ClassAt(0, 1, 0), 9);
}

TEST(VoxelBlock, ClassesOfListsThemAscending) {
  EXPECT_THAT(ClassesOf(BlockOfClasses({4, 1, 1}, {255, 0, 3, 255})),
              ElementsAre(3, 255));
  EXPECT_THAT(ClassesOf(BlockOfVoxels({4, 1, 1}, {{2, 0, 0}})), ElementsAre(1));
  EXPECT_THAT(ClassesOf(BlockOfVoxels({4, 1, 1}, {})), IsEmpty());
}

TEST(VoxelBlock, OccupancyOfClassHoldsThatClassAlone) {
  const VoxelBlock block = BlockOfClasses({3, 1, 1}, {5, 6, 5});
  const BitGrid fives = OccupancyOfClass(block, 5);
  EXPECT_TRUE(fives.Get(0, 0, 0));
  EXPECT_FALSE(fives.Get(1, 0, 0));
  EXPECT_TRUE(fives.Get(2, 0, 0));
  EXPECT_EQ(OccupancyOfClass(block, 7), BitGrid({3, 1, 1}));
}

TEST(ContentHash, EqualBlocksHashEqual) {
  const VoxelBlock block = tests::NoiseBlock({9, 8, 7}, 0.5, 3, 1);
  const VoxelBlock same = tests::NoiseBlock({9, 8, 7}, 0.5, 3, 1);
  EXPECT_EQ(ContentHash(block), ContentHash(same));
}

TEST(ContentHash, SizeOccupancyAndClassesCount) {
  const Hash128 hash = ContentHash(BlockOfClasses({2, 1, 1}, {2, 0}));
  EXPECT_NE(hash, ContentHash(BlockOfClasses({2, 1, 1}, {0, 2})));
  EXPECT_NE(hash, ContentHash(BlockOfClasses({2, 1, 1}, {3, 0})));
  EXPECT_NE(hash, ContentHash(BlockOfClasses({1, 2, 1}, {2, 0})));
}

}  // namespace
}  // namespace kiln::core
