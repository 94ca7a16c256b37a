// client/formats/vox/vox_scene.h
//
// Puts the scene of a .vox file together: its scene graph becomes a list of
// placed models, and those one voxel grid.
//
// How MagicaVoxel places a model: it turns about the corner floor(size / 2) of
// its voxels, so voxel v comes to R * (v - floor(size / 2)) + t, where an axis
// that is turned round takes the voxel [v, v + 1) to [-v - 1, -v). Poses of
// nested groups multiply: a parent turns the translations of its children too.

#ifndef KILN_CLIENT_FORMATS_VOX_VOX_SCENE_H_
#define KILN_CLIENT_FORMATS_VOX_VOX_SCENE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/formats/vox/signed_permutation.h"
#include "client/formats/vox/vox_file.h"
#include "client/formats/voxel_grid.h"
#include "core/geometry/vec3.h"

namespace kiln::client {

enum class SceneAxes : uint8_t {
  kYUp,   // (x, y, z) of the file -> (x, z, -y - 1): right-handed, y up
  kFile,  // as in the file: z up
};

struct VoxSceneOptions {
  // Also what hidden nodes and hidden layers hold. A model is on the layer of
  // the transform node nearest above it.
  bool hidden = false;
  // Of an animation: the last pose and model at or before this frame. In a file
  // without a scene graph (PACK), the index of the model.
  int frame = 0;
  SceneAxes axes = SceneAxes::kYUp;

  // Bounds on work that a small file could multiply by naming a node often.
  int64_t max_visits = 1 << 20;                  // nodes, once per path
  int64_t max_placed_voxels = int64_t{1} << 28;  // over all placed models
};

// A model at its place in the file's axes.
struct VoxInstance {
  int model = 0;
  SignedPermutation rotation;
  core::Vec3i translation;
  // Without a scene graph models lie at the origin by their corner.
  bool about_center = true;

  // Where a voxel of the model, which is of `size`, comes to.
  core::Vec3i Place(const core::Vec3i& voxel, const core::Vec3i& size) const {
    if (!about_center) return voxel;
    const core::Vec3i pivot = {size.x / 2, size.y / 2, size.z / 2};
    return rotation.ApplyToVoxel(voxel - pivot) + translation;
  }
};

// The visible models, in the order in which the transform nodes that place them
// are stored in the file.
//
// Errors: kInvalidArgument with the byte offset of the node for a scene graph
//         without root 0, with a cycle, with a child or model that does not
//         exist, deeper than 256 nodes or over `options.max_visits`; for
//         `frame` beyond the models of a file without a scene graph.
absl::StatusOr<std::vector<VoxInstance>> PlaceModels(
    const VoxFile& file, const VoxSceneOptions& options = {});

// Adds the voxels of all instances to `grid`. Where models overlap, the later
// one in the file wins.
//
// Errors: those of VoxelGrid::Set; kInvalidArgument over max_placed_voxels.
absl::Status AddToGrid(const VoxFile& file,
                       const std::vector<VoxInstance>& instances,
                       const VoxSceneOptions& options, VoxelGrid& grid);

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_VOX_VOX_SCENE_H_
