#include "core/voxel/boxes/box_grow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/cancel_poll.h"

namespace kiln::core {
namespace {

// The classes of a block as bytes, x fastest; boxes already made become air.
struct Grid {
  Vec3i size;
  // Not initialised: 256^3 bytes cannot be cleared between two looks at the
  // clock, filling them row by row can.
  std::unique_ptr<uint8_t[]> classes;

  explicit Grid(const Vec3i& block_size)
      : size(block_size),
        classes(std::make_unique_for_overwrite<uint8_t[]>(
            static_cast<size_t>(Volume(block_size)))) {}

  uint8_t* Row(int y, int z) {
    return classes.get() +
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
  // An axis that is blocked once stays blocked: its layer only gets larger.
  bool grows_x = true, grows_y = true, grows_z = true;
  while (grows_x || grows_y || grows_z) {
    const Vec3i size = max - min;
    if (poll.ShouldStopAfter(size.x * size.y + size.x * size.z +
                             size.y * size.z)) {
      break;
    }
    if (grows_x) {
      grows_x =
          max.x < grid.size.x &&
          grid.IsAll({max.x, min.y, min.z}, {max.x + 1, max.y, max.z}, cls);
      if (grows_x) ++max.x;
    }
    if (grows_y) {
      grows_y =
          max.y < grid.size.y &&
          grid.IsAll({min.x, max.y, min.z}, {max.x, max.y + 1, max.z}, cls);
      if (grows_y) ++max.y;
    }
    if (grows_z) {
      grows_z =
          max.z < grid.size.z &&
          grid.IsAll({min.x, min.y, max.z}, {max.x, max.y, max.z + 1}, cls);
      if (grows_z) ++max.z;
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
