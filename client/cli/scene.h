// client/cli/scene.h
//
// A voxel file as the commands see it: one grid, whatever it was made of.

#ifndef KILN_CLIENT_CLI_SCENE_H_
#define KILN_CLIENT_CLI_SCENE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "client/cli/arguments.h"
#include "client/formats/palette.h"
#include "client/formats/vox/vox_scene.h"
#include "client/formats/voxel_grid.h"
#include "core/voxel/sample/sample_world.h"

namespace kiln::client {

struct Scene {
  std::string format;     // "vox"
  int64_t models = 0;     // stored in the file
  int64_t instances = 0;  // placed in the scene and visible
  VoxelGrid grid;
  Palette palette{};
};

// The options that say how a scene is put together, shared by the commands that
// read one.
inline constexpr OptionSpec kAxesOption = {
    "axes", "y-up|file",
    "y-up (default) turns the file's (x, y, z) to (x, z, -y - 1);\n"
    "file keeps its axes, z up."};
inline constexpr OptionSpec kHiddenOption = {
    "hidden", "", "Also takes hidden nodes and hidden layers."};
inline constexpr OptionSpec kFrameOption = {
    "frame", "N", "Frame of an animation, from 0 (default), the first."};

// Errors: usage errors for a value that none of the three options takes.
absl::StatusOr<VoxSceneOptions> SceneOptionsFrom(const Arguments& arguments);

// Errors: those of ReadFile, ReadVox, PlaceModels and AddToGrid, with the path
//         before them.
absl::StatusOr<Scene> LoadScene(const std::string& path,
                                const VoxSceneOptions& options);

// The project's own sample world (core/voxel/sample/sample_world.h), at the
// origin.
absl::StatusOr<Scene> MakeSampleScene(const core::SampleOptions& options);

}  // namespace kiln::client

#endif  // KILN_CLIENT_CLI_SCENE_H_
