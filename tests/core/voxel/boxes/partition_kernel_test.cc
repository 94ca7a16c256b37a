#include "core/voxel/boxes/partition_kernel.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/box_oracles.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"

namespace kiln::core::internal {
namespace {

// A source over `classes`, which must outlive it.
PartitionSource BytesOf(const std::vector<uint8_t>& classes, const Vec3i& size,
                        bool by_class) {
  PartitionSource source;
  source.bytes = DenseView(classes.data(), size);
  source.by_class = by_class;
  return source;
}

BoxSet RunPlain(const PartitionSource& source) {
  BoxSet boxes;
  EXPECT_TRUE(PartitionPlain(source, {}, boxes));
  return boxes;
}

BoxSet RunAvx2(const PartitionSource& source) {
  BoxSet boxes;
  EXPECT_TRUE(PartitionAvx2(source, {}, boxes));
  return boxes;
}

BoxSet RunSweep(const PartitionSource& source) {
  BoxSet boxes;
  EXPECT_TRUE(PartitionAvx2Sweep(source, {}, boxes));
  return boxes;
}

// All kernels over everything that `block` can be given as.
void ExpectKernelsAgree(const VoxelBlock& block) {
  const std::vector<uint8_t> classes = tests::ClassBytes(block);
  PartitionSource bits;
  bits.bits = &block.occupancy;
  for (const PartitionSource& source :
       {bits, BytesOf(classes, block.size(), false),
        BytesOf(classes, block.size(), true)}) {
    if (!CanPartitionAvx2(source)) GTEST_SKIP() << "no AVX2 on this machine";
    const BoxSet expected = RunPlain(source);
    EXPECT_EQ(RunAvx2(source), expected) << tests::Describe(block);
    EXPECT_EQ(RunSweep(source), expected) << tests::Describe(block);
  }
}

TEST(PartitionKernel, PlainFollowsTheRuleVoxelByVoxel) {
  tests::Random random(40);
  for (int round = 0; round < 60; ++round) {
    const Vec3i size{random.Uniform(1, 40), random.Uniform(1, 140),
                     random.Uniform(1, 9)};
    const VoxelBlock block =
        tests::BuildingBlock(size, random.Uniform(1, 4), random.Next());
    const std::vector<uint8_t> classes = tests::ClassBytes(block);
    EXPECT_EQ(RunPlain(BytesOf(classes, size, true)),
              tests::PartitionByVoxels(block))
        << round;
  }
}

TEST(PartitionKernel, Avx2AgreesAtEveryWidthAndHeight) {
  uint64_t seed = 0;
  for (const int width : {1,  2,  7,  8,  9,  15, 16,  17,  31,  32,
                          33, 40, 63, 64, 65, 96, 127, 128, 255, 256}) {
    for (const int height : {1, 7, 8, 9, 16, 31, 32, 33, 40, 63, 64}) {
      const Vec3i size{width, height, 5};
      ExpectKernelsAgree(tests::NoiseBlock(size, 0.6, 1, ++seed));
      ExpectKernelsAgree(tests::BuildingBlock(size, 3, ++seed));
    }
  }
}

TEST(PartitionKernel, Avx2AgreesOnNamedGrids) {
  for (const int edge : {16, 32, 64}) {
    for (const core::SampleGrid& grid : tests::NamedGrids(edge)) {
      ExpectKernelsAgree(tests::BlockOf(grid));
    }
  }
}

TEST(PartitionKernel, Avx2AgreesWithManyClasses) {
  ExpectKernelsAgree(tests::NoiseBlock({70, 64, 20}, 0.9, 255, 1));
  ExpectKernelsAgree(tests::BuildingBlock({64, 30, 64}, 255, 2));
}

TEST(PartitionKernel, Avx2AgreesOnDenseNoise) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    ExpectKernelsAgree(tests::NoiseBlock({48, 48, 24}, 0.97, 2, seed));
  }
}

// Scratch from a larger or fuller block must not show through.
TEST(PartitionKernel, EarlierBlocksLeaveNoTrace) {
  const VoxelBlock small = tests::BuildingBlock({20, 20, 20}, 2, 3);
  ExpectKernelsAgree(small);
  for (const int edge : {64, 33, 32, 31}) {
    ExpectKernelsAgree(tests::FullBlock({edge, edge, edge}));
    ExpectKernelsAgree(small);
  }
}

// The box's first column is 1, 2 or 3 words of columns before the one that ends
// it.
TEST(PartitionKernel, WideBoxesEndWhereTheirLastColumnDoes) {
  for (const int height : {3, 64}) {
    for (const int hole_x : {70, 130, 255}) {
      VoxelBlock block = tests::FullBlock({256, height, 6});
      block.occupancy.Clear(hole_x, 1, 4);
      block.occupancy.Clear(5, 1, 5);
      ExpectKernelsAgree(block);
    }
  }
}

// Many runs of one column that end, begin and go on at once.
TEST(PartitionKernel, Avx2AgreesOnStripesThatShift) {
  for (const int period : {1, 2, 3, 5}) {
    for (const int height : {32, 64}) {
      VoxelBlock block = tests::FullBlock({70, height, 12});
      for (int z = 0; z < 12; ++z) {
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < 70; ++x) {
            if ((y + x / 7 + z / 3) % (period + 1) == 0) {
              block.occupancy.Clear(x, y, z);
            }
          }
        }
      }
      ExpectKernelsAgree(block);
    }
  }
}

TEST(PartitionKernel, StoppedKernelsSaySo) {
  CancelSource cancel;
  cancel.Cancel();
  const VoxelBlock block = tests::FullBlock({64, 64, 64});
  PartitionSource source;
  source.bits = &block.occupancy;
  BoxSet boxes;
  EXPECT_FALSE(PartitionPlain(source, cancel.token(), boxes));
  if (CanPartitionAvx2(source)) {
    EXPECT_FALSE(PartitionAvx2(source, cancel.token(), boxes));
    EXPECT_FALSE(PartitionAvx2Sweep(source, cancel.token(), boxes));
  }
}

}  // namespace
}  // namespace kiln::core::internal
