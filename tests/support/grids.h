// tests/support/grids.h
//
// The grids that Kiln's figures are quoted for, by short names.

#ifndef KILN_TESTS_SUPPORT_GRIDS_H_
#define KILN_TESTS_SUPPORT_GRIDS_H_

#include <vector>

#include "core/voxel/sample/sample_grids.h"
#include "core/voxel/voxel_block.h"

namespace kiln::tests {

inline core::SampleGrid HillsGrid(int edge) {
  return *core::MakeSampleGrid("hills", edge);
}
inline core::SampleGrid CavesGrid(int edge) {
  return *core::MakeSampleGrid("caves", edge);
}
inline core::SampleGrid BallGrid(int edge) {
  return *core::MakeSampleGrid("ball", edge);
}

inline std::vector<core::SampleGrid> NamedGrids(int edge) {
  return {HillsGrid(edge), CavesGrid(edge), BallGrid(edge)};
}

// The same voxels as a block of one class.
inline core::VoxelBlock BlockOf(const core::SampleGrid& grid) {
  core::VoxelBlock block;
  block.occupancy.Reset(grid.size());
  for (int z = 0; z < grid.edge; ++z) {
    for (int y = 0; y < grid.edge; ++y) {
      for (int x = 0; x < grid.edge; ++x) {
        if (grid.view().At(x, y, z) != 0) block.occupancy.Set(x, y, z);
      }
    }
  }
  return block;
}

}  // namespace kiln::tests

#endif  // KILN_TESTS_SUPPORT_GRIDS_H_
