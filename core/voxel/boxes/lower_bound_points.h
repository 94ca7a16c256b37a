// core/voxel/boxes/lower_bound_points.h
//
// Points in the solid such that every box of solid voxels holds one at most:
// each needs a box of its own. And pins, for partitions alone: a pin counts -1,
// which lets two points share the boxes that go through it.

#ifndef KILN_CORE_VOXEL_BOXES_LOWER_BOUND_POINTS_H_
#define KILN_CORE_VOXEL_BOXES_LOWER_BOUND_POINTS_H_

#include <cstdint>

#include "core/base/cancel_poll.h"
#include "core/voxel/bit_grid.h"

namespace kiln::core::internal {

enum class BoundOf : uint8_t {
  kCovers,      // and so of partitions too, which are covers
  kPartitions,  // higher, as a rule
};

// Returns a number of boxes that no cover or no partition of `solid` can go
// below; of no use once `poll` stops.
//
// Why it holds. Points count 1, pins -1, other voxels 0, and no box of solid
// voxels counts more than 1 (PointSearch keeps that). The boxes of a partition
// hold each voxel once, so what they count adds up to points less pins. Without
// pins that is so for covers as well, which hold each point at least once.
//
// Guarantees:  at least the greedy choice of points; kPartitions gives no less
//              than kCovers.
// Cost:        O(V), and a budget of 100 visits of cells (400 for kPartitions)
//              for each solid voxel of the grid without layers that repeat; 20
//              bytes for each voxel of that grid.
int64_t BoundByPoints(const BitGrid& solid, BoundOf kind, CancelPoll& poll);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_BOXES_LOWER_BOUND_POINTS_H_
