#include "core/voxel/boxes/lower_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/voxel/boxes/mask_grid.h"
#include "core/voxel/search/box_cover.h"
#include "core/voxel/search/box_search.h"
#include "core/voxel/search/exact_partition.h"
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

int64_t PartitionBoundOf(const VoxelBlock& block) {
  return PartitionCountLowerBound(block).value();
}

int64_t SearchCountOf(const VoxelBlock& block) {
  return static_cast<int64_t>(SearchBoxes(block, 1).value().size());
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

// Voxels no two of which fit in one box, by brute force: those with most closed
// faces first, then in order of z, y, x.
class GreedyByBruteForce {
 public:
  explicit GreedyByBruteForce(const BitGrid& solid) : solid_(solid) {}

  int64_t Count() const {
    std::vector<Vec3i> points;
    for (int closed = 6; closed >= 0; --closed) {
      for (int i = 0; i < Volume(solid_.size()); ++i) {
        const Vec3i& size = solid_.size();
        const Vec3i at{i % size.x, i / size.x % size.y, i / size.x / size.y};
        if (!IsSolid(at) || ClosedFaces(at) != closed) continue;
        const bool fits = std::any_of(
            points.begin(), points.end(),
            [&](const Vec3i& point) { return FitOneBox(at, point); });
        if (!fits) points.push_back(at);
      }
    }
    return static_cast<int64_t>(points.size());
  }

 private:
  bool IsSolid(const Vec3i& at) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] < 0 || at[axis] >= solid_.size()[axis]) return false;
    }
    return solid_.Get(at.x, at.y, at.z);
  }

  int ClosedFaces(const Vec3i& at) const {
    int closed = 0;
    for (int axis = 0; axis < 3; ++axis) {
      for (const int step : {-1, 1}) {
        Vec3i next = at;
        next[axis] += step;
        closed += IsSolid(next) ? 0 : 1;
      }
    }
    return closed;
  }

  bool FitOneBox(const Vec3i& a, const Vec3i& b) const {
    for (int z = std::min(a.z, b.z); z <= std::max(a.z, b.z); ++z) {
      for (int y = std::min(a.y, b.y); y <= std::max(a.y, b.y); ++y) {
        for (int x = std::min(a.x, b.x); x <= std::max(a.x, b.x); ++x) {
          if (!solid_.Get(x, y, z)) return false;
        }
      }
    }
    return true;
  }

  const BitGrid& solid_;
};

TEST(LowerBound, NeverBelowTheGreedyChoice) {
  tests::Random random(34);
  for (int round = 0; round < 20; ++round) {
    const Vec3i size{random.Uniform(1, 70), random.Uniform(1, 9),
                     random.Uniform(1, 9)};
    const VoxelBlock block =
        round % 2 == 0 ? tests::NoiseBlock(size, 0.7, 1, random.Next())
                       : tests::BuildingBlock(size, 1, random.Next());
    EXPECT_GE(BoundOf(block), GreedyByBruteForce(block.occupancy).Count())
        << tests::Describe(block);
  }
}

TEST(LowerBound, PartitionsOfACrossNeedAllItsArms) {
  // Three bars through one cell, each arm five long: a cover takes the bars.
  VoxelBlock cross;
  cross.occupancy.Reset({11, 11, 11});
  for (int i = 0; i < 11; ++i) {
    cross.occupancy.Set(i, 5, 5);
    cross.occupancy.Set(5, i, 5);
    cross.occupancy.Set(5, 5, i);
  }
  EXPECT_EQ(BoundOf(cross), 3);
  EXPECT_EQ(PartitionBoundOf(cross), 5);
  EXPECT_EQ(SearchCountOf(cross), 5);
}

TEST(LowerBound, PartitionBoundIsNeverTheLower) {
  tests::Random random(35);
  for (int round = 0; round < 30; ++round) {
    const Vec3i size{random.Uniform(1, 90), random.Uniform(1, 14),
                     random.Uniform(1, 14)};
    const VoxelBlock block =
        round % 2 == 0 ? tests::NoiseBlock(size, 0.85, 2, random.Next())
                       : tests::BuildingBlock(size, 2, random.Next());
    const int64_t bound = PartitionBoundOf(block);
    EXPECT_GE(bound, BoundOf(block)) << tests::Describe(block);
    EXPECT_LE(bound, SearchCountOf(block)) << tests::Describe(block);
  }
}

TEST(LowerBound, PartitionBoundNeverAboveAKnownMinimum) {
  for (const tests::ExactSmallGrid& known : tests::kExactSmallGrids) {
    EXPECT_LE(PartitionBoundOf(tests::BlockOfMask(known.size, known.solid)),
              known.min_partition)
        << known.name;
  }
}

// Share of `solids` whose partition bound is the minimum; none may be above.
double ShareOfTightBounds(const Vec3i& size,
                          const std::vector<uint64_t>& solids) {
  const CancelToken never;
  CancelPoll poll(never);
  internal::ExactPartition solver{internal::MaskGrid(size)};
  int tight = 0;
  for (const uint64_t solid : solids) {
    const int64_t bound = PartitionBoundOf(tests::BlockOfMask(size, solid));
    const auto fewest = static_cast<int64_t>(solver.Solve(solid, poll).size());
    EXPECT_LE(bound, fewest) << solid;
    tight += bound == fewest ? 1 : 0;
  }
  return tight / static_cast<double>(solids.size());
}

TEST(LowerBound, PartitionBoundOfEvery2x2x3IsProven) {
  std::vector<uint64_t> solids;
  for (uint64_t solid = 0; solid < uint64_t{1} << 12; ++solid) {
    solids.push_back(solid);
  }
  const double tight = ShareOfTightBounds({2, 2, 3}, solids);
  RecordProperty("tight", std::to_string(tight));
  EXPECT_GE(tight, 0.99);
}

TEST(LowerBound, PartitionBoundOfRandomGridsIsProven) {
  tests::Random random(36);
  for (const int edge : {3, 4}) {
    std::vector<uint64_t> solids;
    for (int round = 0; round < 1000; ++round) {
      const double density = 0.2 + 0.00065 * round;
      uint64_t solid = 0;
      for (int cell = 0; cell < edge * edge * edge; ++cell) {
        solid |= uint64_t{random.Fraction() < density} << cell;
      }
      solids.push_back(solid);
    }
    const double tight = ShareOfTightBounds({edge, edge, edge}, solids);
    RecordProperty("tight" + std::to_string(edge), std::to_string(tight));
    EXPECT_GE(tight, edge == 3 ? 0.92 : 0.78) << edge;
  }
}

TEST(LowerBound, BallIsBoundTightly) {
  // The cover of the ball is proven to be a minimum.
  const VoxelBlock ball = tests::BlockOf(tests::BallGrid(32));
  EXPECT_EQ(BoundOf(ball), 81);
  EXPECT_EQ(CoverCountOf(ball), 81);
}

TEST(LowerBound, TerrainIsBoundTightly) {
  // Search finds 159 and 903 boxes.
  const VoxelBlock hills = tests::BlockOf(tests::HillsGrid(32));
  const VoxelBlock caves = tests::BlockOf(tests::CavesGrid(32));
  EXPECT_GE(BoundOf(hills), 135);
  EXPECT_GE(PartitionBoundOf(hills), 138);
  EXPECT_GE(BoundOf(caves), 666);
  EXPECT_GE(PartitionBoundOf(caves), 686);
}

TEST(LowerBound, LayersThatRepeatCostNothing) {
  // Each voxel of a cross as a block of 20 x 3 x 64: the same layers, but where
  // rows cross words.
  VoxelBlock cross;
  cross.occupancy.Reset({3 * 20, 3 * 3, 3 * 64});
  for (int z = 0; z < 3 * 64; ++z) {
    for (int y = 0; y < 3 * 3; ++y) {
      for (int x = 0; x < 3 * 20; ++x) {
        const int middles = (x / 20 == 1) + (y / 3 == 1) + (z / 64 == 1);
        if (middles >= 2) cross.occupancy.Set(x, y, z);
      }
    }
  }
  EXPECT_EQ(BoundOf(cross), 3);
  EXPECT_EQ(PartitionBoundOf(cross), 5);
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
