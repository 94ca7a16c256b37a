// core/voxel/boxes/box_grow.h
//
// The box growth of the well-known chunk tutorials, kept as plain as its
// authors describe it: the yardstick that the other methods are measured with.

#ifndef KILN_CORE_VOXEL_BOXES_BOX_GROW_H_
#define KILN_CORE_VOXEL_BOXES_BOX_GROW_H_

#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "core/voxel/box_set.h"
#include "core/voxel/voxel_block.h"
#include "core/voxel/voxel_view.h"

namespace kiln::core {

// Returns disjoint boxes: voxels in scan order (x fastest, then y, then z),
// each free solid voxel is grown by one voxel along x, y and z in turns until
// no turn succeeds. Boxes never mix classes.
//
// Errors:      only those of `cancel`.
// Guarantees:  exact; equal blocks give equal boxes.
// Cost:        O(V) to O(V * edge) time, V bytes of scratch.
// Threads:     pure function.
absl::StatusOr<BoxSet> GrowBoxes(const VoxelBlock& block,
                                 const CancelToken& cancel = {});

// The same for a byte array: each value is a class, 0 is air.
absl::StatusOr<BoxSet> GrowBoxes(const VoxelView<uint8_t>& classes,
                                 const CancelToken& cancel = {});

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BOXES_BOX_GROW_H_
