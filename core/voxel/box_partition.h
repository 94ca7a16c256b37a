// core/voxel/box_partition.h
//
// Disjoint boxes whose union is exactly the solid voxels: the default method.
// Greedy in one fixed axis order, so it is fast and canonical, not minimal
// (box_search.h looks for fewer boxes).

#ifndef KILN_CORE_VOXEL_BOX_PARTITION_H_
#define KILN_CORE_VOXEL_BOX_PARTITION_H_

#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "core/voxel/box_set.h"
#include "core/voxel/voxel_block.h"
#include "core/voxel/voxel_view.h"

namespace kiln::core {

// Returns a partition of the solid voxels of `block`, without exposure. A block
// of air gives no boxes; boxes never mix classes.
//
// Errors:      only those of `cancel`.
// Guarantees:  exact; equal blocks give equal boxes.
// Cost:        O(V / 64) to O(V) time and V bits of scratch for V voxels, times
//              the number of classes present. Steady state allocates nothing
//              but the result.
// Threads:     pure function.
absl::StatusOr<BoxSet> PartitionIntoBoxes(const VoxelBlock& block,
                                          const CancelToken& cancel = {});

// The same for the non-zero voxels of a byte array, all of class 1. `boxes` is
// replaced; its memory is reused.
void PartitionIntoBoxes(const VoxelView<uint8_t>& voxels, BoxSet& boxes);

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BOX_PARTITION_H_
