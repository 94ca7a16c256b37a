#include "core/voxel/exposure.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/limits.h"
#include "core/voxel/bit_row.h"

namespace kiln::core {
namespace {

// The two axes along a face, ascending: u, v of BorderPlane.
constexpr int UAxis(Face face) { return FaceAxis(face) == 0 ? 1 : 0; }
constexpr int VAxis(Face face) { return FaceAxis(face) == 2 ? 1 : 2; }

// Whether a border plane buries all of [u0, u1) x [v0, v1).
bool PlaneBuries(const BorderPlane& plane, ExposureRule rule, int cls, int u0,
                 int u1, int v0, int v1) {
  for (int v = v0; v < v1; ++v) {
    if (!HasRun(plane.solid.Row(v, 0), u0, u1)) return false;
  }
  if (rule == ExposureRule::kAnySolid) return true;
  for (int v = v0; v < v1; ++v) {
    for (int u = u0; u < u1; ++u) {
      if (plane.ClassAt(u, v) != cls) return false;
    }
  }
  return true;
}

// Whether all voxels of [min, max) are solid.
bool IsSolid(const BitGrid& grid, const Vec3i& min, const Vec3i& max) {
  const bool one_word = grid.words_per_row() == 1;
  const uint64_t mask = one_word ? WordRun(min.x, max.x) : 0;
  for (int z = min.z; z < max.z; ++z) {
    const uint64_t* row = grid.Row(min.y, z);
    if (one_word) {
      // Most faces are small: a slice is looked at whole, without a branch.
      uint64_t missing = 0;
      for (int i = 0; i < max.y - min.y; ++i) missing |= mask & ~row[i];
      if (missing != 0) return false;
      continue;
    }
    for (int y = min.y; y < max.y; ++y, row += grid.words_per_row()) {
      if (!HasRun(row, min.x, max.x)) return false;
    }
  }
  return true;
}

// Whether voxels of the block bury all of [min, max), by `rule`.
bool BlockBuries(const VoxelBlock& block, ExposureRule rule, int cls,
                 const Vec3i& min, const Vec3i& max) {
  if (!IsSolid(block.occupancy, min, max)) return false;
  if (rule == ExposureRule::kAnySolid) return true;
  if (block.classes.empty()) return cls == kDefaultClass;
  for (int z = min.z; z < max.z; ++z) {
    for (int y = min.y; y < max.y; ++y) {
      const uint8_t* row = &block.classes[block.Index(0, y, z)];
      const bool same = std::all_of(row + min.x, row + max.x,
                                    [cls](uint8_t c) { return c == cls; });
      if (!same) return false;
    }
  }
  return true;
}

// Whether the layer of cells against `face` of the box [min, max) leaves any
// part of it exposed.
bool IsExposed(const VoxelBlock& block, const Borders& borders,
               ExposureRule rule, int cls, const Vec3i& min, const Vec3i& max,
               Face face) {
  const int axis = FaceAxis(face);
  const int layer = IsPlusFace(face) ? max[axis] : min[axis] - 1;
  if (layer < 0 || layer >= block.size()[axis]) {
    const auto& plane = borders.planes[static_cast<size_t>(face)];
    if (!plane) return true;  // UNKNOWN
    KILN_DCHECK(plane->solid.size() == BorderPlaneSize(block.size(), face));
    const int u = UAxis(face);
    const int v = VAxis(face);
    return !PlaneBuries(*plane, rule, cls, min[u], max[u], min[v], max[v]);
  }
  Vec3i layer_min = min;
  Vec3i layer_max = max;
  layer_min[axis] = layer;
  layer_max[axis] = layer + 1;
  return !BlockBuries(block, rule, cls, layer_min, layer_max);
}

}  // namespace

Vec3i BorderPlaneSize(const Vec3i& block_size, Face face) {
  return {block_size[UAxis(face)], block_size[VAxis(face)], 1};
}

BorderPlane PlaneOfNeighbour(const VoxelBlock& neighbour, Face face) {
  const int axis = FaceAxis(face);
  const Vec3i size = BorderPlaneSize(neighbour.size(), face);
  BorderPlane plane;
  plane.solid.Reset(size);
  if (neighbour.size()[axis] == 0) return plane;
  if (!neighbour.classes.empty()) {
    plane.classes.resize(static_cast<size_t>(Volume(size)));
  }
  Vec3i voxel;
  // The neighbour beyond a plus face shows its lowest layer.
  voxel[axis] = IsPlusFace(face) ? 0 : neighbour.size()[axis] - 1;
  size_t index = 0;
  for (int v = 0; v < size.y; ++v) {
    for (int u = 0; u < size.x; ++u, ++index) {
      voxel[UAxis(face)] = u;
      voxel[VAxis(face)] = v;
      const int cls = neighbour.ClassAt(voxel.x, voxel.y, voxel.z);
      if (cls == 0) continue;
      plane.solid.Set(u, v, 0);
      if (!plane.classes.empty()) {
        plane.classes[index] = static_cast<uint8_t>(cls);
      }
    }
  }
  return plane;
}

void MarkExposedFaces(const VoxelBlock& block, const Borders& borders,
                      ExposureRule rule, BoxSet& boxes) {
  for (Box& box : boxes) {
    uint8_t exposed = 0;
    for (int i = 0; i < kFaceCount && rule != ExposureRule::kNone; ++i) {
      const Face face = static_cast<Face>(i);
      if (IsExposed(block, borders, rule, box.cls(), box.min(), box.max(),
                    face)) {
        exposed |= FaceBit(face);
      }
    }
    box.set_exposed_faces(exposed);
  }
}

bool IsFaceExposed(const VoxelBlock& block, const Borders& borders,
                   ExposureRule rule, const Vec3i& voxel, Face face) {
  if (rule == ExposureRule::kNone) return false;
  const int cls = block.ClassAt(voxel.x, voxel.y, voxel.z);
  KILN_DCHECK(cls != 0);
  return IsExposed(block, borders, rule, cls, voxel, voxel + Vec3i{1, 1, 1},
                   face);
}

}  // namespace kiln::core
