#include "core/voxel/search/exact_partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/voxel/boxes/mask_grid.h"
#include "core/voxel/search/cell_weights.h"
#include "tests/golden/exact_small_grids.h"
#include "tests/support/random_blocks.h"

namespace kiln::core::internal {
namespace {

std::vector<uint64_t> AllBoxesOf(const MaskGrid& grid) {
  const Vec3i size = grid.size();
  std::vector<uint64_t> boxes;
  for (int cell = 0; cell < Volume(size); ++cell) {
    const Vec3i min = grid.Coordinates(cell);
    for (int z = min.z + 1; z <= size.z; ++z) {
      for (int y = min.y + 1; y <= size.y; ++y) {
        for (int x = min.x + 1; x <= size.x; ++x) {
          boxes.push_back(grid.BoxMask(min, {x, y, z}));
        }
      }
    }
  }
  return boxes;
}

// The fewest boxes by trying all that hold the lowest cell, over and over.
class ByExhaustion {
 public:
  explicit ByExhaustion(const MaskGrid& grid) : boxes_(AllBoxesOf(grid)) {}

  int Fewest(uint64_t cells) {
    if (cells == 0) return 0;
    const auto known = known_.find(cells);
    if (known != known_.end()) return known->second;
    int fewest = kMaxMaskCells;
    for (const uint64_t box : boxes_) {
      if ((box & cells & (~cells + 1)) == 0 || (box & ~cells) != 0) continue;
      fewest = std::min(fewest, 1 + Fewest(cells & ~box));
    }
    return known_[cells] = fewest;
  }

 private:
  const std::vector<uint64_t> boxes_;
  std::unordered_map<uint64_t, int> known_;
};

class ExactPartitionTest : public testing::Test {
 protected:
  // The number of boxes, or -1 if they are no partition.
  int Solve(ExactPartition& solver, uint64_t solid) {
    uint64_t left = solid;
    const std::vector<uint64_t> boxes = solver.Solve(solid, poll_);
    for (const uint64_t box : boxes) {
      if ((box & ~left) != 0) return -1;
      left &= ~box;
    }
    return left == 0 ? static_cast<int>(boxes.size()) : -1;
  }

  static uint64_t RandomMask(int cells, double density, tests::Random& random) {
    uint64_t mask = 0;
    for (int i = 0; i < cells; ++i) {
      mask |= uint64_t{random.Fraction() < density} << i;
    }
    return mask;
  }

  CancelToken never_;
  CancelPoll poll_{never_};
};

TEST_F(ExactPartitionTest, KnownMinimaAreReached) {
  for (const tests::ExactSmallGrid& known : tests::kExactSmallGrids) {
    ExactPartition solver{MaskGrid(known.size)};
    EXPECT_EQ(Solve(solver, known.solid), known.min_partition) << known.name;
  }
}

TEST_F(ExactPartitionTest, EveryGridOf2x2x3IsMinimal) {
  const MaskGrid grid({2, 2, 3});
  ExactPartition solver(grid);
  ByExhaustion oracle(grid);
  for (uint64_t solid = 0; solid < uint64_t{1} << 12; ++solid) {
    EXPECT_EQ(Solve(solver, solid), oracle.Fewest(solid)) << solid;
  }
}

TEST_F(ExactPartitionTest, RandomGridsAreMinimal) {
  tests::Random random(1);
  const MaskGrid grid({3, 3, 3});
  ExactPartition solver(grid);
  ByExhaustion oracle(grid);
  for (int round = 0; round < 60; ++round) {
    const uint64_t solid = RandomMask(27, 0.3 + 0.01 * (round % 60), random);
    EXPECT_EQ(Solve(solver, solid), oracle.Fewest(solid)) << solid;
  }
}

TEST_F(ExactPartitionTest, LongAndFlatGridsAreMinimal) {
  tests::Random random(2);
  for (const Vec3i& size : {Vec3i{64, 1, 1}, Vec3i{1, 64, 1}, Vec3i{1, 1, 64},
                            Vec3i{2, 16, 1}, Vec3i{1, 5, 4}, Vec3i{7, 1, 3}}) {
    const MaskGrid grid(size);
    ExactPartition solver(grid);
    ByExhaustion oracle(grid);
    const uint64_t solid =
        RandomMask(static_cast<int>(Volume(size)), 0.8, random);
    EXPECT_EQ(Solve(solver, solid), oracle.Fewest(solid)) << solid;
  }
}

TEST_F(ExactPartitionTest, HardGridsTakeFewNodes) {
  // The slowest of 70,000 random 4 x 4 x 4 grids.
  ExactPartition solver{MaskGrid({4, 4, 4})};
  for (const uint64_t solid : {0x2dbf7ffffefdfd7fu, 0xffde95fdedfffff7u,
                               0x967fcbefdefbf7f7u, 0xe6dedfffe7bf9f7fu}) {
    EXPECT_GT(Solve(solver, solid), 0);
    EXPECT_LT(solver.nodes(), 40000);
  }
}

TEST_F(ExactPartitionTest, StoppedPollEndsTheSearch) {
  CancelSource cancel;
  cancel.Cancel();
  const CancelToken token = cancel.token();
  CancelPoll poll(token, 1);
  ExactPartition solver{MaskGrid({4, 4, 4})};
  solver.Solve(0x2dbf7ffffefdfd7fu, poll);
  EXPECT_TRUE(poll.stopped());
  EXPECT_LE(solver.nodes(), 2);
}

TEST_F(ExactPartitionTest, NoBoxOutweighsTheUnit) {
  tests::Random random(3);
  const MaskGrid grid({4, 4, 3});
  const std::vector<uint64_t> boxes = AllBoxesOf(grid);
  for (int round = 0; round < 20; ++round) {
    const uint64_t solid = RandomMask(48, 0.8, random);
    const CellWeights weights = HeaviestWeights(grid, solid, poll_);
    for (const uint64_t box : boxes) {
      if ((box & ~solid) != 0) continue;
      int64_t sum = 0;
      for (int cell = 0; cell < 48; ++cell) {
        if ((box >> cell & 1) != 0) sum += weights[static_cast<size_t>(cell)];
      }
      EXPECT_LE(sum, kUnitWeight);
    }
  }
}

TEST_F(ExactPartitionTest, WeightsBoundKnownGridsTightly) {
  // Of all known grids at once the weights miss one box at most.
  int missed = 0;
  for (const tests::ExactSmallGrid& known : tests::kExactSmallGrids) {
    const MaskGrid grid(known.size);
    const int bound =
        BoxesByWeight(HeaviestWeights(grid, known.solid, poll_), known.solid);
    EXPECT_LE(bound, known.min_partition) << known.name;
    missed += known.min_partition - bound;
  }
  EXPECT_LE(missed, 1);
}

}  // namespace
}  // namespace kiln::core::internal
