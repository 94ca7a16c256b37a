#include "core/voxel/boxes/box_partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/voxel/boxes/box_grow.h"
#include "tests/support/box_oracles.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::BlockOfBoxes;
using tests::BlockOfVoxels;
using tests::BuildingBlock;
using tests::FullBlock;
using tests::IsExactPartition;
using tests::NoiseBlock;
using tests::StatusIs;

BoxSet Partition(const VoxelBlock& block) {
  return PartitionIntoBoxes(block).value();
}

BoxSet PartitionBytes(const std::vector<uint8_t>& voxels, const Vec3i& size) {
  BoxSet boxes;
  PartitionIntoBoxes(DenseView(voxels.data(), size), boxes);
  return boxes;
}

// Sizes at which words, rows and lanes begin, end and spill over.
std::vector<Vec3i> AwkwardSizes() {
  return {{1, 1, 1},    {1, 1, 256},   {256, 1, 1},   {1, 256, 1},
          {7, 31, 5},   {8, 32, 9},    {9, 33, 3},    {15, 63, 4},
          {16, 64, 4},  {17, 65, 4},   {63, 5, 6},    {64, 6, 5},
          {65, 7, 4},   {127, 4, 3},   {128, 3, 4},   {129, 127, 2},
          {3, 128, 16}, {256, 256, 2}, {40, 200, 11}, {2, 255, 33}};
}

TEST(Partition, AirGivesNoBoxes) {
  EXPECT_THAT(Partition(BlockOfVoxels({32, 32, 32}, {})), IsEmpty());
  EXPECT_THAT(Partition(VoxelBlock()), IsEmpty());
  EXPECT_THAT(PartitionBytes({}, {0, 4, 4}), IsEmpty());
}

TEST(Partition, FullBlockIsOneBox) {
  for (const Vec3i& size : AwkwardSizes()) {
    EXPECT_THAT(Partition(FullBlock(size)), ElementsAre(Box({}, size, 1)));
  }
}

TEST(Partition, LargestBlockIsOneBox) {
  const Vec3i size{256, 256, 256};
  EXPECT_THAT(Partition(FullBlock(size)), ElementsAre(Box({}, size, 1)));
}

TEST(Partition, EveryAwkwardSizeIsExact) {
  uint64_t seed = 1;
  for (const Vec3i& size : AwkwardSizes()) {
    for (const int class_count : {1, 3}) {
      const VoxelBlock noise = NoiseBlock(size, 0.7, class_count, ++seed);
      EXPECT_TRUE(IsExactPartition(noise, Partition(noise))) << seed;
      const VoxelBlock building = BuildingBlock(size, class_count, ++seed);
      EXPECT_TRUE(IsExactPartition(building, Partition(building))) << seed;
    }
  }
}

TEST(Partition, FollowsItsRuleVoxelByVoxel) {
  tests::Random random(7);
  for (int round = 0; round < 60; ++round) {
    const Vec3i size{random.Uniform(1, 40), random.Uniform(1, 80),
                     random.Uniform(1, 12)};
    const VoxelBlock block =
        BuildingBlock(size, random.Uniform(1, 4), random.Next());
    EXPECT_EQ(Partition(block), tests::PartitionByVoxels(block))
        << tests::Describe(block) << ", round " << round;
  }
}

TEST(Partition, AllClassesAtOnceAreExact) {
  const VoxelBlock block = NoiseBlock({33, 34, 35}, 0.9, 255, 11);
  ASSERT_EQ(ClassesOf(block).size(), 255u);
  EXPECT_TRUE(IsExactPartition(block, Partition(block)));
}

TEST(Partition, TouchingClassesStayApart) {
  const Box lower({0, 0, 0}, {4, 2, 4}, 1);
  const Box upper({0, 2, 0}, {4, 4, 4}, 2);
  EXPECT_THAT(Partition(BlockOfBoxes({4, 4, 4}, {lower, upper})),
              ElementsAre(lower, upper));
}

TEST(Partition, ClassNumbersDoNotChangeBounds) {
  const VoxelBlock ones = BuildingBlock({20, 20, 20}, 1, 5);
  std::vector<uint8_t> classes = tests::ClassBytes(ones);
  for (uint8_t& cls : classes) cls = cls == 0 ? 0 : 200;
  const BoxSet boxes = Partition(tests::BlockOfClasses(ones.size(), classes));
  const BoxSet expected = Partition(ones);
  ASSERT_EQ(boxes.size(), expected.size());
  for (size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_EQ(boxes[i], Box(expected[i].min(), expected[i].max(), 200));
  }
}

TEST(Partition, BytesAndBlockAgree) {
  uint64_t seed = 100;
  for (const Vec3i& size : AwkwardSizes()) {
    const VoxelBlock block = BuildingBlock(size, 1, ++seed);
    EXPECT_EQ(PartitionBytes(tests::ClassBytes(block), size), Partition(block))
        << seed;
  }
}

TEST(Partition, AnyByteButZeroIsSolid) {
  EXPECT_THAT(
      PartitionBytes({1, 2, 128, 255, 0, 7}, {6, 1, 1}),
      ElementsAre(Box({0, 0, 0}, {4, 1, 1}, 1), Box({5, 0, 0}, {6, 1, 1}, 1)));
}

TEST(Partition, ResultReplacesWhatWasThere) {
  const std::vector<uint8_t> voxel = {1};
  BoxSet boxes(10, Box({3, 3, 3}, {4, 4, 4}, 9));
  PartitionIntoBoxes(DenseView(voxel.data(), {1, 1, 1}), boxes);
  EXPECT_THAT(boxes, ElementsAre(Box({0, 0, 0}, {1, 1, 1}, 1)));
}

// A view of any strides gives what a dense copy of its voxels gives.
TEST(Partition, StridesDoNotMatter) {
  const Vec3i size{34, 21, 18};
  const VoxelBlock block = BuildingBlock(size, 1, 21);
  const BoxSet expected = Partition(block);
  const Vec3i outer{50, 40, 30};
  const Vec3i at{9, 8, 7};
  for (const bool x_fastest : {true, false}) {
    std::vector<uint8_t> array(static_cast<size_t>(Volume(outer)), 1);
    VoxelView<uint8_t> view = DenseView(array.data(), outer);
    if (!x_fastest) {
      view.stride_z = 1;
      view.stride_y = outer.z;
      view.stride_x = ptrdiff_t{outer.z} * outer.y;
    }
    view.min = at;
    view.max = at + size;
    for (int z = 0; z < size.z; ++z) {
      for (int y = 0; y < size.y; ++y) {
        for (int x = 0; x < size.x; ++x) {
          array[static_cast<size_t>(view.Address(x, y, z) - array.data())] =
              static_cast<uint8_t>(block.ClassAt(x, y, z));
        }
      }
    }
    BoxSet boxes;
    PartitionIntoBoxes(view, boxes);
    EXPECT_EQ(boxes, expected);
  }
}

TEST(Partition, ShiftedContentGivesShiftedBoxes) {
  const VoxelBlock block = BuildingBlock({20, 20, 20}, 3, 77);
  const BoxSet boxes = Partition(block);
  for (const Vec3i& shift :
       {Vec3i{1, 0, 0}, {0, 13, 0}, {0, 0, 5}, {44, 45, 3}}) {
    BoxSet moved;
    for (const Box& box : boxes) {
      moved.emplace_back(box.min() + shift, box.max() + shift, box.cls());
    }
    EXPECT_EQ(Partition(BlockOfBoxes({65, 66, 26}, moved)), moved);
  }
}

TEST(Partition, NeedsNoMoreBoxesThanGrowth) {
  for (const int edge : {16, 32, 64}) {
    for (const core::SampleGrid& grid : tests::NamedGrids(edge)) {
      BoxSet boxes;
      PartitionIntoBoxes(grid.view(), boxes);
      EXPECT_LE(boxes.size(), GrowBoxes(grid.view())->size())
          << grid.name << " " << edge;
    }
  }
}

TEST(Partition, BoxCountsOfNamedGridsAreKnown) {
  const auto count = [](const core::SampleGrid& grid) {
    return PartitionBytes(grid.voxels, grid.size()).size();
  };
  EXPECT_EQ(count(tests::HillsGrid(32)), 172u);
  EXPECT_EQ(count(tests::CavesGrid(32)), 1088u);
  EXPECT_EQ(count(tests::BallGrid(32)), 297u);
  EXPECT_EQ(count(tests::HillsGrid(64)), 1351u);
}

TEST(Partition, ThreadsDoNotDisturbEachOther) {
  std::vector<VoxelBlock> blocks;
  std::vector<BoxSet> expected;
  for (int i = 0; i < 8; ++i) {
    blocks.push_back(BuildingBlock({30 + 10 * i, 40, 20}, 1 + i % 3, 900 + i));
    expected.push_back(Partition(blocks.back()));
  }
  std::vector<std::thread> threads;
  for (size_t first = 0; first < 4; ++first) {
    threads.emplace_back([&blocks, &expected, first] {
      for (size_t i = 0; i < 40; ++i) {
        const size_t which = (first + i) % blocks.size();
        EXPECT_EQ(Partition(blocks[which]), expected[which]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Partition, CancelledBeforeItStartsGivesItsStatus) {
  CancelSource cancel;
  cancel.Cancel();
  EXPECT_THAT(PartitionIntoBoxes(FullBlock({64, 64, 64}), cancel.token()),
              StatusIs(absl::StatusCode::kCancelled));
  const CancelSource late(std::chrono::steady_clock::now());
  EXPECT_THAT(PartitionIntoBoxes(FullBlock({64, 64, 64}), late.token()),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

}  // namespace
}  // namespace kiln::core
