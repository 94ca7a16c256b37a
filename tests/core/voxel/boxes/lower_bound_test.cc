#include "core/voxel/boxes/lower_bound.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/voxel/search/box_cover.h"
#include "core/voxel/search/box_search.h"
#include "tests/golden/exact_small_grids.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using tests::StatusIs;

int64_t BoundOf(const VoxelBlock& block) {
  return BoxCountLowerBound(block).value();
}

int64_t CoverCountOf(const VoxelBlock& block) {
  return static_cast<int64_t>(CoverWithBoxes(block).value().size());
}

TEST(LowerBound, AirNeedsNoBox) {
  EXPECT_EQ(BoundOf(VoxelBlock()), 0);
  EXPECT_EQ(BoundOf(tests::BlockOfVoxels({5, 6, 7}, {})), 0);
}

TEST(LowerBound, FullBlockNeedsOneBox) {
  EXPECT_EQ(BoundOf(tests::FullBlock({1, 1, 1})), 1);
  EXPECT_EQ(BoundOf(tests::FullBlock({130, 7, 256})), 1);
}

TEST(LowerBound, CheckersNeedABoxEach) {
  VoxelBlock block;
  block.occupancy.Reset({9, 8, 7});
  for (int i = 0; i < 9 * 8 * 7; ++i) {
    const Vec3i at{i % 9, i / 9 % 8, i / 72};
    if ((at.x + at.y + at.z) % 2 == 0) block.occupancy.Set(at.x, at.y, at.z);
  }
  EXPECT_EQ(BoundOf(block), 9 * 8 * 7 / 2);
}

TEST(LowerBound, NeverAboveAKnownMinimum) {
  for (const tests::ExactSmallGrid& known : tests::kExactSmallGrids) {
    const int64_t bound = BoundOf(tests::BlockOfMask(known.size, known.solid));
    EXPECT_LE(bound, known.min_cover) << known.name;
    EXPECT_GE(bound, 1) << known.name;
  }
}

TEST(LowerBound, NeverAboveTheMinimumOfRandomGrids) {
  tests::Random random(31);
  for (int round = 0; round < 300; ++round) {
    const VoxelBlock block = tests::NoiseBlock(
        {random.Uniform(1, 4), random.Uniform(1, 4), random.Uniform(1, 4)},
        0.3 + 0.002 * round, random.Uniform(1, 2), random.Next());
    EXPECT_LE(BoundOf(block), CoverCountOf(block)) << tests::Describe(block);
  }
}

TEST(LowerBound, NeverAboveACoverOfLargerBlocks) {
  tests::Random random(32);
  for (int round = 0; round < 40; ++round) {
    const Vec3i size{random.Uniform(1, 200), random.Uniform(1, 14),
                     random.Uniform(1, 14)};
    const VoxelBlock block =
        round % 2 == 0 ? tests::NoiseBlock(size, 0.85, 3, random.Next())
                       : tests::BuildingBlock(size, 3, random.Next());
    EXPECT_LE(BoundOf(block), CoverCountOf(block)) << tests::Describe(block);
  }
}

TEST(LowerBound, BallIsBoundTightly) {
  // The cover of the ball is proven to be a minimum.
  const VoxelBlock ball = tests::BlockOf(tests::BallGrid(32));
  EXPECT_EQ(BoundOf(ball), 81);
  EXPECT_EQ(CoverCountOf(ball), 81);
}

TEST(LowerBound, TerrainIsBoundWithinAFifth) {
  EXPECT_GE(BoundOf(tests::BlockOf(tests::HillsGrid(32))), 135);
  EXPECT_GE(BoundOf(tests::BlockOf(tests::CavesGrid(32))), 641);
}

TEST(LowerBound, ClassesAddUp) {
  const VoxelBlock one = tests::NoiseBlock({12, 12, 12}, 0.5, 1, 33);
  VoxelBlock both = one;  // class 1, and class 2 wherever that is not
  both.classes.clear();
  VoxelBlock two;
  two.occupancy.Reset(one.size());
  for (int i = 0; i < 12 * 12 * 12; ++i) {
    const Vec3i at{i % 12, i / 12 % 12, i / 144};
    const bool solid = one.occupancy.Get(at.x, at.y, at.z);
    both.classes.push_back(solid ? 1 : 2);
    both.occupancy.Set(at.x, at.y, at.z);
    if (!solid) two.occupancy.Set(at.x, at.y, at.z);
  }
  EXPECT_EQ(BoundOf(both), BoundOf(one) + BoundOf(two));
}

TEST(LowerBound, CancelledGivesItsStatus) {
  CancelSource cancel;
  cancel.Cancel();
  EXPECT_THAT(
      BoxCountLowerBound(tests::FullBlock({64, 64, 64}), cancel.token()),
      StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace kiln::core
