#include <chrono>
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
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr int kBlock = 32;

constexpr OptionSpec kOptions[] = {
    {"local", "", "Bakes in this process (default)."},
    {"server", "ADDR", "Bakes on the kilnd at host:port."},
    {"threads", "T",
     "Local: worker threads (all cores). Server: requests in flight (8)."},
    {"out", "DIR", "Folder for sample.obj and sample.glb (.), which exists."},
};

struct Row {
  std::string name;
  core::Recipe recipe;
};

std::vector<Row> Rows() {
  std::vector<Row> rows;
  for (const core::Method method : core::kAllMethods) {
    const absl::string_view name = core::MethodName(method);
    core::Recipe recipe;
    recipe.method = method;
    rows.push_back({std::string(name.data(), name.size()), recipe});
    if (method != core::Method::kSearch) continue;
    recipe.effort = 1;
    rows.push_back({absl::StrCat(name, " --effort 1"), recipe});
  }
  return rows;
}

absl::StatusOr<BakedScene> BakeRow(const std::string& name, const Scene& scene,
                                   const std::vector<GridBlock>& blocks,
                                   const BakePlace& place,
                                   SceneBakeOptions options, Console& console) {
  options.requests_in_flight = place.threads;
  ProgressBar bar(console, absl::StrCat("blocks by ", name));
  return BakeScene(place.client, scene.grid, blocks, options,
                   [&](int64_t done, int64_t total) { bar.Show(done, total); });
}

// One line a method, all voxels of one class.
absl::Status PrintTable(const Scene& scene,
                        const std::vector<GridBlock>& blocks,
                        const BakePlace& place, Console& console) {
  console.out << absl::StrFormat("%-18s %7s %13s %8s %10s %12s %12s\n",
                                 "method", "blocks", "solid voxels", "boxes",
                                 "time", "bytes sent", "received");
  for (const Row& row : Rows()) {
    SceneBakeOptions options;
    options.recipe = row.recipe;
    KILN_ASSIGN_OR_RETURN(
        const BakedScene baked,
        BakeRow(row.name, scene, blocks, place, options, console));
    const double ms =
        std::chrono::duration<double, std::milli>(baked.duration).count();
    console.out << absl::StrFormat("%-18s %7d %13d %8d %7.1f ms %12d %12d\n",
                                   row.name, baked.blocks.size(),
                                   baked.solid_voxels, baked.boxes, ms,
                                   baked.bytes_sent, baked.bytes_received);
    console.out.flush();
  }
  return absl::OkStatus();
}

absl::Status RunDemo(const Arguments& arguments, Console& console) {
  KILN_RETURN_IF_ERROR(arguments.ExpectWords(0, 0, ""));
  KILN_ASSIGN_OR_RETURN(const BakePlace place, BakePlaceFrom(arguments));
  KILN_ASSIGN_OR_RETURN(const Scene scene, MakeSampleScene({}));
  KILN_ASSIGN_OR_RETURN(const std::vector<GridBlock> blocks,
                        CutIntoBlocks(scene.grid, kBlock));
  const std::string where =
      arguments.Has("server") ? arguments.Text("server") : "this process";
  console.out << "the sample world, baked by " << where << "\n\n";
  KILN_RETURN_IF_ERROR(PrintTable(scene, blocks, place, console));

  // The files show materials, so their boxes are kept apart by class.
  SceneBakeOptions options;
  options.by_class = true;
  KILN_ASSIGN_OR_RETURN(BakedScene baked, BakeRow("class", scene, blocks, place,
                                                  options, console));
  BoxScene boxes;
  boxes.blocks = std::move(baked.blocks);
  boxes.by_class = true;
  boxes.palette = scene.palette;
  std::string folder = arguments.Text("out", ".");
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  console.out << "\npartition by material: " << baked.boxes << " boxes in\n";
  for (const char* name : {"sample.obj", "sample.glb"}) {
    const std::string path = absl::StrCat(folder, "/", name);
    KILN_RETURN_IF_ERROR(WriteBoxes(boxes, path));
    console.out << "  " << path << "\n";
  }
  return absl::OkStatus();
}

}  // namespace

const Command kDemoCommand = {
    "demo",
    "demo [--local | --server ADDR] [--out DIR]",
    "Bakes the sample world with every method and prints a table.",
    "Also writes the boxes by material as sample.obj and sample.glb.",
    kOptions,
    RunDemo};

}  // namespace kiln::client
