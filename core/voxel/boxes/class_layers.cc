#include "core/voxel/boxes/class_layers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace kiln::core::internal {
namespace {

struct Bounds {
  Vec3i min{kMaxBlockEdgeVoxels, kMaxBlockEdgeVoxels, kMaxBlockEdgeVoxels};
  Vec3i max{0, 0, 0};

  bool empty() const { return max.x == 0; }
  void Add(int x0, int x1, int y, int z) {
    min = {std::min(min.x, x0), std::min(min.y, y), std::min(min.z, z)};
    max = {std::max(max.x, x1), std::max(max.y, y + 1), std::max(max.z, z + 1)};
  }
};

Bounds BoundsOfOccupancy(const BitGrid& grid) {
  Bounds bounds;
  for (int z = 0; z < grid.size().z; ++z) {
    for (int y = 0; y < grid.size().y; ++y) {
      const uint64_t* row = grid.Row(y, z);
      int first = 0;
      int last = grid.words_per_row() - 1;
      while (first <= last && row[first] == 0) ++first;
      if (first > last) continue;
      while (row[last] == 0) --last;
      bounds.Add(first * 64 + std::countr_zero(row[first]),
                 last * 64 + 64 - std::countl_zero(row[last]), y, z);
    }
  }
  return bounds;
}

// Bits [x0, x0 + size.x) of a row of `from`, moved to bit 0 of `to`.
void CopyBits(const uint64_t* from, int from_words, int x0, uint64_t* to,
              int size_x) {
  const int shift = x0 & 63;
  const int words = (size_x + 63) / 64;
  for (int w = 0; w < words; ++w) {
    const int source = (x0 >> 6) + w;
    uint64_t value = from[source] >> shift;
    if (shift != 0 && source + 1 < from_words) {
      value |= from[source + 1] << (64 - shift);
    }
    to[w] = value;
  }
  if ((size_x & 63) != 0) {
    to[words - 1] &= (uint64_t{1} << (size_x & 63)) - 1;
  }
}

absl::Status VisitSingleClass(
    const VoxelBlock& block,
    absl::FunctionRef<absl::Status(const ClassLayer&)> visit) {
  const Bounds bounds = BoundsOfOccupancy(block.occupancy);
  if (bounds.empty()) return absl::OkStatus();
  ClassLayer layer{kDefaultClass, bounds.min, {}};
  if (bounds.max - bounds.min == block.size()) {
    layer.solid = block.occupancy;
    return visit(layer);
  }
  layer.solid.Reset(bounds.max - bounds.min);
  const Vec3i size = layer.solid.size();
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      CopyBits(block.occupancy.Row(y + bounds.min.y, z + bounds.min.z),
               block.occupancy.words_per_row(), bounds.min.x,
               layer.solid.Row(y, z), size.x);
    }
  }
  return visit(layer);
}

}  // namespace

absl::Status ForEachClassLayer(
    const VoxelBlock& block, const CancelToken& cancel,
    absl::FunctionRef<absl::Status(const ClassLayer&)> visit) {
  KILN_RETURN_IF_ERROR(cancel.ToStatus());
  if (block.classes.empty()) return VisitSingleClass(block, visit);

  std::array<Bounds, kMaxClass + 1> bounds;
  const uint8_t* voxel = block.classes.data();
  for (int z = 0; z < block.size().z; ++z) {
    for (int y = 0; y < block.size().y; ++y) {
      for (int x = 0; x < block.size().x; ++x) {
        bounds[*voxel++].Add(x, x + 1, y, z);
      }
    }
    KILN_RETURN_IF_ERROR(cancel.ToStatus());
  }
  for (int cls = 1; cls <= kMaxClass; ++cls) {
    const Bounds& of_class = bounds[static_cast<size_t>(cls)];
    if (of_class.empty()) continue;
    ClassLayer layer{cls, of_class.min, {}};
    layer.solid.Reset(of_class.max - of_class.min);
    const Vec3i size = layer.solid.size();
    for (int z = 0; z < size.z; ++z) {
      for (int y = 0; y < size.y; ++y) {
        const uint8_t* classes =
            block.classes.data() +
            block.Index(of_class.min.x, y + of_class.min.y, z + of_class.min.z);
        uint64_t* row = layer.solid.Row(y, z);
        for (int x = 0; x < size.x; ++x) {
          row[x >> 6] |= uint64_t{classes[x] == cls} << (x & 63);
        }
      }
      KILN_RETURN_IF_ERROR(cancel.ToStatus());
    }
    KILN_RETURN_IF_ERROR(visit(layer));
  }
  return absl::OkStatus();
}

uint64_t SmallMask(const BitGrid& solid) {
  const MaskGrid grid(solid.size());
  uint64_t mask = 0;
  for (int z = 0; z < solid.size().z; ++z) {
    for (int y = 0; y < solid.size().y; ++y) {
      mask |= *solid.Row(y, z) << grid.Cell(0, y, z);
    }
  }
  return mask;
}

Box BoxOfMask(const MaskGrid& grid, uint64_t mask) {
  const Vec3i last = grid.Coordinates(63 - std::countl_zero(mask));
  return Box(grid.Coordinates(std::countr_zero(mask)), last + Vec3i{1, 1, 1},
             kDefaultClass);
}

}  // namespace kiln::core::internal
