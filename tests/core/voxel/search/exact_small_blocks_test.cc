// Search gives a minimum of every block of up to 4 x 4 x 4, as told by trying
// everything: all grids of 2 x 2 x 3, and 10,000 random ones of 3^3 and 4^3.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "core/voxel/boxes/mask_grid.h"
#include "core/voxel/search/box_search.h"
#include "tests/golden/exact_small_grids.h"
#include "tests/support/box_oracles.h"
#include "tests/support/random_blocks.h"

namespace kiln::core {
namespace {

using internal::MaskGrid;

// Tries all boxes that hold the lowest cell, over and over, for every number of
// boxes from none on. Shares the grid with the solver, none of its search.
class ByExhaustion {
 public:
  explicit ByExhaustion(const MaskGrid& grid) : grid_(grid) {}

  int Fewest(uint64_t cells) {
    fails_at_.clear();
    int boxes = 0;
    while (!Suffice(cells, boxes)) ++boxes;
    return boxes;
  }

 private:
  bool Suffice(uint64_t cells, int boxes) {
    if (cells == 0) return true;
    if (CornersOfOneKind(cells) > boxes) return false;
    const auto known = fails_at_.find(cells);
    if (known != fails_at_.end() && known->second >= boxes) return false;
    bool suffice = false;
    grid_.ForEachBoxFrom(cells & (~cells + 1), cells, [&](uint64_t box) {
      suffice = suffice || Suffice(cells & ~box, boxes - 1);
    });
    if (!suffice) fails_at_[cells] = boxes;
    return suffice;
  }

  // Each is the same corner of its box, so each has a box of its own.
  int CornersOfOneKind(uint64_t cells) const {
    int most = 0;
    for (int kind = 0; kind < 8; ++kind) {
      uint64_t corners = cells;
      for (int axis = 0; axis < 3; ++axis) {
        const bool up = (kind >> axis & 1) != 0;
        corners &= ~(up ? grid_.Up(cells, axis) : grid_.Down(cells, axis));
      }
      most = std::max(most, CountBits(corners));
    }
    return most;
  }

  const MaskGrid grid_;
  std::unordered_map<uint64_t, int> fails_at_;
};

// Checks search against exhaustion on grids of one size.
class SmallBlocks {
 public:
  explicit SmallBlocks(const Vec3i& size)
      : size_(size), oracle_(MaskGrid(size)) {}

  void ExpectMinimum(uint64_t solid) {
    const VoxelBlock block = tests::BlockOfMask(size_, solid);
    const BoxSet boxes = SearchBoxes(block, 0).value();
    EXPECT_TRUE(tests::IsExactPartition(block, boxes)) << solid;
    EXPECT_EQ(static_cast<int>(boxes.size()), oracle_.Fewest(solid)) << solid;
  }

  // `count` grids whose densities run from 20 to `densest` percent.
  void ExpectMinimaOfRandom(int count, int densest, tests::Random& random) {
    const int cells = static_cast<int>(Volume(size_));
    for (int i = 0; i < count; ++i) {
      const double density = 0.2 + 0.01 * (i % (densest - 20 + 1));
      uint64_t solid = 0;
      for (int cell = 0; cell < cells; ++cell) {
        solid |= uint64_t{random.Fraction() < density} << cell;
      }
      ExpectMinimum(solid);
    }
  }

 private:
  const Vec3i size_;
  ByExhaustion oracle_;
};

TEST(SmallBlocks, EveryGridOf2x2x3IsMinimal) {
  SmallBlocks blocks({2, 2, 3});
  for (uint64_t solid = 0; solid < uint64_t{1} << 12; ++solid) {
    blocks.ExpectMinimum(solid);
  }
}

TEST(SmallBlocks, RandomGridsOf3x3x3AreMinimal) {
  tests::Random random(41);
  SmallBlocks({3, 3, 3}).ExpectMinimaOfRandom(5000, 95, random);
}

TEST(SmallBlocks, RandomGridsOf4x4x4AreMinimal) {
  tests::Random random(42);
  SmallBlocks({4, 4, 4}).ExpectMinimaOfRandom(5000, 60, random);
}

TEST(SmallBlocks, DenseGridsOf4x4x4AreMinimal) {
  tests::Random random(43);
  SmallBlocks({4, 4, 4}).ExpectMinimaOfRandom(51, 70, random);
}

TEST(SmallBlocks, RandomGridsOfUnequalEdgesAreMinimal) {
  tests::Random random(44);
  for (const Vec3i& size : {Vec3i{4, 4, 1}, Vec3i{1, 4, 3}, Vec3i{4, 2, 4},
                            Vec3i{3, 4, 2}, Vec3i{4, 1, 1}}) {
    SmallBlocks(size).ExpectMinimaOfRandom(100, 90, random);
  }
}

}  // namespace
}  // namespace kiln::core
