#include "core/voxel/exposure.h"

#include <gtest/gtest.h>

#include "core/voxel/boxes/box_partition.h"
#include "tests/support/box_oracles.h"
#include "tests/support/random_blocks.h"

namespace kiln::core {
namespace {

using tests::BlockOfBoxes;
using tests::FullBlock;

constexpr ExposureRule kRules[] = {ExposureRule::kNone, ExposureRule::kAnySolid,
                                   ExposureRule::kPerClass};

uint8_t ExposedFaces(const VoxelBlock& block, const Borders& borders,
                     ExposureRule rule, const Box& box) {
  BoxSet boxes = {box};
  MarkExposedFaces(block, borders, rule, boxes);
  EXPECT_EQ(boxes[0].identity(), box.identity());
  return boxes[0].exposed_faces();
}

TEST(Exposure, UnknownBordersExpose) {
  EXPECT_EQ(ExposedFaces(FullBlock({3, 4, 5}), {}, ExposureRule::kAnySolid,
                         Box({}, {3, 4, 5}, 1)),
            kAllFaces);
}

TEST(Exposure, SolidBordersBury) {
  const VoxelBlock block = FullBlock({3, 70, 5});
  Borders borders;
  for (int i = 0; i < kFaceCount; ++i) {
    borders.planes[static_cast<size_t>(i)] =
        PlaneOfNeighbour(block, static_cast<Face>(i));
  }
  EXPECT_EQ(ExposedFaces(block, borders, ExposureRule::kAnySolid,
                         Box({}, {3, 70, 5}, 1)),
            0);
}

TEST(Exposure, OneAirCellExposesAFace) {
  const VoxelBlock block = FullBlock({4, 66, 4});
  Borders borders;
  VoxelBlock neighbour = block;
  borders.planes[1] = PlaneOfNeighbour(neighbour, Face::kPlusX);
  const Box box({}, {4, 66, 4}, 1);
  const uint8_t plus_x = FaceBit(Face::kPlusX);
  EXPECT_EQ(ExposedFaces(block, borders, ExposureRule::kAnySolid, box),
            kAllFaces & ~plus_x);
  neighbour.occupancy.Clear(0, 65, 3);
  borders.planes[1] = PlaneOfNeighbour(neighbour, Face::kPlusX);
  EXPECT_EQ(ExposedFaces(block, borders, ExposureRule::kAnySolid, box),
            kAllFaces);
}

TEST(Exposure, ClassesBuryByRule) {
  const Box lower({0, 0, 0}, {2, 1, 2}, 1);
  const Box upper({0, 1, 0}, {2, 2, 2}, 2);
  const VoxelBlock block = BlockOfBoxes({2, 2, 2}, {lower, upper});
  const uint8_t plus_y = FaceBit(Face::kPlusY);
  EXPECT_EQ(ExposedFaces(block, {}, ExposureRule::kAnySolid, lower) & plus_y,
            0);
  EXPECT_EQ(ExposedFaces(block, {}, ExposureRule::kPerClass, lower) & plus_y,
            plus_y);
}

TEST(Exposure, NoRuleMarksNothing) {
  const Box box({}, {2, 2, 2}, 1, kAllFaces);
  EXPECT_EQ(ExposedFaces(FullBlock({2, 2, 2}), {}, ExposureRule::kNone, box),
            0);
}

TEST(Exposure, AgreesWithEachCellAround) {
  tests::Random random(12);
  for (int round = 0; round < 60; ++round) {
    const Vec3i size{random.Uniform(1, 140), random.Uniform(1, 70),
                     random.Uniform(1, 6)};
    const int class_count = random.Uniform(1, 3);
    const VoxelBlock block =
        tests::BuildingBlock(size, class_count, random.Next());
    const Borders borders =
        tests::RandomBorders(size, class_count, random.Next());
    for (const ExposureRule rule : kRules) {
      BoxSet boxes = PartitionIntoBoxes(block).value();
      MarkExposedFaces(block, borders, rule, boxes);
      for (const Box& box : boxes) {
        EXPECT_EQ(box.exposed_faces(),
                  tests::ExposedFacesByVoxels(block, borders, rule, box))
            << tests::Describe(block) << ", round " << round;
      }
    }
  }
}

// A seed of noise on every side of a cell, for the rule of contact filters.
TEST(Exposure, CellsAgreeWithUnitBoxes) {
  const Vec3i size{5, 4, 6};
  const VoxelBlock block = tests::NoiseBlock(size, 0.7, 2, 31);
  const Borders borders = tests::RandomBorders(size, 2, 32);
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        const int cls = block.ClassAt(x, y, z);
        if (cls == 0) continue;
        const Vec3i cell{x, y, z};
        const Box box(cell, cell + Vec3i{1, 1, 1}, cls);
        for (const ExposureRule rule : kRules) {
          const uint8_t faces =
              tests::ExposedFacesByVoxels(block, borders, rule, box);
          for (int i = 0; i < kFaceCount; ++i) {
            EXPECT_EQ(
                IsFaceExposed(block, borders, rule, cell, static_cast<Face>(i)),
                ((faces >> i) & 1) != 0);
          }
        }
      }
    }
  }
}

TEST(BorderPlane, HasTheOtherTwoAxes) {
  const Vec3i size{2, 3, 5};
  EXPECT_EQ(BorderPlaneSize(size, Face::kMinusX), (Vec3i{3, 5, 1}));
  EXPECT_EQ(BorderPlaneSize(size, Face::kPlusY), (Vec3i{2, 5, 1}));
  EXPECT_EQ(BorderPlaneSize(size, Face::kMinusZ), (Vec3i{2, 3, 1}));
}

TEST(BorderPlane, ShowsTheTouchingLayer) {
  const VoxelBlock neighbour = BlockOfBoxes(
      {3, 2, 2}, {Box({0, 1, 0}, {1, 2, 1}, 7), Box({2, 0, 1}, {3, 1, 2}, 9)});
  // Beyond our +x face lies its x = 0, beyond our -x face its x = 2.
  const BorderPlane low = PlaneOfNeighbour(neighbour, Face::kPlusX);
  EXPECT_EQ(low.solid.CountSolid(), 1);
  EXPECT_EQ(low.ClassAt(1, 0), 7);
  const BorderPlane high = PlaneOfNeighbour(neighbour, Face::kMinusX);
  EXPECT_EQ(high.solid.CountSolid(), 1);
  EXPECT_EQ(high.ClassAt(0, 1), 9);
}

}  // namespace
}  // namespace kiln::core
