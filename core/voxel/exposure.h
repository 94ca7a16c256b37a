// core/voxel/exposure.h
//
// Which faces of a box touch air: the rule that lets an engine drop contacts on
// buried faces and seams. What lies beyond the block is either given or
// UNKNOWN, and a face against UNKNOWN is exposed: better a needless contact
// than a body that falls through.

#ifndef KILN_CORE_VOXEL_EXPOSURE_H_
#define KILN_CORE_VOXEL_EXPOSURE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/cancel.h"
#include "core/geometry/vec3.h"
#include "core/voxel/bit_grid.h"
#include "core/voxel/box_set.h"
#include "core/voxel/voxel_block.h"

namespace kiln::core {

// What buries a face.
enum class ExposureRule : uint8_t {
  kNone = 0,      // no exposure is worked out; all bits are 0
  kAnySolid = 1,  // any solid neighbour buries
  kPerClass = 2,  // only a neighbour of the box's own class buries: for classes
                  // that collide with different bodies
};

// The layer of voxels just beyond one face of a block. Its two axes (u, v) are
// the block's other two in ascending order: (y, z), (x, z) or (x, y).
struct BorderPlane {
  BitGrid solid;                 // of size (u, v, 1)
  std::vector<uint8_t> classes;  // u fastest; empty: all solid are class 1

  int ClassAt(int u, int v) const {
    if (!solid.Get(u, v, 0)) return 0;
    return classes.empty() ? 1
                           : classes[static_cast<size_t>(u) +
                                     static_cast<size_t>(solid.size().x) *
                                         static_cast<size_t>(v)];
  }
};

// What lies beyond each face, by Face; nullopt is UNKNOWN.
struct Borders {
  std::array<std::optional<BorderPlane>, kFaceCount> planes;
};

// Size (u, v, 1) that a border plane beyond `face` of a block must have.
Vec3i BorderPlaneSize(const Vec3i& block_size, Face face);

// The border plane that `neighbour`, the block beyond `face`, shows.
// Requires: the neighbour's extent along the plane equals the block's.
BorderPlane PlaneOfNeighbour(const VoxelBlock& neighbour, Face face);

// Fills in exposed_faces of every box of `boxes`, which are boxes of `block`
// (disjoint or not). A face is exposed if any cell against it is not solid (or,
// per class, not of the box's class) or is UNKNOWN.
//
// Returns early, with some faces not filled in, once `cancel` says stop.
//
// Requires: planes, where given, have the size of BorderPlaneSize.
// Cost:     O(surface of the boxes / 64) for faces along rows.
void MarkExposedFaces(const VoxelBlock& block, const Borders& borders,
                      ExposureRule rule, BoxSet& boxes,
                      const CancelToken& cancel = {});

// The same rule for one cell: whether the cell beyond `face` of voxel
// (x, y, z) leaves that face exposed. What contact filters ask.
//
// Requires: (x, y, z) is inside the block and solid.
bool IsFaceExposed(const VoxelBlock& block, const Borders& borders,
                   ExposureRule rule, const Vec3i& voxel, Face face);

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_EXPOSURE_H_
