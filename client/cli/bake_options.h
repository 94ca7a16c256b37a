// client/cli/bake_options.h
//
// What the command line says about a bake, shared by the commands that bake.

#ifndef KILN_CLIENT_CLI_BAKE_OPTIONS_H_
#define KILN_CLIENT_CLI_BAKE_OPTIONS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bake_client.h"
#include "client/cli/arguments.h"
#include "client/cli/scene_baker.h"
#include "client/formats/boxes/box_scene.h"
#include "core/bake/recipe.h"

namespace kiln::client {

// Errors: usage errors for an unknown method, an effort out of range or with
//         another method than search.
absl::StatusOr<core::Recipe> RecipeFrom(const Arguments& arguments);

// Where a bake runs.
struct BakePlace {
  BakeClient client;
  // "inproc:": worker threads; else: requests in flight.
  int threads = 1;
};
// From --local, --server and --threads.
//
// Errors: usage errors; kUnavailable for a server that does not answer within
//         five seconds.
absl::StatusOr<BakePlace> BakePlaceFrom(const Arguments& arguments);

// Writes boxes in the format that the ending of `path` names.
//
// Errors: those of WriteFile and of the format.
absl::Status WriteBoxes(const BoxScene& scene, const std::string& path);
// A usage error unless `path` ends in .json, .obj or .glb.
absl::Status CheckBoxPath(const std::string& path);

}  // namespace kiln::client

#endif  // KILN_CLIENT_CLI_BAKE_OPTIONS_H_
