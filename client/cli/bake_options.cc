#include "client/cli/bake_options.h"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/cli/errors.h"
#include "client/formats/boxes/box_glb.h"
#include "client/formats/boxes/box_json.h"
#include "client/formats/boxes/box_obj.h"
#include "client/formats/file_io.h"
#include "core/base/errors.h"
#include "core/base/limits.h"
#include "core/base/parallel.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr int kMaxThreads = 1024;  // of core::TaskArena
// Enough that a server of this many cores has no pause between requests.
constexpr int kServerRequestsInFlight = 8;
constexpr std::chrono::milliseconds kConnectTimeout{5'000};

std::string MethodNames() {
  std::string names;
  for (const core::Method method : core::kAllMethods) {
    absl::StrAppend(&names, names.empty() ? "" : ", ",
                    core::MethodName(method));
  }
  return names;
}

}  // namespace

absl::StatusOr<core::Recipe> RecipeFrom(const Arguments& arguments) {
  core::Recipe recipe;
  const std::string name = arguments.Text("method", "partition");
  const std::optional<core::Method> method = core::MethodFromName(name);
  if (!method) {
    return UsageError(core::FieldError("--method", name, MethodNames()));
  }
  recipe.method = *method;
  KILN_ASSIGN_OR_RETURN(
      const int64_t effort,
      arguments.Number("effort", 0, 0, core::kMaxSearchEffort));
  recipe.effort = static_cast<int>(effort);
  if (arguments.Has("effort") && recipe.method != core::Method::kSearch) {
    return UsageError("--effort goes with --method search only");
  }
  return recipe;
}

absl::StatusOr<BakePlace> BakePlaceFrom(const Arguments& arguments) {
  const bool remote = arguments.Has("server");
  if (remote && arguments.Has("local")) {
    return UsageError("--local and --server exclude each other");
  }
  KILN_ASSIGN_OR_RETURN(const int64_t threads,
                        arguments.Number("threads", 0, 1, kMaxThreads));
  ClientOptions options;
  std::string address = "inproc:";
  if (remote) {
    address = arguments.Text("server");
  } else {
    options.inproc_threads =
        threads > 0 ? static_cast<int>(threads) : core::AvailableCores();
  }
  absl::StatusOr<BakeClient> client = BakeClient::Connect(address, options);
  if (!client.ok()) {
    // Only what the command line said can be wrong before the first call.
    return UsageError(core::WithContext("--server: ", client.status()));
  }
  if (remote) {
    // A mistyped address should not be retried for as long as a bake may take.
    KILN_RETURN_IF_ERROR(
        core::WithContext(absl::StrCat("no kilnd at ", address, ": "),
                          client->WaitUntilReady(kConnectTimeout)));
  }
  const int default_threads =
      remote ? kServerRequestsInFlight : options.inproc_threads;
  return BakePlace{*std::move(client),
                   threads > 0 ? static_cast<int>(threads) : default_threads};
}

absl::Status CheckBoxPath(const std::string& path) {
  for (const char* ending : {".json", ".obj", ".glb"}) {
    if (absl::EndsWith(path, ending)) return absl::OkStatus();
  }
  return UsageError(
      core::FieldError("--out", path, "a name ending in .json, .obj or .glb"));
}

absl::Status WriteBoxes(const BoxScene& scene, const std::string& path) {
  KILN_RETURN_IF_ERROR(CheckBoxPath(path));
  if (absl::EndsWith(path, ".json")) {
    return WriteFile(path, BoxesToJson(scene));
  }
  if (absl::EndsWith(path, ".obj")) return WriteFile(path, BoxesToObj(scene));
  KILN_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, BoxesToGlb(scene));
  return WriteFile(path, bytes);
}

}  // namespace kiln::client
