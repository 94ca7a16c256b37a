// core/voxel/sample/sample_grids.h
//
// The named grids that Kiln's figures are quoted for (hills, caves, ball) and
// two extremes (flat, noise). Unlike the sample world each is one cube of one
// material, small enough for one block, and their counts of solid voxels are
// fixed, so box counts can be compared with published ones.

#ifndef KILN_CORE_VOXEL_SAMPLE_SAMPLE_GRIDS_H_
#define KILN_CORE_VOXEL_SAMPLE_SAMPLE_GRIDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/geometry/vec3.h"
#include "core/voxel/voxel_view.h"

namespace kiln::core {

// One byte a voxel, 1 = solid, x fastest, then y (up), then z.
struct SampleGrid {
  std::string name;
  int edge = 0;  // voxels
  std::vector<uint8_t> voxels;

  Vec3i size() const { return {edge, edge, edge}; }
  VoxelView<uint8_t> view() const { return DenseView(voxels.data(), size()); }
};

inline constexpr absl::string_view kSampleGridNames[] = {
    "hills", "caves", "ball", "flat", "noise"};

// nullopt for a name that is not in kSampleGridNames. hills: a landscape;
// caves: tunnels in rock; ball: one round body; flat: a floor of half the
// height; noise: every other voxel at random, the worst there is.
//
// Requires:  1 <= edge <= 256.
std::optional<SampleGrid> MakeSampleGrid(absl::string_view name, int edge);

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_SAMPLE_SAMPLE_GRIDS_H_
