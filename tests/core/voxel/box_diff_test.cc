#include "core/voxel/box_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/voxel/boxes/box_partition.h"
#include "core/voxel/exposure.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::StatusIs;

Box Unit(int x, int cls = 1, uint8_t exposed = 0) {
  return Box({x, 0, 0}, {x + 1, 1, 1}, cls, exposed);
}

BoxSet Bake(const VoxelBlock& block) {
  BoxSet boxes = PartitionIntoBoxes(block).value();
  MarkExposedFaces(block, {}, ExposureRule::kAnySolid, boxes);
  return boxes;
}

TEST(BoxDiff, EqualSetsDifferInNothing) {
  const BoxSet boxes = {Unit(0), Unit(1, 2)};
  EXPECT_TRUE(DiffBoxes(boxes, boxes).empty());
  EXPECT_TRUE(DiffBoxes({}, {}).empty());
}

TEST(BoxDiff, ChangedBoundsAreRemovedAndAdded) {
  const Box longer({0, 0, 0}, {2, 1, 1}, 1);
  const BoxDiff diff = DiffBoxes({Unit(0), Unit(5)}, {longer, Unit(5)});
  EXPECT_THAT(diff.removed, ElementsAre(Unit(0)));
  EXPECT_THAT(diff.added, ElementsAre(longer));
  EXPECT_THAT(diff.reexposed, IsEmpty());
}

TEST(BoxDiff, ChangedClassIsRemovedAndAdded) {
  const BoxDiff diff = DiffBoxes({Unit(0, 1)}, {Unit(0, 2)});
  EXPECT_THAT(diff.removed, ElementsAre(Unit(0, 1)));
  EXPECT_THAT(diff.added, ElementsAre(Unit(0, 2)));
}

TEST(BoxDiff, ChangedExposureKeepsTheBox) {
  const BoxDiff diff = DiffBoxes({Unit(0, 1, 3)}, {Unit(0, 1, 4)});
  EXPECT_THAT(diff.removed, IsEmpty());
  EXPECT_THAT(diff.added, IsEmpty());
  EXPECT_THAT(diff.reexposed, ElementsAre(Unit(0, 1, 4)));
}

TEST(BoxDiff, FirstAndLastStatesAreWhole) {
  const BoxSet boxes = {Unit(0), Unit(2), Unit(4)};
  EXPECT_EQ(DiffBoxes({}, boxes).added, boxes);
  EXPECT_EQ(DiffBoxes(boxes, {}).removed, boxes);
}

TEST(ApplyDiff, TurnsBeforeIntoAfter) {
  tests::Random random(5);
  for (int round = 0; round < 50; ++round) {
    const Vec3i size{12, 12, 12};
    const BoxSet before = Bake(tests::BuildingBlock(size, 2, random.Next()));
    const BoxSet after = Bake(tests::BuildingBlock(size, 2, random.Next()));
    EXPECT_EQ(ApplyDiff(before, DiffBoxes(before, after)).value(), after);
  }
}

TEST(ApplyDiff, OneEditChangesFewBoxes) {
  VoxelBlock block = tests::BuildingBlock({32, 32, 32}, 1, 44);
  const BoxSet before = Bake(block);
  block.occupancy.Set(31, 31, 31);
  block.occupancy.Clear(31, 31, 31);
  EXPECT_TRUE(DiffBoxes(before, Bake(block)).empty());
  block.occupancy.Set(31, 31, 31);
  const BoxSet after = Bake(block);
  EXPECT_EQ(ApplyDiff(before, DiffBoxes(before, after)).value(), after);
}

TEST(ApplyDiff, MissingRemovedBoxIsRefused) {
  BoxDiff diff;
  diff.removed = {Unit(3)};
  EXPECT_THAT(ApplyDiff({Unit(0), Unit(5)}, diff),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("diff.removed: box [3 0 0, 4 1 1)")));
}

TEST(ApplyDiff, MissingReexposedBoxIsRefused) {
  BoxDiff diff;
  diff.reexposed = {Unit(3, 1, 9)};
  EXPECT_THAT(ApplyDiff({Unit(0)}, diff),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("diff.reexposed")));
}

TEST(ApplyDiff, AddedBoxAlreadyThereIsRefused) {
  BoxDiff diff;
  diff.added = {Unit(0, 1, 5)};
  EXPECT_THAT(
      ApplyDiff({Unit(0)}, diff),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("diff.added")));
}

TEST(ApplyDiff, DisorderIsRefused) {
  BoxDiff diff;
  diff.added = {Unit(4), Unit(2)};
  EXPECT_THAT(
      ApplyDiff({Unit(0)}, diff),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("diff.added")));
}

}  // namespace
}  // namespace kiln::core
