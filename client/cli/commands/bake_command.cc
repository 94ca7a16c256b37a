#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/bake_options.h"
#include "client/cli/commands/commands.h"
#include "client/cli/errors.h"
#include "client/cli/progress_bar.h"
#include "client/cli/scene.h"
#include "client/cli/scene_baker.h"
#include "client/formats/grid_blocks.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr int kDefaultBlock = 32;

constexpr OptionSpec kOptions[] = {
    {"local", "", "Bakes in this process (default)."},
    {"server", "ADDR", "Bakes on the kilnd at host:port."},
    {"method", "M",
     "partition (default)  disjoint boxes, fast\n"
     "search               disjoint, fewest boxes\n"
     "cover                may overlap, fewer still\n"
     "tree, grow           the yardsticks"},
    {"effort", "E", "Of search: 0 (default) to 3, each 16 times the work."},
    {"bound", "", "Also works out a lower bound on the number of boxes."},
    {"by-class", "", "Keeps colour indices apart: no box holds two."},
    {"block", "N",
     "Edge of the blocks, 1 to 256 (32), aligned to world multiples;\n"
     "0: the whole scene as one block."},
    {"threads", "T",
     "Local: worker threads (all cores). Server: requests in flight (8)."},
    kAxesOption,
    kHiddenOption,
    kFrameOption,
    {"out", "FILE", "Writes the boxes: FILE.json, FILE.obj or FILE.glb."},
    {"json", "", "Prints one JSON object a file instead of text."},
};

struct BakeSettings {
  VoxSceneOptions scene;
  SceneBakeOptions bake;
  int block = kDefaultBlock;
  std::string out;
  bool json = false;
};

absl::StatusOr<BakeSettings> SettingsFrom(const Arguments& arguments) {
  KILN_RETURN_IF_ERROR(
      arguments.ExpectWords(1, arguments.words().size() + 1, "FILE"));
  BakeSettings settings;
  KILN_ASSIGN_OR_RETURN(settings.scene, SceneOptionsFrom(arguments));
  KILN_ASSIGN_OR_RETURN(settings.bake.recipe, RecipeFrom(arguments));
  KILN_ASSIGN_OR_RETURN(
      const int64_t block,
      arguments.Number("block", kDefaultBlock, 0, core::kMaxBlockEdgeVoxels));
  settings.block = static_cast<int>(block);
  settings.bake.lower_bound = arguments.Has("bound");
  settings.bake.by_class = arguments.Has("by-class");
  settings.json = arguments.Has("json");
  if (arguments.Has("out")) {
    settings.out = arguments.Text("out");
    KILN_RETURN_IF_ERROR(CheckBoxPath(settings.out));
    if (arguments.words().size() > 1) {
      return UsageError("--out takes the boxes of one FILE");
    }
  }
  return settings;
}

double Seconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string ToJson(const std::string& path, const Scene& scene,
                   const BakedScene& baked, const BakeSettings& settings,
                   int threads) {
  nlohmann::ordered_json json;
  json["file"] = path;
  json["format"] = scene.format;
  json["models"] = scene.models;
  json["blocks"] = baked.blocks.size();
  json["solid_voxels"] = baked.solid_voxels;
  json["boxes"] = baked.boxes;
  if (baked.lower_bound) json["lower_bound"] = *baked.lower_bound;
  const absl::string_view method =
      core::MethodName(settings.bake.recipe.method);
  json["method"] = std::string(method.data(), method.size());
  json["content_hash"] = core::ToHex(baked.content_hash);
  json["result_hash"] = core::ToHex(baked.result_hash);
  json["bake_seconds"] = Seconds(baked.duration);
  json["wire_bytes"] = baked.bytes_sent + baked.bytes_received;
  json["threads"] = threads;
  // A path may hold bytes that are no UTF-8.
  return json.dump(-1, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace);
}

std::string ToText(const std::string& path, const Scene& scene,
                   const BakedScene& baked, const BakeSettings& settings,
                   int threads) {
  const std::string bound =
      baked.lower_bound
          ? absl::StrCat(" (no fewer than ", *baked.lower_bound, ")")
          : "";
  const int64_t wire_bytes = baked.bytes_sent + baked.bytes_received;
  const std::string wire = wire_bytes > 0
                               ? absl::StrCat(wire_bytes, " bytes on the wire")
                               : absl::StrCat(threads, " threads");
  return absl::StrFormat(
      "%s: %d model%s, %d solid voxels in %d blocks\n"
      "  %s: %d boxes%s in %.3f s, %s\n"
      "  content %s\n"
      "  result  %s\n",
      path, scene.models, scene.models == 1 ? "" : "s", baked.solid_voxels,
      baked.blocks.size(), core::MethodName(settings.bake.recipe.method),
      baked.boxes, bound, Seconds(baked.duration), wire,
      core::ToHex(baked.content_hash), core::ToHex(baked.result_hash));
}

absl::Status BakeFile(const std::string& path, const BakePlace& place,
                      const BakeSettings& settings, Console& console) {
  KILN_ASSIGN_OR_RETURN(const Scene scene, LoadScene(path, settings.scene));
  KILN_ASSIGN_OR_RETURN(const std::vector<GridBlock> blocks,
                        CutIntoBlocks(scene.grid, settings.block));
  absl::StatusOr<BakedScene> baked;
  {
    ProgressBar bar(console, "blocks");
    baked =
        BakeScene(place.client, scene.grid, blocks, settings.bake,
                  [&](int64_t done, int64_t total) { bar.Show(done, total); });
  }
  KILN_RETURN_IF_ERROR(baked.status());
  if (settings.json) {
    console.out << ToJson(path, scene, *baked, settings, place.threads) << "\n";
  } else {
    console.out << ToText(path, scene, *baked, settings, place.threads);
  }
  if (settings.out.empty()) return absl::OkStatus();
  BoxScene boxes;
  boxes.blocks = std::move(baked->blocks);
  boxes.by_class = settings.bake.by_class;
  boxes.palette = scene.palette;
  KILN_RETURN_IF_ERROR(WriteBoxes(boxes, settings.out));
  if (!settings.json) console.out << "  wrote " << settings.out << "\n";
  return absl::OkStatus();
}

absl::Status RunBake(const Arguments& arguments, Console& console) {
  KILN_ASSIGN_OR_RETURN(BakeSettings settings, SettingsFrom(arguments));
  KILN_ASSIGN_OR_RETURN(const BakePlace place, BakePlaceFrom(arguments));
  settings.bake.requests_in_flight = place.threads;
  int failed = 0;
  for (const std::string& path : arguments.words()) {
    const absl::Status status = BakeFile(path, place, settings, console);
    if (status.ok()) continue;
    if (arguments.words().size() == 1) return status;
    console.err << "kiln: " << status.message() << "\n";
    ++failed;
  }
  if (failed == 0) return absl::OkStatus();
  return SomeFilesFailedError(failed,
                              static_cast<int>(arguments.words().size()));
}

}  // namespace

const Command kBakeCommand = {
    "bake",
    "bake FILE... [--local | --server ADDR] [OPTION...]",
    "Bakes voxel files into boxes.",
    "Reads MagicaVoxel .vox files. The models of a scene become one voxel "
    "grid\n"
    "(where they overlap the later one in the file wins), which is cut into\n"
    "blocks. Blocks show each other what lies beyond their faces; beyond the\n"
    "scene is air. Equal contents give equal hashes, here or on a server.",
    kOptions,
    RunBake};

}  // namespace kiln::client
