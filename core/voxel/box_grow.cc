#include "core/voxel/box_grow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/cancel_poll.h"

namespace kiln::core {
namespace {

// The classes of a block as bytes, x fastest; boxes already made become air.
struct Grid {
  Vec3i size;
  std::vector<uint8_t> classes;

  explicit Grid(const Vec3i& block_size)
      : size(block_size), classes(static_cast<size_t>(Volume(block_size))) {}

  uint8_t* Row(int y, int z) {
    return classes.data() +
           static_cast<size_t>(size.x) *
               (static_cast<size_t>(y) +
                static_cast<size_t>(size.y) * static_cast<size_t>(z));
  }

  // Whether all voxels of [min, max) are of class `cls`.
  bool IsAll(const Vec3i& min, const Vec3i& max, uint8_t cls) {
    for (int z = min.z; z < max.z; ++z) {
      for (int y = min.y; y < max.y; ++y) {
        const uint8_t* row = Row(y, z);
        for (int x = min.x; x < max.x; ++x) {
          if (row[x] != cls) return false;
        }
      }
    }
    return true;
  }

  void Clear(const Vec3i& min, const Vec3i& max) {
    for (int z = min.z; z < max.z; ++z) {
      for (int y = min.y; y < max.y; ++y) {
        std::fill(Row(y, z) + min.x, Row(y, z) + max.x, uint8_t{0});
      }
    }
  }
};

// Grows the box of `cls` whose minimum corner is `min`; returns its maximum.
// Where `poll` stops, the box is not fully grown.
Vec3i Grow(Grid& grid, const Vec3i& min, uint8_t cls, CancelPoll& poll) {
  Vec3i max = min + Vec3i{1, 1, 1};
  for (bool grew = true; grew;) {
    grew = false;
    for (int axis = 0; axis < 3; ++axis) {
      if (max[axis] == grid.size[axis]) continue;
      Vec3i layer_min = min;
      Vec3i layer_max = max;
      layer_min[axis] = max[axis];
      layer_max[axis] = max[axis] + 1;
      if (poll.ShouldStopAfter(Volume(layer_max - layer_min))) return max;
      if (grid.IsAll(layer_min, layer_max, cls)) {
        ++max[axis];
        grew = true;
      }
    }
  }
  return max;
}

absl::StatusOr<BoxSet> GrowAll(Grid& grid, CancelPoll& poll) {
  BoxSet boxes;
  for (int z = 0; z < grid.size.z; ++z) {
    for (int y = 0; y < grid.size.y; ++y) {
      if (poll.ShouldStopAfter(grid.size.x)) return poll.ToStatus();
      for (int x = 0; x < grid.size.x; ++x) {
        const uint8_t cls = grid.Row(y, z)[x];
        if (cls == 0) continue;
        const Vec3i min{x, y, z};
        const Vec3i max = Grow(grid, min, cls, poll);
        if (poll.stopped()) return poll.ToStatus();
        grid.Clear(min, max);
        boxes.emplace_back(min, max, cls);
      }
    }
  }
  // Scan order is the canonical order: minimum corners are met by z, y, x.
  return boxes;
}

}  // namespace

absl::StatusOr<BoxSet> GrowBoxes(const VoxelBlock& block,
                                 const CancelToken& cancel) {
  Grid grid(block.size());
  CancelPoll poll(cancel);
  for (int z = 0; z < grid.size.z; ++z) {
    for (int y = 0; y < grid.size.y; ++y) {
      if (poll.ShouldStopAfter(grid.size.x)) return poll.ToStatus();
      uint8_t* row = grid.Row(y, z);
      for (int x = 0; x < grid.size.x; ++x) {
        row[x] = static_cast<uint8_t>(block.ClassAt(x, y, z));
      }
    }
  }
  return GrowAll(grid, poll);
}

absl::StatusOr<BoxSet> GrowBoxes(const VoxelView<uint8_t>& classes,
                                 const CancelToken& cancel) {
  Grid grid(classes.size());
  CancelPoll poll(cancel);
  for (int z = 0; z < grid.size.z; ++z) {
    for (int y = 0; y < grid.size.y; ++y) {
      if (poll.ShouldStopAfter(grid.size.x)) return poll.ToStatus();
      uint8_t* row = grid.Row(y, z);
      for (int x = 0; x < grid.size.x; ++x) row[x] = classes.At(x, y, z);
    }
  }
  return GrowAll(grid, poll);
}

}  // namespace kiln::core
