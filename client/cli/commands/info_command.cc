#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/commands/commands.h"
#include "client/cli/scene.h"
#include "client/formats/file_io.h"
#include "client/formats/vox/vox_reader.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

using core::Vec3i;

constexpr OptionSpec kOptions[] = {kAxesOption, kHiddenOption, kFrameOption};

std::string ToText(const Vec3i& v) {
  return absl::StrCat("(", v.x, ", ", v.y, ", ", v.z, ")");
}

int CountHidden(const VoxFile& file) {
  int count = 0;
  for (const auto& [id, node] : file.nodes) count += node.hidden ? 1 : 0;
  return count;
}

int CountMaterials(const VoxelGrid& grid) {
  constexpr int kEdge = VoxelGrid::kBrickEdge;
  std::array<bool, 256> present{};
  std::vector<uint8_t> cells(kEdge * kEdge * kEdge);
  for (const Vec3i& brick : grid.BrickOrigins()) {
    grid.CopyBox(brick, {kEdge, kEdge, kEdge}, cells.data());
    for (const uint8_t cell : cells) present[cell] = true;
  }
  return static_cast<int>(std::count(present.begin() + 1, present.end(), true));
}

absl::Status DescribeFile(const std::string& path,
                          std::span<const uint8_t> bytes,
                          const VoxSceneOptions& options, Console& console) {
  KILN_ASSIGN_OR_RETURN(const VoxFile file, ReadVox(bytes));
  KILN_ASSIGN_OR_RETURN(const std::vector<VoxInstance> instances,
                        PlaceModels(file, options));
  VoxelGrid grid;
  KILN_RETURN_IF_ERROR(AddToGrid(file, instances, options, grid));
  const auto hidden_layers =
      std::count_if(file.hidden_layers.begin(), file.hidden_layers.end(),
                    [](const auto& layer) { return layer.second; });
  console.out << absl::StrFormat(
      "%s: MagicaVoxel, version %d, %d bytes\n"
      "  models        %d\n"
      "  scene graph   %d nodes, %d hidden; %d layers, %d hidden\n"
      "  placed        %d models, %d solid voxels, %d colours\n"
      "  bounds        %s to %s\n",
      path, file.version, bytes.size(), file.models.size(), file.nodes.size(),
      CountHidden(file), file.hidden_layers.size(), hidden_layers,
      instances.size(), grid.solid_voxels(), CountMaterials(grid),
      ToText(grid.min()), ToText(grid.max()));
  for (size_t i = 0; i < file.models.size(); ++i) {
    const Vec3i& size = file.models[i].size;
    console.out << absl::StrFormat("  model %-7d %d x %d x %d, %d voxels\n", i,
                                   size.x, size.y, size.z,
                                   file.models[i].voxels.size());
  }
  return absl::OkStatus();
}

absl::Status RunInfo(const Arguments& arguments, Console& console) {
  KILN_RETURN_IF_ERROR(arguments.ExpectWords(1, 1, "FILE"));
  KILN_ASSIGN_OR_RETURN(const VoxSceneOptions options,
                        SceneOptionsFrom(arguments));
  const std::string& path = arguments.words().front();
  KILN_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, ReadFile(path));
  return core::WithContext(absl::StrCat(path, ": "),
                           DescribeFile(path, bytes, options, console));
}

}  // namespace

const Command kInfoCommand = {"info",
                              "info FILE [OPTION...]",
                              "Says what a voxel file holds.",
                              "",
                              kOptions,
                              RunInfo};

}  // namespace kiln::client
