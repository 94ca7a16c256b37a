#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "client/cli/bake_options.h"
#include "client/cli/commands/commands.h"
#include "client/cli/errors.h"
#include "client/cli/progress_bar.h"
#include "client/cli/scene.h"
#include "client/cli/scene_baker.h"
#include "client/formats/boxes/box_picture.h"
#include "client/formats/file_io.h"
#include "client/formats/grid_blocks.h"
#include "core/base/errors.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr int kDefaultBlock = 32;
constexpr int kDefaultWidth = 1200;
constexpr int kMinWidth = 64;
constexpr int kMaxWidth = 8192;

constexpr OptionSpec kOptions[] = {
    {"local", "", "Bakes in this process (default)."},
    {"server", "ADDR", "Bakes on the kilnd at host:port."},
    {"method", "M", "As of bake."},
    {"effort", "E", "As of bake."},
    {"by-class", "", "Colours of the file; else each box has its own."},
    {"block", "N", "As of bake."},
    {"threads", "T", "As of bake."},
    kAxesOption,
    kHiddenOption,
    kFrameOption,
    {"width", "N", "Pixels, 64 to 8192 (1200)."},
    {"out", "FILE.png", "Required."},
};

absl::Status RunPicture(const Arguments& arguments, Console& console) {
  KILN_RETURN_IF_ERROR(arguments.ExpectWords(1, 1, "FILE"));
  KILN_ASSIGN_OR_RETURN(const VoxSceneOptions scene_options,
                        SceneOptionsFrom(arguments));
  SceneBakeOptions options;
  KILN_ASSIGN_OR_RETURN(options.recipe, RecipeFrom(arguments));
  options.by_class = arguments.Has("by-class");
  KILN_ASSIGN_OR_RETURN(
      const int64_t block,
      arguments.Number("block", kDefaultBlock, 0, core::kMaxBlockEdgeVoxels));
  KILN_ASSIGN_OR_RETURN(
      const int64_t width,
      arguments.Number("width", kDefaultWidth, kMinWidth, kMaxWidth));
  const std::string out = arguments.Text("out");
  if (!absl::EndsWith(out, ".png")) {
    return UsageError(core::FieldError("--out", out, "a name ending in .png"));
  }
  KILN_ASSIGN_OR_RETURN(const BakePlace place, BakePlaceFrom(arguments));
  options.requests_in_flight = place.threads;

  const std::string& path = arguments.words().front();
  KILN_ASSIGN_OR_RETURN(const Scene scene, LoadScene(path, scene_options));
  KILN_ASSIGN_OR_RETURN(const std::vector<GridBlock> blocks,
                        CutIntoBlocks(scene.grid, static_cast<int>(block)));
  absl::StatusOr<BakedScene> baked;
  {
    ProgressBar bar(console, "blocks");
    baked =
        BakeScene(place.client, scene.grid, blocks, options,
                  [&](int64_t done, int64_t total) { bar.Show(done, total); });
  }
  KILN_RETURN_IF_ERROR(baked.status());
  BoxScene boxes;
  boxes.blocks = std::move(baked->blocks);
  boxes.by_class = options.by_class;
  boxes.palette = scene.palette;
  KILN_ASSIGN_OR_RETURN(const Image image,
                        DrawBoxes(boxes, static_cast<int>(width)));
  KILN_RETURN_IF_ERROR(WriteFile(out, EncodePng(image)));
  console.out << absl::StrFormat("wrote %s: %d boxes, %d x %d pixels\n", out,
                                 baked->boxes, image.width, image.height);
  return absl::OkStatus();
}

}  // namespace

const Command kPictureCommand = {"picture",
                                 "picture FILE [OPTION...] --out FILE.png",
                                 "Bakes a voxel file and draws its boxes.",
                                 "",
                                 kOptions,
                                 RunPicture};

}  // namespace kiln::client
