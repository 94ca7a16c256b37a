#include "core/voxel/bit_grid.h"

#include "core/base/bits.h"
#include "core/base/check.h"
#include "core/base/limits.h"

namespace kiln::core {

void BitGrid::Reset(const Vec3i& size) {
  for (int axis = 0; axis < 3; ++axis) {
    KILN_CHECK(size[axis] >= 0 && size[axis] <= kMaxBlockEdgeVoxels);
  }
  size_ = size;
  words_per_row_ = (size.x + 63) / 64;
  words_.assign(
      static_cast<size_t>(rows()) * static_cast<size_t>(words_per_row_), 0);
}

int64_t BitGrid::CountSolid() const {
  int64_t count = 0;
  for (const uint64_t word : words_) count += CountBits(word);
  return count;
}

}  // namespace kiln::core
