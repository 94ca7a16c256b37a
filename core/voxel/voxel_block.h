// core/voxel/voxel_block.h
//
// A block as the box methods see it: which voxels are solid, and of which
// class. Whatever encoding it came in is forgotten here, so equal contents are
// equal blocks (decoders: core/voxel/decode/block_decoder.h).

#ifndef KILN_CORE_VOXEL_VOXEL_BLOCK_H_
#define KILN_CORE_VOXEL_VOXEL_BLOCK_H_

#include <cstdint>
#include <vector>

#include "core/base/hash.h"
#include "core/geometry/vec3.h"
#include "core/voxel/bit_grid.h"

namespace kiln::core {

struct VoxelBlock {
  BitGrid occupancy;

  // Class of each voxel, x fastest, then y, then z; 0 exactly where the voxel
  // is not solid. Empty where every solid voxel is of class 1 (kDefaultClass):
  // Normalize brings a block to this form, so that equality and content_hash
  // do not depend on how it was made.
  std::vector<uint8_t> classes;

  const Vec3i& size() const { return occupancy.size(); }

  // Class at a voxel, 0 for air. Requires: inside the block.
  int ClassAt(int x, int y, int z) const {
    if (!occupancy.Get(x, y, z)) return 0;
    return classes.empty() ? 1 : classes[Index(x, y, z)];
  }

  size_t Index(int x, int y, int z) const {
    const Vec3i& s = size();
    return static_cast<size_t>(x) +
           static_cast<size_t>(s.x) *
               (static_cast<size_t>(y) +
                static_cast<size_t>(s.y) * static_cast<size_t>(z));
  }

  // Drops `classes` where every solid voxel is of class 1.
  void Normalize();

  friend bool operator==(const VoxelBlock&, const VoxelBlock&) = default;
};

// Names the content: size, occupancy and classes of a normalized block.
// Cost: O(bits), and O(voxels) where there are classes.
Hash128 ContentHash(const VoxelBlock& block);

// Classes that occur among the solid voxels, ascending.
std::vector<uint8_t> ClassesOf(const VoxelBlock& block);

// The occupancy of one class alone. Requires: 1 <= cls <= 255.
BitGrid OccupancyOfClass(const VoxelBlock& block, int cls);

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_VOXEL_BLOCK_H_
