// core/voxel/bit_grid.h
//
// Occupancy of a block as bit rows: the form that every box method works on.
// A row runs along x; bit x % 64 of word x / 64 of a row is voxel x.

#ifndef KILN_CORE_VOXEL_BIT_GRID_H_
#define KILN_CORE_VOXEL_BIT_GRID_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/vec3.h"

namespace kiln::core {

// Rows are ordered y fastest, then z: row (y, z) has index y + size.y * z. Bits
// at and beyond size.x are always zero, so two equal occupancies are equal
// words, and words can be hashed and compared as they are.
//
// Threads: const calls may run concurrently.
class BitGrid {
 public:
  BitGrid() = default;
  // All air. Requires: each edge 0..256.
  explicit BitGrid(const Vec3i& size) { Reset(size); }

  // Becomes all air of this size. Keeps its memory where it is large enough.
  void Reset(const Vec3i& size);

  const Vec3i& size() const { return size_; }
  int words_per_row() const { return words_per_row_; }
  int rows() const { return size_.y * size_.z; }

  uint64_t* Row(int y, int z) { return words_.data() + RowOffset(y, z); }
  const uint64_t* Row(int y, int z) const {
    return words_.data() + RowOffset(y, z);
  }
  // All rows, one after the other.
  std::span<uint64_t> words() { return words_; }
  std::span<const uint64_t> words() const { return words_; }

  // Requires (these three): 0 <= (x, y, z) < size.
  bool Get(int x, int y, int z) const {
    return (Row(y, z)[x >> 6] >> (x & 63)) & 1;
  }
  void Set(int x, int y, int z) {
    Row(y, z)[x >> 6] |= uint64_t{1} << (x & 63);
  }
  void Clear(int x, int y, int z) {
    Row(y, z)[x >> 6] &= ~(uint64_t{1} << (x & 63));
  }

  int64_t CountSolid() const;

  friend bool operator==(const BitGrid&, const BitGrid&) = default;

 private:
  size_t RowOffset(int y, int z) const {
    return (static_cast<size_t>(z) * static_cast<size_t>(size_.y) +
            static_cast<size_t>(y)) *
           static_cast<size_t>(words_per_row_);
  }

  Vec3i size_;
  int words_per_row_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BIT_GRID_H_
