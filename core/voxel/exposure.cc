#include "core/voxel/exposure.h"

#include <algorithm>
#include <bit>

#include "core/base/cancel_poll.h"
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
  const BitRun run(u0, u1);
  for (int v = v0; v < v1; ++v) {
    if (!run.IsSetIn(plane.solid.Row(v, 0))) return false;
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
  const BitRun run(min.x, max.x);
  for (int z = min.z; z < max.z; ++z) {
    for (int y = min.y; y < max.y; ++y) {
      if (!run.IsSetIn(grid.Row(y, z))) return false;
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

// Faces of the box [min, max) that lie on the block's border.
uint8_t BorderFaces(const Vec3i& size, const Vec3i& min, const Vec3i& max) {
  const auto bit = [](bool on_border, Face face) {
    return on_border ? FaceBit(face) : uint8_t{0};
  };
  return bit(min.x == 0, Face::kMinusX) | bit(max.x == size.x, Face::kPlusX) |
         bit(min.y == 0, Face::kMinusY) | bit(max.y == size.y, Face::kPlusY) |
         bit(min.z == 0, Face::kMinusZ) | bit(max.z == size.z, Face::kPlusZ);
}

// Which faces of the box [min, max) touch air inside the block. Those on the
// block's border come out one way or the other. Most faces are small, so that
// looking at all of one costs less than a branch that is hard to foresee.
// Requires: rows of one word.
uint8_t ExposedInOneWordRows(const BitGrid& grid, const Vec3i& min,
                             const Vec3i& max) {
  const uint64_t* const rows = grid.words().data();
  const int height = grid.size().y;
  const uint64_t run = WordRun(min.x, max.x);
  const uint64_t below_x = min.x > 0 ? uint64_t{1} << (min.x - 1) : 0;
  const uint64_t above_x = max.x < 64 ? uint64_t{1} << max.x : 0;
  const int below_y = std::max(min.y - 1, 0);
  const int above_y = std::min(max.y, height - 1);

  uint64_t solid_x = below_x | above_x;  // columns without air so far
  uint64_t solid_below_y = run;
  uint64_t solid_above_y = run;
  for (int z = min.z; z < max.z; ++z) {
    const uint64_t* slice = rows + z * height;
    solid_below_y &= slice[below_y];
    solid_above_y &= slice[above_y];
    if (solid_x == 0) continue;
    for (int y = min.y; y < max.y; ++y) solid_x &= slice[y];
  }
  const uint64_t* const below_z = rows + std::max(min.z - 1, 0) * height;
  const uint64_t* const above_z =
      rows + std::min(max.z, grid.size().z - 1) * height;
  uint64_t solid_below_z = run;
  uint64_t solid_above_z = run;
  for (int y = min.y; y < max.y; ++y) {
    solid_below_z &= below_z[y];
    solid_above_z &= above_z[y];
  }

  const auto bit = [](bool solid, Face face) {
    return static_cast<uint8_t>(static_cast<unsigned>(!solid)
                                << static_cast<unsigned>(face));
  };
  return bit((solid_x & below_x) != 0, Face::kMinusX) |
         bit((solid_x & above_x) != 0, Face::kPlusX) |
         bit(solid_below_y == run, Face::kMinusY) |
         bit(solid_above_y == run, Face::kPlusY) |
         bit(solid_below_z == run, Face::kMinusZ) |
         bit(solid_above_z == run, Face::kPlusZ);
}

// What looking at the faces of the box [min, max) costs, in rows; a row is
// about 1 ns.
int64_t RowsOfFaces(const Vec3i& min, const Vec3i& max) {
  const int64_t y = max.y - min.y;
  const int64_t z = max.z - min.z;
  return 2 * (y * z + y + z) + 16;
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
                      ExposureRule rule, BoxSet& boxes,
                      const CancelToken& cancel) {
  // Where any solid voxel of the block buries, rows of one word are looked at
  // in bulk, and only faces on the block's border one by one.
  const bool in_bulk =
      block.occupancy.words_per_row() == 1 &&
      (rule == ExposureRule::kAnySolid ||
       (rule == ExposureRule::kPerClass && block.classes.empty()));
  CancelPoll poll(cancel);
  for (Box& box : boxes) {
    const Vec3i min = box.min();
    const Vec3i max = box.max();
    if (poll.ShouldStopAfter(RowsOfFaces(min, max))) return;
    uint8_t exposed = 0;
    uint8_t open = rule == ExposureRule::kNone ? 0 : kAllFaces;
    if (in_bulk) {
      open = BorderFaces(block.size(), min, max);
      exposed = ExposedInOneWordRows(block.occupancy, min, max) & ~open;
    }
    for (; open != 0; open &= open - 1) {
      const Face face = static_cast<Face>(std::countr_zero(open));
      if (IsExposed(block, borders, rule, box.cls(), min, max, face)) {
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
