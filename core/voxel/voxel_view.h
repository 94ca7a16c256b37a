// core/voxel/voxel_view.h
//
// A look at a part of a caller's own voxel array, without a copy: a pointer,
// three strides and a sub-range. The view owns nothing.

#ifndef KILN_CORE_VOXEL_VOXEL_VIEW_H_
#define KILN_CORE_VOXEL_VOXEL_VIEW_H_

#include <cstddef>
#include <cstdint>

#include "core/geometry/vec3.h"

namespace kiln::core {

// `T` is uint8_t, uint16_t or uint32_t. Coordinates given to At are those of
// the view: (0, 0, 0) is the voxel at `min` of the array.
template <typename T>
struct VoxelView {
  const T* data = nullptr;  // voxel (0, 0, 0) of the array
  ptrdiff_t stride_x = 1;   // elements from a voxel to its +x neighbour
  ptrdiff_t stride_y = 0;
  ptrdiff_t stride_z = 0;
  Vec3i min;  // the part looked at, in voxels of the array; half-open
  Vec3i max;

  Vec3i size() const { return max - min; }

  // Requires: 0 <= (x, y, z) < size().
  const T& At(int x, int y, int z) const { return *Address(x, y, z); }
  const T* Address(int x, int y, int z) const {
    return data + (min.x + x) * stride_x + (min.y + y) * stride_y +
           (min.z + z) * stride_z;
  }
};

// The whole of a dense array, x fastest, then y, then z.
template <typename T>
VoxelView<T> DenseView(const T* data, const Vec3i& size) {
  return {data, 1, size.x, ptrdiff_t{size.x} * size.y, {}, size};
}

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_VOXEL_VIEW_H_
