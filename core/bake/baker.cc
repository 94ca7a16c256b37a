#include "core/bake/baker.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/bake/result_codec.h"
#include "core/base/errors.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/voxel/boxes/box_grow.h"
#include "core/voxel/boxes/box_partition.h"
#include "core/voxel/boxes/lower_bound.h"
#include "core/voxel/decode/block_decoder.h"
#include "core/voxel/search/box_cover.h"
#include "core/voxel/search/box_search.h"

namespace kiln::core {
namespace {

constexpr absl::string_view kNeighbourNames[kFaceCount] = {
    "minus_x", "plus_x", "minus_y", "plus_y", "minus_z", "plus_z"};

// Work of decoding and hashing a voxel that is only looked at for its border,
// and of a lower bound, in voxels of a partition. Measured, rounded up.
constexpr int64_t kNeighbourCostDivisor = 4;
constexpr int64_t kLowerBoundCostPerVoxel = 256;

BorderPlane UniformPlane(const Vec3i& plane_size, UniformNeighbour content) {
  BorderPlane plane;
  plane.solid.Reset(plane_size);
  if (content == UniformNeighbour::kAir) return plane;
  for (int v = 0; v < plane_size.y; ++v) {
    for (int u = 0; u < plane_size.x; ++u) plane.solid.Set(u, v, 0);
  }
  return plane;
}

// The border plane beyond `face` that `encoded` shows: one voxel thick along
// the face's axis where `is_plane`, and as large as the block along the others.
absl::StatusOr<BorderPlane> DecodeBorder(const EncodedBlock& encoded,
                                         const Vec3i& block_size, Face face,
                                         bool is_plane,
                                         const CancelToken& cancel) {
  constexpr absl::string_view kAxisNames[] = {"size.x", "size.y", "size.z"};
  for (int axis = 0; axis < 3; ++axis) {
    const bool across = axis == FaceAxis(face);
    if (across && !is_plane) continue;
    const int expected = across ? 1 : block_size[axis];
    if (encoded.size[axis] != expected) {
      return FieldError(
          kAxisNames[axis], encoded.size[axis],
          absl::StrCat(expected, across ? " (a plane)" : " (as the block)"));
    }
  }
  KILN_ASSIGN_OR_RETURN(const VoxelBlock neighbour,
                        DecodeBlock(encoded, cancel));
  return PlaneOfNeighbour(neighbour, face);
}

// Names the part of the input at fault; a stop is nobody's fault.
absl::Status InPart(absl::string_view part, const absl::Status& status) {
  return absl::IsInvalidArgument(status) ? WithContext(part, status) : status;
}

absl::StatusOr<Borders> DecodeBorders(const BakeInput& input,
                                      const CancelToken& cancel) {
  Borders borders;
  for (int i = 0; i < kFaceCount; ++i) {
    const Face face = static_cast<Face>(i);
    const auto index = static_cast<size_t>(i);
    const Neighbour& neighbour = input.neighbours[index];
    const Vec3i& size = input.block.size;
    absl::StatusOr<BorderPlane> plane;
    std::string part;
    if (std::holds_alternative<std::monostate>(neighbour)) continue;
    if (const auto* uniform = std::get_if<UniformNeighbour>(&neighbour)) {
      plane = UniformPlane(BorderPlaneSize(size, face), *uniform);
    } else if (const auto* layer = std::get_if<PlaneNeighbour>(&neighbour)) {
      part = "plane";
      plane = DecodeBorder(layer->plane, size, face, /*is_plane=*/true, cancel);
    } else {
      part = "block";
      plane = DecodeBorder(std::get<BlockNeighbour>(neighbour).block, size,
                           face, /*is_plane=*/false, cancel);
    }
    if (!plane.ok()) {
      return InPart(
          absl::StrCat("neighbours.", kNeighbourNames[i], ".", part, "."),
          plane.status());
    }
    borders.planes[index] = *std::move(plane);
  }
  return borders;
}

// Boxes by `recipe.method`, without exposure; the tree's nodes into `nodes`.
absl::StatusOr<BoxSet> MakeBoxes(const VoxelBlock& block, const Recipe& recipe,
                                 const BakeOptions& options,
                                 std::vector<BoxTreeNode>& nodes) {
  switch (recipe.method) {
    case Method::kPartition:
      return PartitionIntoBoxes(block, options.cancel);
    case Method::kSearch:
      return SearchBoxes(block, recipe.effort, options.cancel);
    case Method::kCover:
      return CoverWithBoxes(block, options.cancel);
    case Method::kGrow:
      return GrowBoxes(block, options.cancel);
    case Method::kTree: {
      KILN_ASSIGN_OR_RETURN(BoxTree tree, BuildBoxTree(block, options.cancel));
      if (options.tree) nodes = std::move(tree.nodes);
      return std::move(tree.boxes);
    }
  }
  return InternalError("unknown method");
}

}  // namespace

absl::Status CheckRecipe(const Recipe& recipe, const BakeOptions& options) {
  const int max_effort =
      recipe.method == Method::kSearch ? kMaxSearchEffort : 0;
  if (recipe.effort < 0 || recipe.effort > max_effort) {
    return FieldError("recipe.effort", recipe.effort,
                      absl::StrCat("0..", max_effort, " with method ",
                                   MethodName(recipe.method)));
  }
  if (options.tree && recipe.method != Method::kTree) {
    return FieldError(
        "want_tree", "true",
        absl::StrCat("false with method ", MethodName(recipe.method),
                     ", true with method tree"));
  }
  return absl::OkStatus();
}

absl::StatusOr<BakeResult> BakeBlock(const VoxelBlock& block,
                                     const Borders& borders,
                                     const Recipe& recipe,
                                     const BakeOptions& options) {
  KILN_RETURN_IF_ERROR(CheckRecipe(recipe, options));
  KILN_RETURN_IF_ERROR(options.cancel.ToStatus());
  BakeResult result;
  result.size = block.size();
  KILN_ASSIGN_OR_RETURN(result.boxes,
                        MakeBoxes(block, recipe, options, result.tree_nodes));
  MarkExposedFaces(block, borders, recipe.exposure, result.boxes,
                   options.cancel);
  KILN_RETURN_IF_ERROR(options.cancel.ToStatus());
  if (options.lower_bound) {
    // Only a cover may have fewer boxes than partitions need.
    KILN_ASSIGN_OR_RETURN(
        result.lower_bound,
        recipe.method == Method::kCover
            ? BoxCountLowerBound(block, options.cancel)
            : PartitionCountLowerBound(block, options.cancel));
  }
  result.solid_voxels = block.occupancy.CountSolid();
  result.content_hash = ContentHash(block);
  result.result_hash = ResultHash(result.size, result.boxes, recipe);
  return result;
}

absl::StatusOr<BakeResult> Bake(const BakeInput& input, const Recipe& recipe,
                                const BakeOptions& options) {
  KILN_RETURN_IF_ERROR(options.cancel.ToStatus());
  absl::StatusOr<VoxelBlock> block = DecodeBlock(input.block, options.cancel);
  if (!block.ok()) return InPart("block.", block.status());
  KILN_ASSIGN_OR_RETURN(const Borders borders,
                        DecodeBorders(input, options.cancel));
  return BakeBlock(*block, borders, recipe, options);
}

absl::StatusOr<std::vector<BakeResult>> BakeAll(
    std::span<const BakeInput> inputs, const Recipe& recipe,
    const BakeOptions& options, TaskArena& arena) {
  std::vector<absl::Status> statuses(inputs.size());
  std::vector<BakeResult> results(inputs.size());
  KILN_RETURN_IF_ERROR(arena.ForEach(
      static_cast<int64_t>(inputs.size()),
      [&](int64_t index) {
        const auto i = static_cast<size_t>(index);
        absl::StatusOr<BakeResult> result = Bake(inputs[i], recipe, options);
        if (result.ok()) {
          results[i] = *std::move(result);
        } else {
          statuses[i] = std::move(result).status();
        }
      },
      options.cancel));
  for (size_t i = 0; i < statuses.size(); ++i) {
    if (statuses[i].ok()) continue;
    // A stop belongs to the call, not to the block it happened to hit.
    if (!absl::IsInvalidArgument(statuses[i])) return statuses[i];
    return WithContext(absl::StrCat("blocks[", i, "]."), statuses[i]);
  }
  return results;
}

int64_t EstimatedCost(const BakeInput& input, const Recipe& recipe,
                      const BakeOptions& options) {
  const int64_t voxels = Volume(input.block.size);
  int64_t cost = voxels * CostPerVoxel(recipe);
  if (options.lower_bound) cost += voxels * kLowerBoundCostPerVoxel;
  for (const Neighbour& neighbour : input.neighbours) {
    if (const auto* block = std::get_if<BlockNeighbour>(&neighbour)) {
      cost += Volume(block->block.size) / kNeighbourCostDivisor;
    } else if (const auto* layer = std::get_if<PlaneNeighbour>(&neighbour)) {
      cost += Volume(layer->plane.size);
    }
  }
  return cost;
}

}  // namespace kiln::core
