#include "client/cli/scene.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/cli/errors.h"
#include "client/formats/file_io.h"
#include "client/formats/vox/vox_reader.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

absl::StatusOr<Scene> ReadScene(std::span<const uint8_t> bytes,
                                const VoxSceneOptions& options) {
  KILN_ASSIGN_OR_RETURN(const VoxFile file, ReadVox(bytes));
  KILN_ASSIGN_OR_RETURN(const std::vector<VoxInstance> instances,
                        PlaceModels(file, options));
  Scene scene;
  scene.format = "vox";
  scene.models = static_cast<int64_t>(file.models.size());
  scene.instances = static_cast<int64_t>(instances.size());
  scene.palette = file.palette;
  KILN_RETURN_IF_ERROR(AddToGrid(file, instances, options, scene.grid));
  return scene;
}

}  // namespace

absl::StatusOr<VoxSceneOptions> SceneOptionsFrom(const Arguments& arguments) {
  VoxSceneOptions options;
  options.hidden = arguments.Has("hidden");
  KILN_ASSIGN_OR_RETURN(
      const int64_t frame,
      arguments.Number("frame", 0, 0, std::numeric_limits<int32_t>::max()));
  options.frame = static_cast<int>(frame);
  const std::string axes = arguments.Text("axes", "y-up");
  if (axes == "file") {
    options.axes = SceneAxes::kFile;
  } else if (axes != "y-up") {
    return UsageError(core::FieldError("--axes", axes, "y-up, file"));
  }
  return options;
}

absl::StatusOr<Scene> LoadScene(const std::string& path,
                                const VoxSceneOptions& options) {
  // The errors of ReadFile name the path themselves.
  KILN_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, ReadFile(path));
  absl::StatusOr<Scene> scene = ReadScene(bytes, options);
  if (!scene.ok()) {
    return core::WithContext(absl::StrCat(path, ": "), scene.status());
  }
  return scene;
}

absl::StatusOr<Scene> MakeSampleScene(const core::SampleOptions& options) {
  KILN_ASSIGN_OR_RETURN(const core::SampleWorld world,
                        core::MakeSampleWorld(options));
  Scene scene;
  scene.format = "sample";
  scene.models = 1;
  scene.instances = 1;
  for (int id = 1; id < core::kSampleMaterialCount; ++id) {
    const uint32_t rgb = core::SampleMaterialColor(id);
    scene.palette[static_cast<size_t>(id)] = {static_cast<uint8_t>(rgb >> 16),
                                              static_cast<uint8_t>(rgb >> 8),
                                              static_cast<uint8_t>(rgb)};
  }
  for (int z = 0; z < world.size.z; ++z) {
    for (int y = 0; y < world.size.y; ++y) {
      for (int x = 0; x < world.size.x; ++x) {
        const uint8_t material = world.At(x, y, z);
        if (material == 0) continue;
        KILN_RETURN_IF_ERROR(scene.grid.Set({x, y, z}, material));
      }
    }
  }
  return scene;
}

}  // namespace kiln::client
