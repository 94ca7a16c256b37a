// tests/golden/exact_small_grids.h
//
// Small grids with the fewest boxes that a partition and a cover of them can
// have, found by exhaustive search outside this project.

#ifndef KILN_TESTS_GOLDEN_EXACT_SMALL_GRIDS_H_
#define KILN_TESTS_GOLDEN_EXACT_SMALL_GRIDS_H_

#include <cstdint>

#include "core/geometry/vec3.h"
#include "core/voxel/voxel_block.h"

namespace kiln::tests {

struct ExactSmallGrid {
  const char* name;
  core::Vec3i size;
  uint64_t solid;  // voxel (x, y, z) is bit x + size.x * (y + size.y * z)
  int min_partition;
  int min_cover;
};

inline constexpr ExactSmallGrid kExactSmallGrids[] = {
    {"plus 3x3x1", {3, 3, 1}, 0xba, 3, 2},
    {"jack 3D plus (7 voxels)", {3, 3, 3}, 0x417410, 5, 3},
    {"2^3 minus corner", {2, 2, 2}, 0x7f, 3, 3},
    {"2^3 minus 2 opposite corners", {2, 2, 2}, 0x7e, 3, 3},
    {"3^3 minus centre (shell 26)", {3, 3, 3}, 0x7ffdfff, 6, 6},
    {"3x3x1 ring", {3, 3, 1}, 0x1ef, 4, 4},
    {"4x4x1 floor, 1 inner cell dug", {4, 4, 1}, 0xffdf, 4, 4},
    {"4x4x2 slab, 1 top inner cell dug", {4, 4, 2}, 0xffdfffff, 5, 5},
    {"4^3 solid, top-corner dug", {4, 4, 4}, 0x7fffffffffffffff, 3, 3},
    {"stairs 4 steps x2", {4, 4, 2}, 0x8cef8cef, 4, 4},
    {"checker 3^3 (14)", {3, 3, 3}, 0x5555555, 14, 14},
    {"two slabs touching at an edge", {4, 2, 2}, 0xc3c3, 2, 2},
    {"corner room: floor 4x1x4 + 2 walls h3",
     {4, 4, 4},
     0x111f111f111fffff,
     3,
     3},
    {"tunnel: 3x3x4 minus 1x1x4", {3, 3, 4}, 0xf7fbfdfef, 4, 4},
    {"random 3^3 no. 0", {3, 3, 3}, 0x5fe91ba, 6, 5},
    {"random 3^3 no. 1", {3, 3, 3}, 0x5fb39eb, 9, 9},
    {"random 3^3 no. 2", {3, 3, 3}, 0x7fced7e, 5, 5},
    {"random 3x3x3 no. 0", {3, 3, 3}, 0x7bfffb6, 5, 5},
    {"random 4x4x2 no. 1", {4, 4, 2}, 0x5fddf67f, 8, 7},
    {"random 3x3x3 no. 2", {3, 3, 3}, 0x53dff75, 9, 8},
    {"random 4x4x2 no. 3", {4, 4, 2}, 0xf36d76ed, 8, 8},
    {"random 4x2x2 no. 4", {4, 2, 2}, 0xbffd, 5, 5},
    {"random 3x3x3 no. 5", {3, 3, 3}, 0x75df378, 8, 7},
    {"random 4x4x2 no. 6", {4, 4, 2}, 0xe2fc2abd, 7, 6},
    {"random 3x3x3 no. 7", {3, 3, 3}, 0x607a376, 6, 6},
    {"random 4x4x2 no. 8", {4, 4, 2}, 0x9f7a20ad, 10, 10},
    {"random 4x4x2 no. 9", {4, 4, 2}, 0x5f5e4f77, 7, 5},
    {"random 4x4x2 no. 10", {4, 4, 2}, 0xdbf93ffd, 7, 7},
    {"random 3x3x3 no. 11", {3, 3, 3}, 0x2facee3, 8, 8},
};

// The block whose solid voxels are `solid`, numbered as above.
inline core::VoxelBlock BlockOfMask(const core::Vec3i& size, uint64_t solid) {
  core::VoxelBlock block;
  block.occupancy.Reset(size);
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x, solid >>= 1) {
        if ((solid & 1) != 0) block.occupancy.Set(x, y, z);
      }
    }
  }
  return block;
}

}  // namespace kiln::tests

#endif  // KILN_TESTS_GOLDEN_EXACT_SMALL_GRIDS_H_
