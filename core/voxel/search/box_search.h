// core/voxel/search/box_search.h
//
// Disjoint boxes, as few as can be found: for content that is baked once. Same
// union as box_partition.h, more time, fewer boxes.

#ifndef KILN_CORE_VOXEL_SEARCH_BOX_SEARCH_H_
#define KILN_CORE_VOXEL_SEARCH_BOX_SEARCH_H_

#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "core/voxel/box_set.h"
#include "core/voxel/voxel_block.h"

namespace kiln::core {

// Returns the partition with the fewest boxes found. Effort 0 takes the best of
// the six axis orders; 1..3 improve it by local search (box_improver.h) with a
// budget of steps that grows with the effort and with the number of boxes. A
// block of up to 4 x 4 x 4 voxels gets an exact optimum at any effort.
//
// Requires:    0 <= effort <= 3 (kMaxSearchEffort).
// Errors:      only those of `cancel`.
// Guarantees:  exact union; never more boxes than PartitionIntoBoxes; equal
//              blocks and efforts give equal boxes: the budget is counted in
//              steps, the random choices have a fixed seed.
// Cost:        on real models some 15 us, 0.1 ms and 0.6 ms a box at efforts 1,
//              2 and 3, with 4 bytes a voxel of scratch (docs/search.md).
// Threads:     pure function.
absl::StatusOr<BoxSet> SearchBoxes(const VoxelBlock& block, int effort,
                                   const CancelToken& cancel = {});

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_SEARCH_BOX_SEARCH_H_
