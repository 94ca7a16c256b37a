// core/voxel/box_set.h
//
// A box and an ordered list of boxes: what every box method returns. Bounds are
// whole voxels of the block, half-open: [min, max).

#ifndef KILN_CORE_VOXEL_BOX_SET_H_
#define KILN_CORE_VOXEL_BOX_SET_H_

#include <compare>
#include <cstdint>
#include <vector>

#include "core/geometry/vec3.h"

namespace kiln::core {

// The six faces, in the order of the bits of Box::exposed_faces.
enum class Face : uint8_t {
  kMinusX = 0,
  kPlusX = 1,
  kMinusY = 2,
  kPlusY = 3,
  kMinusZ = 4,
  kPlusZ = 5,
};
inline constexpr int kFaceCount = 6;
inline constexpr uint8_t kAllFaces = 0x3f;

// Bit of a face in a mask of faces.
constexpr uint8_t FaceBit(Face face) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(face));
}
// 0, 1, 2 for x, y, z.
constexpr int FaceAxis(Face face) { return static_cast<int>(face) >> 1; }
constexpr bool IsPlusFace(Face face) {
  return (static_cast<int>(face) & 1) != 0;
}
constexpr Face OppositeFace(Face face) {
  return static_cast<Face>(static_cast<uint8_t>(face) ^ 1u);
}

// A box of solid voxels of one class. Its identity is its bounds and its class:
// `key` without the lowest byte.
//
// The key holds, from the highest byte down: min z, y, x, max z, y, x (each
// maximum less one, so that 256 fits), class, exposed faces. Boxes in ascending
// order of their keys are therefore in canonical order, and sorting them is
// sorting integers.
class Box {
 public:
  Box() = default;
  // Requires: 0 <= min < max <= 256 on each axis; 1 <= cls <= 255.
  Box(const Vec3i& min, const Vec3i& max, int cls, uint8_t exposed_faces = 0)
      : key_(Byte(min.z, 56) | Byte(min.y, 48) | Byte(min.x, 40) |
             Byte(max.z - 1, 32) | Byte(max.y - 1, 24) | Byte(max.x - 1, 16) |
             Byte(cls, 8) | exposed_faces) {}

  static Box FromKey(uint64_t key) {
    Box box;
    box.key_ = key;
    return box;
  }

  Vec3i min() const { return {Field(40), Field(48), Field(56)}; }
  Vec3i max() const { return {Field(16) + 1, Field(24) + 1, Field(32) + 1}; }
  Vec3i size() const { return max() - min(); }
  int cls() const { return Field(8); }
  // Bit i is set where face i touches air or something unknown.
  uint8_t exposed_faces() const { return static_cast<uint8_t>(key_); }
  void set_exposed_faces(uint8_t faces) {
    key_ = (key_ & ~uint64_t{255}) | faces;
  }

  uint64_t key() const { return key_; }
  // Bounds and class: equal for two boxes that differ in exposure alone.
  uint64_t identity() const { return key_ >> 8; }

  friend auto operator<=>(const Box&, const Box&) = default;

 private:
  static constexpr uint64_t Byte(int value, int shift) {
    return static_cast<uint64_t>(value) << shift;
  }
  int Field(int shift) const { return static_cast<int>((key_ >> shift) & 255); }

  uint64_t key_ = 0;
};

// Boxes in canonical order: by minimum z, y, x, then maximum z, y, x, then
// class. No two have the same identity.
using BoxSet = std::vector<Box>;

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BOX_SET_H_
