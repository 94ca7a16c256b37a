#include "core/voxel/boxes/box_grow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/box_oracles.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::IsExactPartition;
using tests::StatusIs;

// The counts that Kiln's design quotes: they show that this is the method its
// authors describe.
TEST(Grow, BoxCountsOfNamedGridsAreAsPublished) {
  EXPECT_EQ(GrowBoxes(tests::HillsGrid(32).view())->size(), 173u);
  EXPECT_EQ(GrowBoxes(tests::CavesGrid(32).view())->size(), 1110u);
  EXPECT_EQ(GrowBoxes(tests::BallGrid(32).view())->size(), 297u);
  EXPECT_EQ(GrowBoxes(tests::HillsGrid(64).view())->size(), 1395u);
}

TEST(Grow, TurnsAlternateBetweenAxes) {
  // Growth by turns takes 2 x 2 first; growth along x alone would take 3 x 1.
  const VoxelBlock block = tests::BlockOfVoxels(
      {3, 2, 1}, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}});
  EXPECT_THAT(
      GrowBoxes(block).value(),
      ElementsAre(Box({0, 0, 0}, {2, 2, 1}, 1), Box({2, 0, 0}, {3, 1, 1}, 1)));
}

TEST(Grow, AirGivesNoBoxes) {
  EXPECT_THAT(GrowBoxes(VoxelBlock()).value(), IsEmpty());
  EXPECT_THAT(GrowBoxes(tests::BlockOfVoxels({5, 6, 7}, {})).value(),
              IsEmpty());
}

TEST(Grow, FullBlockIsOneBox) {
  const Vec3i size{65, 3, 256};
  EXPECT_THAT(GrowBoxes(tests::FullBlock(size)).value(),
              ElementsAre(Box({}, size, 1)));
}

TEST(Grow, RandomBlocksAreExact) {
  tests::Random random(3);
  for (int round = 0; round < 40; ++round) {
    const VoxelBlock block =
        tests::MixedBlock(round, {70, 20, 20}, 5, 0.8, random);
    EXPECT_TRUE(IsExactPartition(block, GrowBoxes(block).value())) << round;
  }
}

TEST(Grow, BytesAndBlockAgree) {
  const VoxelBlock block = tests::BuildingBlock({30, 20, 10}, 4, 6);
  const std::vector<uint8_t> classes = tests::ClassBytes(block);
  EXPECT_EQ(GrowBoxes(DenseView(classes.data(), block.size())).value(),
            GrowBoxes(block).value());
}

TEST(Grow, CancelledGivesItsStatus) {
  CancelSource cancel;
  cancel.Cancel();
  EXPECT_THAT(GrowBoxes(tests::FullBlock({64, 64, 64}), cancel.token()),
              StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace kiln::core
