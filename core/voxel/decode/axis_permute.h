// core/voxel/decode/axis_permute.h
//
// Voxels in the order of their payload, and how they become a block. Decoders
// of ordered payloads fill LinearVoxels in one sweep and need not know how axes
// lie; bits are then transposed 64 x 64 at a time.

#ifndef KILN_CORE_VOXEL_DECODE_AXIS_PERMUTE_H_
#define KILN_CORE_VOXEL_DECODE_AXIS_PERMUTE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/geometry/vec3.h"
#include "core/voxel/encoded_block.h"
#include "core/voxel/voxel_block.h"

namespace kiln::core::internal {

// Voxel i of the payload is bit i % 64 of bits[i / 64].
struct LinearVoxels {
  LinearVoxels(int64_t voxel_count, bool with_classes);

  // Solidity of voxels first .. first + count - 1, all of class `cls`. Leaves
  // them air where cls is 0. Requires: they are air; inside the block.
  void Fill(int64_t first, int64_t count, uint8_t cls);

  int64_t count;
  // Air beyond the last voxel, and one word more, so that 64 bits may be read
  // at any voxel.
  std::vector<uint64_t> bits;
  // Class of each voxel, 0 for air; empty where only class 1 occurs.
  std::vector<uint8_t> classes;
};

// Steps along the payload from a voxel to its +x, +y and +z neighbours.
std::array<int64_t, 3> StridesOf(AxisOrder order, const Vec3i& size);

// "voxel (x, y, z)" of the payload's voxel `index`.
std::string VoxelName(int64_t index, AxisOrder order, const Vec3i& size);

// The block whose voxels lie in `order`. Not normalized.
// Requires: voxels.count == Volume(size).
// Cost:     O(V / 64) where x is the fastest axis, else O(V / 8), and O(V)
//           where there are classes.
VoxelBlock ToBlock(LinearVoxels voxels, AxisOrder order, const Vec3i& size);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_DECODE_AXIS_PERMUTE_H_
