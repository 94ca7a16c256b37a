// core/geometry/vec3.h
//
// Integer vectors: sizes, coordinates and axes of voxels. y is up, the system
// is right-handed, voxel i spans [i, i + 1).

#ifndef KILN_CORE_GEOMETRY_VEC3_H_
#define KILN_CORE_GEOMETRY_VEC3_H_

#include <cstdint>

namespace kiln::core {

struct Vec3i {
  int x = 0;
  int y = 0;
  int z = 0;

  // Requires: 0 <= axis < 3 (0 = x, 1 = y, 2 = z).
  constexpr int operator[](int axis) const {
    return axis == 0 ? x : axis == 1 ? y : z;
  }
  constexpr int& operator[](int axis) {
    return axis == 0 ? x : axis == 1 ? y : z;
  }

  friend constexpr Vec3i operator+(const Vec3i& a, const Vec3i& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Vec3i operator-(const Vec3i& a, const Vec3i& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr bool operator==(const Vec3i&, const Vec3i&) = default;
};

// Cells in a box of this size.
constexpr int64_t Volume(const Vec3i& size) {
  return int64_t{size.x} * size.y * size.z;
}

}  // namespace kiln::core

#endif  // KILN_CORE_GEOMETRY_VEC3_H_
