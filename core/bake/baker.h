// core/bake/baker.h
//
// One block and a recipe in, one result out: the road every bake takes, whether
// it came over the network, from a file or from a call inside the process.

#ifndef KILN_CORE_BAKE_BAKER_H_
#define KILN_CORE_BAKE_BAKER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "core/bake/recipe.h"
#include "core/base/cancel.h"
#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/geometry/vec3.h"
#include "core/voxel/box_set.h"
#include "core/voxel/boxes/box_tree.h"
#include "core/voxel/encoded_block.h"
#include "core/voxel/exposure.h"
#include "core/voxel/voxel_block.h"

namespace kiln::core {

// What lies beyond a face that is known to be all solid or all air.
enum class UniformNeighbour : uint8_t { kAir, kSolid };
// The layer just beyond the face, as a block one voxel thick.
struct PlaneNeighbour {
  EncodedBlock plane;
};
// The whole block beyond the face.
struct BlockNeighbour {
  EncodedBlock block;
};
// std::monostate is UNKNOWN.
using Neighbour = std::variant<std::monostate, UniformNeighbour, PlaneNeighbour,
                               BlockNeighbour>;

// One block as a caller holds it. Spans are borrowed (encoded_block.h).
struct BakeInput {
  EncodedBlock block;
  std::array<Neighbour, kFaceCount> neighbours;  // by Face
};

struct BakeOptions {
  bool lower_bound = false;
  bool tree = false;  // only with Method::kTree
  CancelToken cancel;
};

struct BakeResult {
  Vec3i size;
  BoxSet boxes;  // empty exactly where no voxel is solid
  Hash128 content_hash;
  Hash128 result_hash;
  int64_t solid_voxels = 0;
  std::optional<int64_t> lower_bound;   // if asked for
  std::vector<BoxTreeNode> tree_nodes;  // if asked for
};

// kInvalidArgument unless the recipe and the options go together: effort in
// range, effort only with kSearch, tree only with kTree.
absl::Status CheckRecipe(const Recipe& recipe, const BakeOptions& options);

// Bakes a decoded block.
//
// Errors:      those of CheckRecipe; kCancelled, kDeadlineExceeded.
// Guarantees:  boxes, order and both hashes depend on content, borders and
//              recipe only.
// Threads:     pure function; runs on the calling thread.
absl::StatusOr<BakeResult> BakeBlock(const VoxelBlock& block,
                                     const Borders& borders,
                                     const Recipe& recipe,
                                     const BakeOptions& options = {});

// Decodes and bakes.
//
// Errors:      also those of DecodeBlock, and kInvalidArgument for a neighbour
//              whose extent along the face differs from the block's
//              ("neighbours.plus_x.plane.size.y: ...").
absl::StatusOr<BakeResult> Bake(const BakeInput& input, const Recipe& recipe,
                                const BakeOptions& options = {});

// Bakes many blocks in parallel on `arena`; result i is that of inputs[i].
//
// Errors:      the first error by index, prefixed "blocks[i].".
// Requires:    not called from a task of an arena.
absl::StatusOr<std::vector<BakeResult>> BakeAll(
    std::span<const BakeInput> inputs, const Recipe& recipe,
    const BakeOptions& options, TaskArena& arena);

// Estimated work of one input, in voxels of a partition: known before anything
// is decoded, so that admission can refuse early.
int64_t EstimatedCost(const BakeInput& input, const Recipe& recipe,
                      const BakeOptions& options);

}  // namespace kiln::core

#endif  // KILN_CORE_BAKE_BAKER_H_
