// core/voxel/boxes/class_layers.h
//
// A block taken apart by class: boxes never mix classes, so each class is a
// problem of its own. Each layer is cut to the bounds of its voxels.

#ifndef KILN_CORE_VOXEL_BOXES_CLASS_LAYERS_H_
#define KILN_CORE_VOXEL_BOXES_CLASS_LAYERS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/base/cancel.h"
#include "core/voxel/bit_grid.h"
#include "core/voxel/box_set.h"
#include "core/voxel/boxes/mask_grid.h"
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

// Layers of up to 4 x 4 x 4 are solved exactly, as masks (mask_grid.h).
inline constexpr int kExactEdgeVoxels = 4;

inline bool IsSmall(const Vec3i& size) {
  return size.x <= kExactEdgeVoxels && size.y <= kExactEdgeVoxels &&
         size.z <= kExactEdgeVoxels;
}

// The occupancy of a small layer as a mask of MaskGrid(solid.size()).
uint64_t SmallMask(const BitGrid& solid);

// The box whose cells are `mask`, of class 1.
Box BoxOfMask(const MaskGrid& grid, uint64_t mask);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_BOXES_CLASS_LAYERS_H_
