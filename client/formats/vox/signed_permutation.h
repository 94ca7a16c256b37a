// client/formats/vox/signed_permutation.h
//
// The 48 rotations and mirrors that map voxels to voxels, as MagicaVoxel packs
// them into a byte: one entry of +1 or -1 in each row and column.

#ifndef KILN_CLIENT_FORMATS_VOX_SIGNED_PERMUTATION_H_
#define KILN_CLIENT_FORMATS_VOX_SIGNED_PERMUTATION_H_

#include <array>
#include <cstdint>
#include <optional>

#include "core/geometry/vec3.h"

namespace kiln::client {

class SignedPermutation {
 public:
  // The identity.
  SignedPermutation() = default;

  // Bits 0-1 and 2-3: column of the entry in row 0 and 1; bits 4, 5, 6: whether
  // the entry of row 0, 1, 2 is -1. nullopt for a byte that is no permutation.
  static std::optional<SignedPermutation> FromByte(int packed) {
    const int first = packed & 3;
    const int second = (packed >> 2) & 3;
    if (packed < 0 || packed > 127 || first > 2 || second > 2 ||
        first == second) {
      return std::nullopt;
    }
    SignedPermutation result;
    result.column_ = {first, second, 3 - first - second};
    for (int row = 0; row < 3; ++row) {
      result.sign_[static_cast<size_t>(row)] =
          (packed >> (4 + row)) & 1 ? -1 : 1;
    }
    return result;
  }

  // Of a point or a vector.
  core::Vec3i Apply(const core::Vec3i& v) const {
    return {sign_[0] * v[column_[0]], sign_[1] * v[column_[1]],
            sign_[2] * v[column_[2]]};
  }

  // Of the voxel that spans [v, v + 1): its minimum corner afterwards. An axis
  // that turns round takes [v, v + 1) to [-v - 1, -v).
  core::Vec3i ApplyToVoxel(const core::Vec3i& v) const {
    core::Vec3i result = Apply(v);
    for (int row = 0; row < 3; ++row) {
      if (sign_[static_cast<size_t>(row)] < 0) --result[row];
    }
    return result;
  }

  // First `other`, then this.
  SignedPermutation After(const SignedPermutation& other) const {
    SignedPermutation result;
    for (size_t row = 0; row < 3; ++row) {
      const auto middle = static_cast<size_t>(column_[row]);
      result.column_[row] = other.column_[middle];
      result.sign_[row] = sign_[row] * other.sign_[middle];
    }
    return result;
  }

  friend bool operator==(const SignedPermutation&,
                         const SignedPermutation&) = default;

 private:
  std::array<int, 3> column_ = {0, 1, 2};
  std::array<int, 3> sign_ = {1, 1, 1};
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_VOX_SIGNED_PERMUTATION_H_
