#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "client/cli/commands/commands.h"
#include "client/cli/errors.h"
#include "client/cli/scene.h"
#include "client/formats/file_io.h"
#include "client/formats/vox/vox_writer.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr OptionSpec kOptions[] = {
    {"seed", "N", "Another number is another landscape (1)."},
    {"size", "XxYxZ",
     "Voxels, y up (192x96x192); x and z 48..1024, y 48..256."},
    {"out", "FILE.vox", "Required."},
};

absl::StatusOr<core::Vec3i> ParseSize(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, 'x');
  core::Vec3i size;
  for (size_t axis = 0; axis < 3; ++axis) {
    int value = 0;
    if (parts.size() != 3 || !absl::SimpleAtoi(parts[axis], &value)) {
      return UsageError(
          core::FieldError("--size", text, "three numbers like 192x96x192"));
    }
    size[static_cast<int>(axis)] = value;
  }
  return size;
}

absl::Status RunSample(const Arguments& arguments, Console& console) {
  KILN_RETURN_IF_ERROR(arguments.ExpectWords(0, 0, ""));
  core::SampleOptions options;
  KILN_ASSIGN_OR_RETURN(
      const int64_t seed,
      arguments.Number("seed", static_cast<int64_t>(options.seed), 0,
                       std::numeric_limits<int64_t>::max()));
  options.seed = static_cast<uint64_t>(seed);
  if (arguments.Has("size")) {
    KILN_ASSIGN_OR_RETURN(options.size, ParseSize(arguments.Text("size")));
  }
  const std::string out = arguments.Text("out");
  if (!absl::EndsWith(out, ".vox")) {
    return UsageError(core::FieldError("--out", out, "a name ending in .vox"));
  }
  absl::StatusOr<Scene> scene = MakeSampleScene(options);
  if (!scene.ok()) {
    return UsageError(core::WithContext("--", scene.status()));
  }
  KILN_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes,
                        WriteVox(scene->grid, scene->palette));
  KILN_RETURN_IF_ERROR(WriteFile(out, bytes));
  console.out << absl::StrFormat("wrote %s: %d solid voxels of %d x %d x %d\n",
                                 out, scene->grid.solid_voxels(),
                                 options.size.x, options.size.y,
                                 options.size.z);
  return absl::OkStatus();
}

}  // namespace

const Command kSampleCommand = {
    "sample",
    "sample [--seed N] [--size XxYxZ] --out FILE.vox",
    "Writes the sample world: hills, caves and a castle.",
    "",
    kOptions,
    RunSample};

}  // namespace kiln::client
