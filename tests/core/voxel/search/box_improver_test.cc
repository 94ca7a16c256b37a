#include "core/voxel/search/box_improver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/voxel/search/axis_orders.h"
#include "tests/support/box_oracles.h"
#include "tests/support/random_blocks.h"

namespace kiln::core::internal {
namespace {

class BoxImproverTest : public testing::Test {
 protected:
  static BoxSet Sorted(BoxSet boxes) {
    std::sort(boxes.begin(), boxes.end());
    return boxes;
  }

  static BoxSet UnitBoxes(const VoxelBlock& block) {
    BoxSet boxes;
    for (int z = 0; z < block.size().z; ++z) {
      for (int y = 0; y < block.size().y; ++y) {
        for (int x = 0; x < block.size().x; ++x) {
          if (!block.occupancy.Get(x, y, z)) continue;
          boxes.emplace_back(Vec3i{x, y, z}, Vec3i{x + 1, y + 1, z + 1}, 1);
        }
      }
    }
    return boxes;
  }

  CancelToken never_;
  CancelPoll poll_{never_};
};

TEST_F(BoxImproverTest, UnitBoxesOfAFullBlockBecomeOne) {
  const VoxelBlock block = tests::FullBlock({5, 4, 6});
  BoxImprover improver(block.size(), UnitBoxes(block), poll_);
  improver.Run(20000);
  EXPECT_EQ(improver.Boxes(), BoxSet{Box({}, {5, 4, 6}, 1)});
}

TEST_F(BoxImproverTest, BoxesThatFitTogetherMerge) {
  const BoxSet halves = {Box({0, 0, 0}, {100, 3, 2}, 1),
                         Box({100, 0, 0}, {256, 3, 2}, 1)};
  BoxImprover improver({256, 3, 2}, halves, poll_);
  improver.Run(100);
  EXPECT_EQ(improver.Boxes(), BoxSet{Box({}, {256, 3, 2}, 1)});
}

TEST_F(BoxImproverTest, PlateauLeadsToFewer) {
  // A pinwheel around a middle box, in a full plate: no two boxes fit together,
  // so that claims must trade space first.
  const BoxSet pinwheel = {
      Box({0, 0, 0}, {4, 2, 1}, 1), Box({4, 0, 0}, {6, 4, 1}, 1),
      Box({2, 4, 0}, {6, 6, 1}, 1), Box({0, 2, 0}, {2, 6, 1}, 1),
      Box({2, 2, 0}, {4, 4, 1}, 1)};
  BoxImprover improver({6, 6, 1}, pinwheel, poll_);
  improver.Run(5000);
  EXPECT_EQ(improver.count(), 1);
}

TEST_F(BoxImproverTest, EveryStateIsAnExactPartition) {
  tests::Random random(21);
  for (int round = 0; round < 12; ++round) {
    const Vec3i size{random.Uniform(1, 90), random.Uniform(1, 12),
                     random.Uniform(1, 12)};
    const VoxelBlock block =
        round % 2 == 0 ? tests::NoiseBlock(size, 0.8, 1, random.Next())
                       : tests::BuildingBlock(size, 1, random.Next());
    BoxImprover improver(size, UnitBoxes(block), poll_);
    for (const int64_t steps : {1, 10, 100, 1000, 10000}) {
      improver.Run(steps);
      EXPECT_TRUE(tests::IsExactPartition(block, Sorted(improver.Boxes())))
          << tests::Describe(block) << " after " << steps;
    }
  }
}

TEST_F(BoxImproverTest, NoStepRaisesTheCount) {
  const VoxelBlock block = tests::NoiseBlock({20, 20, 20}, 0.6, 1, 22);
  const BoxSet start = BestOfAxisOrders(block.occupancy, never_).value();
  BoxImprover improver(block.size(), start, poll_);
  int64_t count = improver.count();
  EXPECT_EQ(count, static_cast<int64_t>(start.size()));
  for (int step = 0; step < 3000; ++step) {
    improver.Run(1);
    EXPECT_LE(improver.count(), count);
    count = improver.count();
  }
  EXPECT_LT(count, static_cast<int64_t>(start.size()));
}

TEST_F(BoxImproverTest, ManyBoxesAreImprovedAllOver) {
  // More boxes than a stretch holds; each quarter of the block must gain.
  const VoxelBlock block = tests::NoiseBlock({48, 48, 16}, 0.7, 1, 23);
  const BoxSet start = BestOfAxisOrders(block.occupancy, never_).value();
  ASSERT_GT(start.size(), 4000u);
  BoxImprover improver(block.size(), start, poll_);
  improver.Run(40 * static_cast<int64_t>(start.size()));
  const BoxSet after = Sorted(improver.Boxes());
  EXPECT_TRUE(tests::IsExactPartition(block, after));
  const auto boxes_of_quarter = [](const BoxSet& boxes, int quarter) {
    return std::count_if(boxes.begin(), boxes.end(), [&](const Box& box) {
      return box.min().y / 12 == quarter;
    });
  };
  for (int quarter = 0; quarter < 4; ++quarter) {
    EXPECT_LT(boxes_of_quarter(after, quarter),
              boxes_of_quarter(start, quarter))
        << quarter;
  }
}

TEST_F(BoxImproverTest, NothingToImproveStays) {
  BoxImprover none({3, 3, 3}, {}, poll_);
  none.Run(100);
  EXPECT_EQ(none.count(), 0);
  const BoxSet one = {Box({1, 0, 2}, {3, 3, 3}, 1)};
  BoxImprover single({3, 3, 3}, one, poll_);
  single.Run(100);
  EXPECT_EQ(single.Boxes(), one);
}

TEST_F(BoxImproverTest, StoppedPollEndsTheRun) {
  CancelSource cancel;
  cancel.Cancel();
  const CancelToken token = cancel.token();
  CancelPoll poll(token, 1);
  const VoxelBlock block = tests::NoiseBlock({30, 30, 30}, 0.6, 1, 24);
  BoxImprover improver(block.size(), UnitBoxes(block), poll);
  improver.Run(int64_t{1} << 60);
  EXPECT_TRUE(poll.stopped());
}

}  // namespace
}  // namespace kiln::core::internal
