// core/voxel/boxes/box_partition.h
//
// Disjoint boxes whose union is exactly the solid voxels: the default method.
// Greedy in one fixed axis order, so it is fast and canonical, not minimal
// (box_search.h looks for fewer boxes).

#ifndef KILN_CORE_VOXEL_BOXES_BOX_PARTITION_H_
#define KILN_CORE_VOXEL_BOXES_BOX_PARTITION_H_

#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "core/voxel/box_set.h"
#include "core/voxel/voxel_block.h"
#include "core/voxel/voxel_view.h"

namespace kiln::core {

// Returns a partition of the solid voxels of `block`, without exposure. A block
// of air gives no boxes; boxes never mix classes. The rule, which is part of
// the result format: slices in order of z, in each the columns in order of x,
// in each the voxels in order of y; the first voxel that is in no box starts
// one, which grows as far as it can along y, then x, then z.
//
// Errors:      only those of `cancel`.
// Guarantees:  exact; equal blocks give equal boxes on any machine.
// Cost:        O(V) time, 32 voxels an instruction where there is AVX2, plus
//              15 to 30 ns for each box; V bits of scratch, four times that
//              with classes, whatever their number. Steady state allocates
//              nothing but the result. Blocks up to 64 voxels high are the
//              fast ones.
// Threads:     pure function.
absl::StatusOr<BoxSet> PartitionIntoBoxes(const VoxelBlock& block,
                                          const CancelToken& cancel = {});

// The same for the non-zero voxels of a byte array, all of class 1. `boxes` is
// replaced; its memory is reused. Fast where stride_x is 1.
void PartitionIntoBoxes(const VoxelView<uint8_t>& voxels, BoxSet& boxes);

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BOXES_BOX_PARTITION_H_
