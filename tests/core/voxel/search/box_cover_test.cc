#include "core/voxel/search/box_cover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/voxel/boxes/box_partition.h"
#include "core/voxel/boxes/lower_bound.h"
#include "core/voxel/search/box_search.h"
#include "tests/golden/exact_small_grids.h"
#include "tests/support/box_oracles.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::IsExactCover;
using tests::StatusIs;

size_t CountOf(const VoxelBlock& block) {
  return CoverWithBoxes(block).value().size();
}

VoxelBlock RandomBlock(int round, tests::Random& random) {
  return tests::MixedBlock(round, {200, 14, 14}, 4, 0.85, random);
}

// The index of a box whose voxels are all in others of its class too, or -1.
int FindRedundant(const VoxelBlock& block, const BoxSet& boxes) {
  std::vector<int> count(static_cast<size_t>(Volume(block.size())));
  const auto for_each_voxel = [&](const Box& box, auto visit) {
    for (int z = box.min().z; z < box.max().z; ++z) {
      for (int y = box.min().y; y < box.max().y; ++y) {
        for (int x = box.min().x; x < box.max().x; ++x) {
          visit(count[block.Index(x, y, z)]);
        }
      }
    }
  };
  for (const Box& box : boxes) for_each_voxel(box, [](int& c) { ++c; });
  for (size_t i = 0; i < boxes.size(); ++i) {
    int least = 2;
    for_each_voxel(boxes[i], [&](int c) { least = std::min(least, c); });
    if (least > 1) return static_cast<int>(i);
  }
  return -1;
}

TEST(Cover, KnownMinimaAreReached) {
  for (const tests::ExactSmallGrid& known : tests::kExactSmallGrids) {
    const VoxelBlock block = tests::BlockOfMask(known.size, known.solid);
    const BoxSet boxes = CoverWithBoxes(block).value();
    EXPECT_TRUE(IsExactCover(block, boxes)) << known.name;
    EXPECT_EQ(boxes.size(), static_cast<size_t>(known.min_cover)) << known.name;
  }
}

TEST(Cover, EveryGridOf2x2x2IsMinimal) {
  std::vector<uint64_t> boxes;
  for (int i = 0; i < 27; ++i) {
    const int ranges[] = {1, 2, 3};  // bit 0: lower voxel, bit 1: upper one
    uint64_t mask = 0;
    for (int v = 0; v < 8; ++v) {
      mask |= uint64_t{(ranges[i % 3] >> (v & 1) & 1) != 0 &&
                       (ranges[i / 3 % 3] >> (v >> 1 & 1) & 1) != 0 &&
                       (ranges[i / 9] >> (v >> 2) & 1) != 0}
              << v;
    }
    boxes.push_back(mask);
  }
  for (uint64_t solid = 0; solid < 256; ++solid) {
    std::vector<size_t> fewest(256, 9);  // boxes whose union is the index
    fewest[0] = 0;
    for (int count = 0; count < 8; ++count) {
      for (uint64_t u = 0; u < 256; ++u) {
        for (const uint64_t box : boxes) {
          if ((box & ~solid) != 0) continue;
          fewest[u | box] = std::min(fewest[u | box], fewest[u] + 1);
        }
      }
    }
    EXPECT_EQ(CountOf(tests::BlockOfMask({2, 2, 2}, solid)), fewest[solid]);
  }
}

TEST(Cover, NamedGridsTakeFewBoxes) {
  // A naive greedy over all six axis orders takes 148, 781, 81 and 1101.
  EXPECT_LE(CountOf(tests::BlockOf(tests::HillsGrid(32))), 148u);
  EXPECT_LE(CountOf(tests::BlockOf(tests::CavesGrid(32))), 796u);
  EXPECT_LE(CountOf(tests::BlockOf(tests::BallGrid(32))), 81u);
  EXPECT_LE(CountOf(tests::BlockOf(tests::HillsGrid(64))), 1096u);
}

TEST(Cover, RandomBlocksAreExact) {
  tests::Random random(21);
  for (int round = 0; round < 40; ++round) {
    const VoxelBlock block = RandomBlock(round, random);
    EXPECT_TRUE(IsExactCover(block, CoverWithBoxes(block).value()))
        << tests::Describe(block);
  }
}

TEST(Cover, NoBoxIsRedundant) {
  tests::Random random(22);
  for (int round = 0; round < 40; ++round) {
    const VoxelBlock block = RandomBlock(round, random);
    EXPECT_EQ(FindRedundant(block, CoverWithBoxes(block).value()), -1)
        << tests::Describe(block);
  }
}

TEST(Cover, NeverMoreBoxesThanPartition) {
  tests::Random random(23);
  for (int round = 0; round < 40; ++round) {
    const VoxelBlock block = RandomBlock(round, random);
    EXPECT_LE(CountOf(block), PartitionIntoBoxes(block).value().size())
        << tests::Describe(block);
  }
}

// Where overlaps help little, the better of two partitions is grown.
TEST(Cover, PoorCoversAreNoWorseThanSearch) {
  tests::Random random(24);
  for (int round = 0; round < 40; ++round) {
    const Vec3i size{random.Uniform(5, 70), random.Uniform(5, 20),
                     random.Uniform(5, 20)};
    const VoxelBlock block =
        tests::NoiseBlock(size, 0.3, random.Uniform(1, 3), random.Next());
    const size_t count = CountOf(block);
    if (count * 10 <= PartitionIntoBoxes(block).value().size() * 9) continue;
    EXPECT_LE(count, SearchBoxes(block, 0).value().size())
        << tests::Describe(block);
  }
}

TEST(Cover, PlusIsTwoBoxesThatCross) {
  const VoxelBlock block = tests::BlockOfVoxels({5, 5, 1}, {{2, 0, 0},
                                                            {2, 1, 0},
                                                            {0, 2, 0},
                                                            {1, 2, 0},
                                                            {2, 2, 0},
                                                            {3, 2, 0},
                                                            {4, 2, 0},
                                                            {2, 3, 0},
                                                            {2, 4, 0}});
  EXPECT_THAT(
      CoverWithBoxes(block).value(),
      ElementsAre(Box({2, 0, 0}, {3, 5, 1}, 1), Box({0, 2, 0}, {5, 3, 1}, 1)));
}

TEST(Cover, UnlikeClassesDoNotOverlap) {
  const VoxelBlock block =
      tests::BlockOfClasses({3, 3, 1}, {1, 2, 1, 2, 2, 2, 1, 2, 1});
  const BoxSet boxes = CoverWithBoxes(block).value();
  EXPECT_TRUE(IsExactCover(block, boxes));
  EXPECT_EQ(boxes.size(), 4u + 2u);
}

TEST(Cover, AirGivesNoBoxes) {
  EXPECT_THAT(CoverWithBoxes(VoxelBlock()).value(), IsEmpty());
}

TEST(Cover, FullBlockIsOneBox) {
  const Vec3i size{129, 3, 256};
  EXPECT_THAT(CoverWithBoxes(tests::FullBlock(size)).value(),
              ElementsAre(Box({}, size, 1)));
}

TEST(Cover, CancelledGivesItsStatus) {
  CancelSource cancel;
  cancel.Cancel();
  EXPECT_THAT(CoverWithBoxes(tests::FullBlock({64, 64, 64}), cancel.token()),
              StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace kiln::core
