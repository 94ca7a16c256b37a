// client/cli/scene_baker.h
//
// Bakes the blocks of a scene through the client library: several blocks a
// request, several requests in flight, results in the order of the blocks.

#ifndef KILN_CLIENT_CLI_SCENE_BAKER_H_
#define KILN_CLIENT_CLI_SCENE_BAKER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bake_client.h"
#include "client/formats/boxes/box_scene.h"
#include "client/formats/grid_blocks.h"
#include "client/formats/voxel_grid.h"
#include "core/bake/recipe.h"
#include "core/base/hash.h"

namespace kiln::client {

struct SceneBakeOptions {
  core::Recipe recipe;
  bool lower_bound = false;
  bool by_class = false;
  int requests_in_flight = 4;
  // Of each request, its time in the server's queue included.
  std::chrono::milliseconds timeout = std::chrono::minutes(10);
};

struct BakedScene {
  std::vector<BoxBlock> blocks;
  int64_t solid_voxels = 0;
  int64_t boxes = 0;
  std::optional<int64_t> lower_bound;  // if asked for
  // Over the blocks in order: of each, its origin x, y, z as u32, then its hash
  // with the most significant byte first.
  core::Hash128 content_hash;
  core::Hash128 result_hash;
  std::chrono::nanoseconds duration{0};  // from the first block to the last
  int64_t bytes_sent = 0;
  int64_t bytes_received = 0;
};

// Called on the thread of BakeScene with the number of blocks that are done.
using BakeProgress = std::function<void(int64_t done, int64_t total)>;

// Errors: the first error of any request; the others are then cancelled.
absl::StatusOr<BakedScene> BakeScene(const BakeClient& client,
                                     const VoxelGrid& grid,
                                     const std::vector<GridBlock>& blocks,
                                     const SceneBakeOptions& options,
                                     const BakeProgress& progress = {});

}  // namespace kiln::client

#endif  // KILN_CLIENT_CLI_SCENE_BAKER_H_
