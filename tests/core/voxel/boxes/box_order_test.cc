#include "core/voxel/boxes/box_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random_blocks.h"

namespace kiln::core::internal {
namespace {

// `count` boxes whose minimum corners lie in a cube of `edge`.
BoxSet RandomBoxes(int count, int edge, tests::Random& random) {
  BoxSet boxes;
  for (int i = 0; i < count; ++i) {
    Vec3i min, max;
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = random.Uniform(0, edge - 1);
      max[axis] = random.Uniform(min[axis] + 1, 256);
    }
    boxes.emplace_back(min, max, random.Uniform(1, 255));
  }
  return boxes;
}

TEST(SortBoxes, OrderIsThatOfKeys) {
  tests::Random random(31);
  for (const int edge : {1, 2, 5, 30, 256}) {
    for (const int count : {0, 1, 2, 15, 16, 17, 300, 40000}) {
      BoxSet boxes = RandomBoxes(count, edge, random);
      BoxSet expected = boxes;
      std::sort(expected.begin(), expected.end());
      const CancelToken never;
      CancelPoll poll(never);
      SortBoxes(boxes, poll);
      EXPECT_EQ(boxes, expected) << edge << " " << count;
    }
  }
}

TEST(SortBoxes, StoppedPollIsNoticed) {
  tests::Random random(32);
  BoxSet boxes = RandomBoxes(100000, 256, random);
  CancelSource cancel;
  cancel.Cancel();
  const CancelToken token = cancel.token();
  CancelPoll poll(token);
  SortBoxes(boxes, poll);
  EXPECT_TRUE(poll.stopped());
}

}  // namespace
}  // namespace kiln::core::internal
