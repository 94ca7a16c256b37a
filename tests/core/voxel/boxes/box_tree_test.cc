#include "core/voxel/boxes/box_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/box_oracles.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::BlockOfVoxels;
using tests::IsExactPartition;
using tests::StatusIs;

// Paints the leaves of the subtree at `index` and returns the index behind it.
size_t PaintLeaves(const std::vector<BoxTreeNode>& nodes, size_t index,
                   const Vec3i& min, const Vec3i& max, BoxSet& full,
                   int64_t& volume) {
  const BoxTreeNode& node = nodes.at(index);
  if (node.is_leaf()) {
    if (node.cls != 0) full.emplace_back(min, max, node.cls);
    volume += Volume(max - min);
    return index + 1;
  }
  EXPECT_GT(node.plane, min[node.axis]);
  EXPECT_LT(node.plane, max[node.axis]);
  Vec3i lower_max = max;
  Vec3i upper_min = min;
  lower_max[node.axis] = upper_min[node.axis] = node.plane;
  index = PaintLeaves(nodes, index + 1, min, lower_max, full, volume);
  return PaintLeaves(nodes, index, upper_min, max, full, volume);
}

// The counts that Kiln's design quotes: they show that this is the method its
// authors describe.
TEST(BoxTree, LeafCountsOfNamedGridsAreAsPublished) {
  EXPECT_EQ(BuildBoxTree(tests::HillsGrid(32).view())->boxes.size(), 181u);
  EXPECT_EQ(BuildBoxTree(tests::CavesGrid(32).view())->boxes.size(), 1215u);
  EXPECT_EQ(BuildBoxTree(tests::BallGrid(32).view())->boxes.size(), 287u);
  EXPECT_EQ(BuildBoxTree(tests::HillsGrid(64).view())->boxes.size(), 1494u);
}

TEST(BoxTree, NoVoxelsGiveNoNodes) {
  EXPECT_THAT(BuildBoxTree(VoxelBlock())->nodes, IsEmpty());
}

TEST(BoxTree, UniformBlockIsOneLeaf) {
  const BoxTree air = BuildBoxTree(BlockOfVoxels({4, 5, 6}, {})).value();
  EXPECT_THAT(air.nodes, ElementsAre(BoxTreeNode{3, 0, 0}));
  EXPECT_THAT(air.boxes, IsEmpty());
  const BoxTree solid = BuildBoxTree(tests::FullBlock({4, 5, 6})).value();
  EXPECT_THAT(solid.nodes, ElementsAre(BoxTreeNode{3, 1, 0}));
  EXPECT_THAT(solid.boxes, ElementsAre(Box({}, {4, 5, 6}, 1)));
}

TEST(BoxTree, SplitsWhereMostFacesAre) {
  const VoxelBlock block = tests::BlockOfBoxes(
      {8, 8, 8}, {Box({0, 0, 0}, {8, 3, 8}, 1), Box({2, 3, 2}, {3, 5, 3}, 1)});
  const BoxTree tree = BuildBoxTree(block).value();
  EXPECT_EQ(tree.nodes.front(), (BoxTreeNode{1, 0, 3}));
}

TEST(BoxTree, TiesGoToZThenYThenX) {
  // One voxel in the corner: each axis has one face at its plane 1.
  EXPECT_EQ(BuildBoxTree(BlockOfVoxels({2, 2, 2}, {{0, 0, 0}}))->nodes[0],
            (BoxTreeNode{2, 0, 1}));
  EXPECT_EQ(BuildBoxTree(BlockOfVoxels({2, 2, 1}, {{0, 0, 0}}))->nodes[0],
            (BoxTreeNode{1, 0, 1}));
  EXPECT_EQ(BuildBoxTree(BlockOfVoxels({2, 1, 1}, {{0, 0, 0}}))->nodes[0],
            (BoxTreeNode{0, 0, 1}));
}

TEST(BoxTree, FirstOfEqualPlanesWins) {
  const BoxTree tree =
      BuildBoxTree(BlockOfVoxels({5, 1, 1}, {{1, 0, 0}, {3, 0, 0}})).value();
  EXPECT_EQ(tree.nodes.front(), (BoxTreeNode{0, 0, 1}));
}

TEST(BoxTree, FacesBetweenClassesCount) {
  const VoxelBlock block = tests::BlockOfClasses({4, 1, 1}, {5, 5, 6, 6});
  EXPECT_THAT(BuildBoxTree(block)->nodes,
              ElementsAre(BoxTreeNode{0, 0, 2}, BoxTreeNode{3, 5, 0},
                          BoxTreeNode{3, 6, 0}));
}

TEST(BoxTree, LeavesFillTheBlockAndAreTheBoxes) {
  const VoxelBlock block = tests::BuildingBlock({20, 30, 10}, 3, 8);
  const BoxTree tree = BuildBoxTree(block).value();
  BoxSet full;
  int64_t volume = 0;
  EXPECT_EQ(PaintLeaves(tree.nodes, 0, {}, block.size(), full, volume),
            tree.nodes.size());
  EXPECT_EQ(volume, Volume(block.size()));
  std::sort(full.begin(), full.end());
  EXPECT_EQ(full, tree.boxes);
}

TEST(BoxTree, RandomBlocksAreExact) {
  tests::Random random(4);
  for (int round = 0; round < 30; ++round) {
    const VoxelBlock block =
        tests::MixedBlock(round, {66, 18, 18}, 5, 0.6, random);
    EXPECT_TRUE(IsExactPartition(block, BuildBoxTree(block)->boxes)) << round;
  }
}

TEST(BoxTree, DeepestTreeIsBuilt) {
  // Stripes along one axis make a tree that is as deep as the edge is long.
  std::vector<uint8_t> stripes(256);
  for (size_t i = 0; i < stripes.size(); ++i) stripes[i] = i % 2 == 0;
  const VoxelBlock block = tests::BlockOfClasses({1, 256, 1}, stripes);
  EXPECT_EQ(BuildBoxTree(block)->boxes.size(), 128u);
  EXPECT_EQ(BuildBoxTree(block)->nodes.size(), 511u);
}

TEST(BoxTree, CancelledGivesItsStatus) {
  CancelSource cancel;
  cancel.Cancel();
  EXPECT_THAT(BuildBoxTree(tests::FullBlock({64, 64, 64}), cancel.token()),
              StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace kiln::core
