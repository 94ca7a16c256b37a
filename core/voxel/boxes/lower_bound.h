// core/voxel/boxes/lower_bound.h
//
// A proven lower bound on the number of boxes, so that a result says how far
// from the best possible it can be at most.

#ifndef KILN_CORE_VOXEL_BOXES_LOWER_BOUND_H_
#define KILN_CORE_VOXEL_BOXES_LOWER_BOUND_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "core/voxel/voxel_block.h"

namespace kiln::core {

// Returns a number that no partition and no cover of `block` can go below: the
// size of a set of voxels no two of which fit in one box of solid voxels, found
// by local search. 0 exactly for a block of air.
//
// Errors:      only those of `cancel`.
// Guarantees:  proven for both kinds of result; equal blocks, equal bounds.
// Cost:        some 0.3 ms a section of 16^3 of real models, in a budget that
//              is linear in the voxels; blocks with over 2^21 voxels in layers
//              that differ get a cheaper, lower bound.
// Threads:     pure function.
absl::StatusOr<int64_t> BoxCountLowerBound(const VoxelBlock& block,
                                           const CancelToken& cancel = {});

// The same for partitions alone, where it may be higher: voxels may count less
// than nothing too. Never below BoxCountLowerBound. Cost: 0.8 ms a section.
absl::StatusOr<int64_t> PartitionCountLowerBound(
    const VoxelBlock& block, const CancelToken& cancel = {});

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BOXES_LOWER_BOUND_H_
