// core/voxel/boxes/mask_grid.h
//
// A grid of at most 64 cells whose occupancy is one word, for the exact
// solvers.

#ifndef KILN_CORE_VOXEL_BOXES_MASK_GRID_H_
#define KILN_CORE_VOXEL_BOXES_MASK_GRID_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/bits.h"
#include "core/geometry/vec3.h"

namespace kiln::core::internal {

inline constexpr int kMaxMaskCells = 64;

constexpr bool FitsMaskGrid(const Vec3i& size) {
  return Volume(size) <= kMaxMaskCells;
}

// Cell (x, y, z) is bit x + size.x * (y + size.y * z). The shape is kept apart
// from the occupancy, which callers pass as a word.
class MaskGrid {
 public:
  MaskGrid() = default;
  // Requires: every edge at least 1 and FitsMaskGrid(size).
  explicit MaskGrid(const Vec3i& size) : size_(size) {
    step_ = {1, size.x, size.x * size.y};
    for (int axis = 0; axis < 3; ++axis) {
      first_[Index(axis)] = LayerMask(axis, 0);
      last_[Index(axis)] = LayerMask(axis, size[axis] - 1);
    }
  }

  const Vec3i& size() const { return size_; }
  // Bits from a cell to its neighbour along an axis.
  int step(int axis) const { return step_[Index(axis)]; }

  // Cells of the last layer along an axis.
  uint64_t last(int axis) const { return last_[Index(axis)]; }

  static constexpr uint64_t Bit(int cell) { return uint64_t{1} << cell; }
  int Cell(int x, int y, int z) const {
    return x + size_.x * (y + size_.y * z);
  }
  Vec3i Coordinates(int cell) const {
    return {cell % size_.x, cell / size_.x % size_.y,
            cell / (size_.x * size_.y)};
  }

  // The cells one step up (down) an axis from those of `cells`; what would
  // leave the grid is dropped.
  uint64_t Up(uint64_t cells, int axis) const {
    const int by = step(axis);
    return by == kMaxMaskCells ? 0 : (cells & ~last_[Index(axis)]) << by;
  }
  uint64_t Down(uint64_t cells, int axis) const {
    const int by = step(axis);
    return by == kMaxMaskCells ? 0 : (cells & ~first_[Index(axis)]) >> by;
  }

  // Cells of the half-open box [min, max).
  uint64_t BoxMask(const Vec3i& min, const Vec3i& max) const {
    uint64_t cells = Bit(Cell(min.x, min.y, min.z));
    for (int axis = 0; axis < 3; ++axis) {
      const uint64_t layer = cells;
      for (int i = min[axis] + 1; i < max[axis]; ++i) {
        cells |= layer << ((i - min[axis]) * step(axis));
      }
    }
    return cells;
  }

  // Calls visit(box) for each box of `cells` that grows up every axis from the
  // cell `corner` (a bit of `cells`), z fastest, then y, then x.
  template <typename Visit>
  void ForEachBoxFrom(uint64_t corner, uint64_t cells, Visit visit) const {
    const auto next = [&](uint64_t layer, int axis) -> uint64_t {
      if ((layer & last(axis)) != 0) return 0;
      const uint64_t moved = Up(layer, axis);
      return (moved & ~cells) == 0 ? moved : 0;
    };
    SweepBoxesFrom(corner, next, visit);
  }

  // The same with steps of the caller's own: next(layer, axis) is the layer
  // that follows along `axis`, 0 where the box cannot grow on.
  template <typename Next, typename Visit>
  static void SweepBoxesFrom(uint64_t corner, Next next, Visit visit) {
    uint64_t line = 0;
    for (uint64_t x = corner; x != 0; x = next(x, 0)) {
      line |= x;
      uint64_t face = 0;
      for (uint64_t y = line; y != 0; y = next(y, 1)) {
        face |= y;
        uint64_t box = 0;
        for (uint64_t z = face; z != 0; z = next(z, 2)) {
          box |= z;
          visit(box);
        }
      }
    }
  }

  // The part of `cells` that is connected to its lowest cell by faces.
  // Requires: cells != 0.
  uint64_t FirstComponent(uint64_t cells) const {
    uint64_t part = cells & (~cells + 1);
    for (;;) {
      uint64_t grown = part;
      for (int axis = 0; axis < 3; ++axis) {
        grown |= Up(grown, axis) & cells;
        grown |= Down(grown, axis) & cells;
      }
      if (grown == part) return part;
      part = grown;
    }
  }

 private:
  static constexpr size_t Index(int axis) { return static_cast<size_t>(axis); }

  uint64_t LayerMask(int axis, int i) const {
    Vec3i min;
    Vec3i max = size_;
    min[axis] = i;
    max[axis] = i + 1;
    return BoxMask(min, max);
  }

  Vec3i size_{1, 1, 1};
  std::array<int, 3> step_{1, 1, 1};
  std::array<uint64_t, 3> first_{1, 1, 1};  // layer 0 of each axis
  std::array<uint64_t, 3> last_{1, 1, 1};   // the last layer of each axis
};

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_BOXES_MASK_GRID_H_
