// core/voxel/class_layers.h
//
// A block taken apart by class: boxes never mix classes, so each class is a
// problem of its own. Each layer is cut to the bounds of its voxels.

#ifndef KILN_CORE_VOXEL_CLASS_LAYERS_H_
#define KILN_CORE_VOXEL_CLASS_LAYERS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/base/cancel.h"
#include "core/voxel/bit_grid.h"
#include "core/voxel/box_set.h"
#include "core/voxel/voxel_block.h"

namespace kiln::core::internal {

struct ClassLayer {
  int cls = 0;
  Vec3i origin;  // of `solid` in the block
  BitGrid solid;
};

// Calls `visit` once for each class present, ascending, and stops at the first
// status that is not OK. Every layer has a solid voxel on each of its six
// sides.
//
// Errors: those of `cancel` and of `visit`.
absl::Status ForEachClassLayer(
    const VoxelBlock& block, const CancelToken& cancel,
    absl::FunctionRef<absl::Status(const ClassLayer&)> visit);

// `box`, whose bounds are those of `layer.solid`, in block coordinates and with
// the layer's class.
inline Box InBlock(const ClassLayer& layer, const Box& box) {
  return Box(box.min() + layer.origin, box.max() + layer.origin, layer.cls);
}

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_CLASS_LAYERS_H_
