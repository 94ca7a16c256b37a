// Faults that people met in other systems when voxels became boxes, cut down to
// tiny inputs. Each test says first what went wrong there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/base/parallel.h"
#include "core/voxel/box_diff.h"
#include "core/voxel/boxes/box_grow.h"
#include "core/voxel/boxes/box_partition.h"
#include "core/voxel/boxes/box_tree.h"
#include "core/voxel/exposure.h"
#include "tests/support/box_oracles.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::BlockOfBoxes;
using tests::BlockOfVoxels;
using tests::FullBlock;
using tests::IsExactPartition;

// The answers of the plain exact methods, which agree on inputs this small.
std::vector<BoxSet> BakeEachWay(const VoxelBlock& block) {
  return {PartitionIntoBoxes(block).value(), GrowBoxes(block).value(),
          BuildBoxTree(block)->boxes};
}

// The partition with its exposure; what lies beyond the block is UNKNOWN.
BoxSet BakeExposed(const VoxelBlock& block, const Borders& borders = {},
                   ExposureRule rule = ExposureRule::kAnySolid) {
  BoxSet boxes = PartitionIntoBoxes(block).value();
  MarkExposedFaces(block, borders, rule, boxes);
  return boxes;
}

bool IsExposed(const Box& box, Face face) {
  return (box.exposed_faces() & FaceBit(face)) != 0;
}

BoxSet Moved(BoxSet boxes, const Vec3i& by) {
  for (Box& box : boxes) {
    box = Box(box.min() + by, box.max() + by, box.cls(), box.exposed_faces());
  }
  return boxes;
}

// celeron55/buildat#31: growth ran past the chunk's end into memory that was
// not its own; players walked on air and fell through the floor.
TEST(BoxesRegress, GrowthStopsAtTheChunk) {
  const Vec3i outer{64, 64, 64};
  std::vector<uint8_t> world(static_cast<size_t>(Volume(outer)), 1);
  VoxelView<uint8_t> chunk = DenseView(world.data(), outer);
  chunk.min = {16, 16, 16};
  chunk.max = {48, 48, 48};
  for (int z = 0; z < 32; ++z) {
    for (int y = 0; y < 32; ++y) {
      for (int x = 0; x < 32; ++x) {
        const bool solid = x >= 29 && y == 0 && z == 0;
        world[static_cast<size_t>(chunk.Address(x, y, z) - world.data())] =
            solid;
      }
    }
  }
  const Box expected({29, 0, 0}, {32, 1, 1}, 1);
  BoxSet boxes;
  PartitionIntoBoxes(chunk, boxes);
  EXPECT_THAT(boxes, ElementsAre(expected));
  EXPECT_THAT(GrowBoxes(chunk).value(), ElementsAre(expected));
  EXPECT_THAT(BuildBoxTree(chunk)->boxes, ElementsAre(expected));
}

// RandyGaul/qu3e#58: a sliding box stopped on the seam between two floor boxes.
TEST(BoxesRegress, FlushFloorVoxelsAreOneBox) {
  const VoxelBlock block = BlockOfVoxels({2, 1, 1}, {{0, 0, 0}, {1, 0, 0}});
  for (const BoxSet& boxes : BakeEachWay(block)) {
    EXPECT_THAT(boxes, ElementsAre(Box({0, 0, 0}, {2, 1, 1}, 1)));
  }
}

// jrouwe/JoltPhysics#717: a rolling sphere bounced where two cubes touched.
TEST(BoxesRegress, FlushCubesAreOneBox) {
  const VoxelBlock block = BlockOfBoxes(
      {4, 2, 2}, {Box({0, 0, 0}, {2, 2, 2}, 1), Box({2, 0, 0}, {4, 2, 2}, 1)});
  for (const BoxSet& boxes : BakeEachWay(block)) {
    EXPECT_THAT(boxes, ElementsAre(Box({0, 0, 0}, {4, 2, 2}, 1)));
  }
}

// jrouwe/JoltPhysics#717, with two materials: they stay two boxes, so the faces
// at the seam must say that nothing can touch them.
TEST(BoxesRegress, FlushMaterialsBuryTheirSeam) {
  const VoxelBlock block = BlockOfBoxes(
      {4, 2, 2}, {Box({0, 0, 0}, {2, 2, 2}, 1), Box({2, 0, 0}, {4, 2, 2}, 2)});
  const BoxSet boxes = BakeExposed(block);
  ASSERT_EQ(boxes.size(), 2u);
  EXPECT_EQ(boxes[0].exposed_faces(), kAllFaces & ~FaceBit(Face::kPlusX));
  EXPECT_EQ(boxes[1].exposed_faces(), kAllFaces & ~FaceBit(Face::kMinusX));
}

// notgiven688/jitterphysics2#108: a capsule snagged where boxes lie side by
// side, here a floor and a wall that touch along an edge.
TEST(BoxesRegress, FloorAndWallAcrossAnEdgeAreExact) {
  const VoxelBlock block =
      BlockOfVoxels({2, 2, 2}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}, {1, 1, 1}});
  for (const BoxSet& boxes : BakeEachWay(block)) {
    EXPECT_THAT(boxes, ElementsAre(Box({0, 0, 0}, {2, 1, 1}, 1),
                                   Box({0, 1, 1}, {2, 2, 2}, 1)));
  }
}

// notgiven688/jitterphysics2#108, with the wall standing flush on the floor:
// its foot is buried, and so is the end of the floor under it.
TEST(BoxesRegress, FlushWallBuriesItsFoot) {
  const VoxelBlock block = BlockOfBoxes(
      {2, 2, 2}, {Box({0, 0, 0}, {2, 1, 2}, 1), Box({0, 1, 1}, {2, 2, 2}, 1)});
  const BoxSet boxes = BakeExposed(block);
  ASSERT_THAT(boxes.size(), 2u);
  EXPECT_TRUE(IsExactPartition(block, boxes));
  EXPECT_FALSE(IsExposed(boxes[1], Face::kMinusY));
  EXPECT_TRUE(IsExposed(boxes[1], Face::kPlusY));
}

// Zylann/godot_voxel#121: bodies jittered in a corner of triangles; of boxes
// the corner needs three, and no more.
TEST(BoxesRegress, RoomCornerIsThreeBoxes) {
  const VoxelBlock block =
      BlockOfBoxes({4, 4, 4}, {Box({0, 0, 0}, {4, 1, 4}, 1),    // floor
                               Box({0, 1, 0}, {1, 4, 4}, 1),    // wall at x = 0
                               Box({1, 1, 0}, {4, 4, 1}, 1)});  // wall at z = 0
  for (const BoxSet& boxes : BakeEachWay(block)) {
    EXPECT_EQ(boxes.size(), 3u);
    EXPECT_TRUE(IsExactPartition(block, boxes));
  }
}

// dimforge/parry#344: splitting a solid at a chunk border made inner edges that
// bodies caught on.
TEST(BoxesRegress, ChunkBorderIsNoSurface) {
  const VoxelBlock chunk = FullBlock({4, 4, 4});
  Borders of_a, of_b;
  of_a.planes[static_cast<size_t>(Face::kPlusX)] =
      PlaneOfNeighbour(chunk, Face::kPlusX);
  of_b.planes[static_cast<size_t>(Face::kMinusX)] =
      PlaneOfNeighbour(chunk, Face::kMinusX);
  EXPECT_EQ(BakeExposed(chunk, of_a)[0].exposed_faces(),
            kAllFaces & ~FaceBit(Face::kPlusX));
  EXPECT_EQ(BakeExposed(chunk, of_b)[0].exposed_faces(),
            kAllFaces & ~FaceBit(Face::kMinusX));
}

// dimforge/parry#344, the other way round: once b's first layer is dug away,
// a's face is a surface again.
TEST(BoxesRegress, DiggingTheNeighbourExposesTheBorder) {
  const VoxelBlock dug =
      BlockOfBoxes({4, 4, 4}, {Box({1, 0, 0}, {4, 4, 4}, 1)});
  Borders of_a;
  of_a.planes[static_cast<size_t>(Face::kPlusX)] =
      PlaneOfNeighbour(dug, Face::kPlusX);
  const VoxelBlock a = FullBlock({4, 4, 4});
  EXPECT_TRUE(IsExposed(BakeExposed(a, of_a)[0], Face::kPlusX));
  EXPECT_TRUE(
      IsFaceExposed(a, of_a, ExposureRule::kAnySolid, {3, 2, 1}, Face::kPlusX));
}

// ryanhcode/sable#1133: two bodies without a single voxel crashed the engine.
TEST(BoxesRegress, AirGivesNoBoxes) {
  for (const BoxSet& boxes : BakeEachWay(BlockOfVoxels({8, 8, 8}, {}))) {
    EXPECT_THAT(boxes, IsEmpty());
  }
  for (const BoxSet& boxes : BakeEachWay(VoxelBlock())) {
    EXPECT_THAT(boxes, IsEmpty());
  }
}

// BLaZeKiLL/VloxyEngine#112, Delt06/voxel-terrain#2, ChiselsAndBits#1358: a
// chunk whose last voxel went away threw while its empty shape was built.
TEST(BoxesRegress, EmptyingAChunkRemovesItsBoxes) {
  const BoxSet before = BakeExposed(BlockOfVoxels({8, 8, 8}, {{1, 2, 3}}));
  const BoxSet after = BakeExposed(BlockOfVoxels({8, 8, 8}, {}));
  const BoxDiff diff = DiffBoxes(before, after);
  EXPECT_EQ(diff.removed, before);
  EXPECT_THAT(diff.added, IsEmpty());
  EXPECT_THAT(ApplyDiff(before, diff).value(), IsEmpty());
}

// amerkoleci/JoltPhysicsSharp#60: a compound of one child crashed its caller.
TEST(BoxesRegress, SolidChunkIsOneBox) {
  for (const BoxSet& boxes : BakeEachWay(FullBlock({16, 16, 16}))) {
    EXPECT_THAT(boxes, ElementsAre(Box({}, {16, 16, 16}, 1)));
  }
}

// luanti#6197: players got stuck in a structure, but only where it crossed
// y = 0.
TEST(BoxesRegress, HeightInTheBlockDoesNotMatter) {
  const VoxelBlock pattern = BlockOfVoxels(
      {3, 4, 1}, {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}, {2, 1, 0}});
  const std::vector<BoxSet> expected = BakeEachWay(pattern);
  for (int y0 = 0; y0 <= 6; ++y0) {
    const VoxelBlock moved =
        BlockOfBoxes({3, 10, 1}, Moved(expected[0], {0, y0, 0}));
    const std::vector<BoxSet> boxes = BakeEachWay(moved);
    for (size_t i = 0; i < boxes.size(); ++i) {
      EXPECT_EQ(boxes[i], Moved(expected[i], {0, y0, 0})) << y0;
    }
  }
}

// luanti#6197, across a chunk border: a post of four voxels at y0 = -3..-1 is
// two boxes, flush and buried where they meet.
TEST(BoxesRegress, PostAcrossTwoChunksHasABuriedSeam) {
  for (int below = 1; below <= 3; ++below) {
    const VoxelBlock lower =
        BlockOfBoxes({1, 4, 1}, {Box({0, 4 - below, 0}, {1, 4, 1}, 1)});
    const VoxelBlock upper =
        BlockOfBoxes({1, 4, 1}, {Box({0, 0, 0}, {1, 4 - below, 1}, 1)});
    Borders of_lower, of_upper;
    of_lower.planes[static_cast<size_t>(Face::kPlusY)] =
        PlaneOfNeighbour(upper, Face::kPlusY);
    of_upper.planes[static_cast<size_t>(Face::kMinusY)] =
        PlaneOfNeighbour(lower, Face::kMinusY);
    const BoxSet low = BakeExposed(lower, of_lower);
    const BoxSet high = BakeExposed(upper, of_upper);
    ASSERT_EQ(low.size(), 1u);
    ASSERT_EQ(high.size(), 1u);
    EXPECT_EQ(low[0].size().y + high[0].size().y, 4);
    EXPECT_FALSE(IsExposed(low[0], Face::kPlusY));
    EXPECT_FALSE(IsExposed(high[0], Face::kMinusY));
  }
}

// Zylann/godot_voxel#496, #278: far from the origin coordinates lost their low
// bits. A part at voxel 2^26 gives what it gives at voxel 0.
TEST(BoxesRegress, DistanceFromTheOriginDoesNotMatter) {
  constexpr int kFar = 1 << 26;
  std::vector<uint8_t> line(kFar + 8);
  line[kFar + 1] = line[kFar + 2] = line[kFar + 7] = 1;
  VoxelView<uint8_t> view{line.data(), 1, 0, 0, {kFar, 0, 0}, {kFar + 8, 1, 1}};
  BoxSet boxes;
  PartitionIntoBoxes(view, boxes);
  EXPECT_THAT(boxes, ElementsAre(Box({1, 0, 0}, {3, 1, 1}, 1),
                                 Box({7, 0, 0}, {8, 1, 1}, 1)));
}

// dimforge/rapier.js#354: many small voxel bodies got slower and slower. A
// thousand grids baked at once give what each gives alone.
TEST(BoxesRegress, ThousandSmallGridsAreIndependent) {
  std::vector<VoxelBlock> blocks;
  for (uint64_t i = 0; i < 1000; ++i) {
    blocks.push_back(tests::NoiseBlock({8, 8, 8}, 0.8, 1 + i % 3, i));
  }
  std::vector<BoxSet> together(blocks.size());
  TaskArena arena(2);
  KILN_ASSERT_OK(arena.ForEach(1000, [&](int64_t i) {
    const size_t index = static_cast<size_t>(i);
    together[index] = PartitionIntoBoxes(blocks[index]).value();
  }));
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_TRUE(IsExactPartition(blocks[i], together[i])) << i;
    EXPECT_EQ(together[i], PartitionIntoBoxes(blocks[i]).value()) << i;
  }
}

// voxelmetaverse#45, vx_bevy#23: voxels were off by a half, because one side
// took their centre for what the other took for their corner.
TEST(BoxesRegress, VoxelSpansFromItsIndexToTheNext) {
  const VoxelBlock block = BlockOfVoxels({8, 8, 8}, {{3, 4, 5}});
  for (const BoxSet& boxes : BakeEachWay(block)) {
    ASSERT_EQ(boxes.size(), 1u);
    EXPECT_EQ(boxes[0].min(), (Vec3i{3, 4, 5}));
    EXPECT_EQ(boxes[0].max(), (Vec3i{4, 5, 6}));
  }
}

}  // namespace
}  // namespace kiln::core
