#include "proto/wire/bake_wire.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"

namespace kiln::wire {
namespace {

constexpr absl::string_view kNeighbourNames[core::kFaceCount] = {
    "minus_x", "plus_x", "minus_y", "plus_y", "minus_z", "plus_z"};

// By Face.
const v1::Neighbour& NeighbourAt(const v1::Neighbours& neighbours, int face) {
  switch (static_cast<core::Face>(face)) {
    case core::Face::kMinusX:
      return neighbours.minus_x();
    case core::Face::kPlusX:
      return neighbours.plus_x();
    case core::Face::kMinusY:
      return neighbours.minus_y();
    case core::Face::kPlusY:
      return neighbours.plus_y();
    case core::Face::kMinusZ:
      return neighbours.minus_z();
    case core::Face::kPlusZ:
      break;
  }
  return neighbours.plus_z();
}

v1::Neighbour& MutableNeighbourAt(v1::Neighbours& neighbours, int face) {
  switch (static_cast<core::Face>(face)) {
    case core::Face::kMinusX:
      return *neighbours.mutable_minus_x();
    case core::Face::kPlusX:
      return *neighbours.mutable_plus_x();
    case core::Face::kMinusY:
      return *neighbours.mutable_minus_y();
    case core::Face::kPlusY:
      return *neighbours.mutable_plus_y();
    case core::Face::kMinusZ:
      return *neighbours.mutable_minus_z();
    case core::Face::kPlusZ:
      break;
  }
  return *neighbours.mutable_plus_z();
}

std::string NeighbourPath(int face, absl::string_view part) {
  return absl::StrCat("neighbours.", kNeighbourNames[face], ".", part, ".");
}

absl::StatusOr<core::Method> MethodFromProto(v1::Method method) {
  switch (method) {
    case v1::METHOD_UNSPECIFIED:
    case v1::METHOD_PARTITION:
      return core::Method::kPartition;
    case v1::METHOD_SEARCH:
      return core::Method::kSearch;
    case v1::METHOD_COVER:
      return core::Method::kCover;
    case v1::METHOD_TREE:
      return core::Method::kTree;
    case v1::METHOD_GROW:
      return core::Method::kGrow;
    default:
      return core::RangeError("recipe.method", static_cast<int>(method), 0, 5);
  }
}

v1::Method MethodToProto(core::Method method) {
  switch (method) {
    case core::Method::kPartition:
      return v1::METHOD_PARTITION;
    case core::Method::kSearch:
      return v1::METHOD_SEARCH;
    case core::Method::kCover:
      return v1::METHOD_COVER;
    case core::Method::kTree:
      return v1::METHOD_TREE;
    case core::Method::kGrow:
      return v1::METHOD_GROW;
  }
  return v1::METHOD_UNSPECIFIED;
}

absl::StatusOr<core::ExposureRule> ExposureFromProto(v1::ExposureRule rule) {
  switch (rule) {
    case v1::EXPOSURE_RULE_UNSPECIFIED:
    case v1::EXPOSURE_RULE_ANY_SOLID:
      return core::ExposureRule::kAnySolid;
    case v1::EXPOSURE_RULE_PER_CLASS:
      return core::ExposureRule::kPerClass;
    case v1::EXPOSURE_RULE_NONE:
      return core::ExposureRule::kNone;
    default:
      return core::RangeError("recipe.exposure", static_cast<int>(rule), 0, 3);
  }
}

v1::ExposureRule ExposureToProto(core::ExposureRule rule) {
  switch (rule) {
    case core::ExposureRule::kAnySolid:
      return v1::EXPOSURE_RULE_ANY_SOLID;
    case core::ExposureRule::kPerClass:
      return v1::EXPOSURE_RULE_PER_CLASS;
    case core::ExposureRule::kNone:
      return v1::EXPOSURE_RULE_NONE;
  }
  return v1::EXPOSURE_RULE_UNSPECIFIED;
}

absl::Status ReadRecipe(const v1::BakeVoxelsRequest& request,
                        RequestHead& head) {
  const v1::Recipe& recipe = request.recipe();
  KILN_ASSIGN_OR_RETURN(head.recipe.method, MethodFromProto(recipe.method()));
  KILN_ASSIGN_OR_RETURN(head.recipe.exposure,
                        ExposureFromProto(recipe.exposure()));
  if (recipe.effort() > core::kMaxSearchEffort) {
    return core::RangeError("recipe.effort", recipe.effort(), 0,
                            core::kMaxSearchEffort);
  }
  head.recipe.effort = static_cast<int>(recipe.effort());
  head.options.lower_bound = request.want_lower_bound();
  head.options.tree = request.want_tree();
  if (request.has_priority()) {
    if (request.priority() > core::kMaxPriority) {
      return core::RangeError("priority", request.priority(), 0,
                              core::kMaxPriority);
    }
    head.priority = static_cast<int>(request.priority());
  }
  return core::CheckRecipe(head.recipe, head.options);
}

absl::Status CheckVoxelScale(const v1::VoxelScale& scale) {
  constexpr absl::string_view kNames[] = {"voxel_size_m.x", "voxel_size_m.y",
                                          "voxel_size_m.z"};
  const double edges[] = {scale.x(), scale.y(), scale.z()};
  for (int axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(edges[axis]) || edges[axis] <= 0) {
      return core::FieldError(kNames[axis], absl::StrCat(edges[axis]),
                              "finite and above 0");
    }
  }
  return absl::OkStatus();
}

// Checks a neighbour; `sizes` gets what the estimate of its cost needs.
absl::Status CheckNeighbour(const v1::Neighbour& neighbour, int face,
                            core::Neighbour& sizes, int64_t& raw_bytes) {
  const bool is_plane = neighbour.has_plane();
  if (!is_plane && !neighbour.has_block()) return absl::OkStatus();
  const absl::StatusOr<BlockShape> shape =
      CheckBlock(is_plane ? neighbour.plane() : neighbour.block());
  if (!shape.ok()) {
    return core::WithContext(NeighbourPath(face, is_plane ? "plane" : "block"),
                             shape.status());
  }
  raw_bytes += shape->raw_bytes;
  core::EncodedBlock block;
  block.size = shape->size;
  if (is_plane) {
    sizes = core::PlaneNeighbour{block};
  } else {
    sizes = core::BlockNeighbour{block};
  }
  return absl::OkStatus();
}

// Adds the cost and raw bytes of one input to `head`.
absl::Status CheckInput(const v1::BlockInput& proto, RequestHead& head) {
  core::BakeInput sizes;
  const absl::StatusOr<BlockShape> shape = CheckBlock(proto.block());
  if (!shape.ok()) return core::WithContext("block.", shape.status());
  sizes.block.size = shape->size;
  head.raw_bytes += shape->raw_bytes;
  for (int face = 0; face < core::kFaceCount; ++face) {
    KILN_RETURN_IF_ERROR(CheckNeighbour(
        NeighbourAt(proto.neighbours(), face), face,
        sizes.neighbours[static_cast<size_t>(face)], head.raw_bytes));
  }
  if (proto.has_voxel_size_m()) {
    KILN_RETURN_IF_ERROR(CheckVoxelScale(proto.voxel_size_m()));
  }
  head.cost += core::EstimatedCost(sizes, head.recipe, head.options);
  return absl::OkStatus();
}

absl::Status CheckTotals(const RequestHead& head, const RequestLimits& limits) {
  if (head.cost > limits.max_cost) {
    return core::OverLimitError("estimated cost of the request", head.cost,
                                limits.max_cost, "max_request_cost");
  }
  if (head.raw_bytes > limits.max_raw_bytes) {
    return core::OverLimitError("decompressed bytes of the request",
                                head.raw_bytes, limits.max_raw_bytes,
                                "max_request_raw_bytes");
  }
  return absl::OkStatus();
}

absl::StatusOr<core::Neighbour> NeighbourFromProto(
    const v1::Neighbour& neighbour, int face, PayloadStore& store) {
  switch (neighbour.content_case()) {
    case v1::Neighbour::kSolid:
      return neighbour.solid() ? core::UniformNeighbour::kSolid
                               : core::UniformNeighbour::kAir;
    case v1::Neighbour::kPlane: {
      auto plane = BlockFromProto(neighbour.plane(), store);
      if (plane.ok()) return core::PlaneNeighbour{*plane};
      return core::WithContext(NeighbourPath(face, "plane"), plane.status());
    }
    case v1::Neighbour::kBlock: {
      auto block = BlockFromProto(neighbour.block(), store);
      if (block.ok()) return core::BlockNeighbour{*block};
      return core::WithContext(NeighbourPath(face, "block"), block.status());
    }
    case v1::Neighbour::CONTENT_NOT_SET:
      break;
  }
  return std::monostate();  // UNKNOWN
}

void NeighbourToProto(const core::Neighbour& neighbour, int face,
                      Compression compression, v1::BlockInput& proto) {
  if (std::holds_alternative<std::monostate>(neighbour)) return;
  v1::Neighbour& target = MutableNeighbourAt(*proto.mutable_neighbours(), face);
  if (const auto* uniform = std::get_if<core::UniformNeighbour>(&neighbour)) {
    target.set_solid(*uniform == core::UniformNeighbour::kSolid);
  } else if (const auto* layer =
                 std::get_if<core::PlaneNeighbour>(&neighbour)) {
    BlockToProto(layer->plane, compression, *target.mutable_plane());
  } else if (const auto* whole =
                 std::get_if<core::BlockNeighbour>(&neighbour)) {
    BlockToProto(whole->block, compression, *target.mutable_block());
  }
}

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// Counts the fields `blocks` of the message that `stream` is at, to its end or
// limit, but not far beyond `most`.
int64_t CountBlocks(CodedInputStream& stream, int64_t most) {
  constexpr uint32_t kBlocksTag =
      WireFormatLite::MakeTag(v1::BakeVoxelsRequest::kBlocksFieldNumber,
                              WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  int64_t count = 0;
  while (const uint32_t tag = stream.ReadTag()) {
    if (tag == kBlocksTag && ++count > most) break;
    if (!WireFormatLite::SkipField(&stream, tag)) break;
  }
  return count;
}

// The same over all fields `request` of a BakeVoxelStreamRequest: a field that
// comes twice is merged.
int64_t CountBlocksInStream(CodedInputStream& stream, int64_t most) {
  constexpr uint32_t kRequestTag =
      WireFormatLite::MakeTag(v1::BakeVoxelStreamRequest::kRequestFieldNumber,
                              WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  int64_t count = 0;
  while (const uint32_t tag = stream.ReadTag()) {
    if (tag != kRequestTag) {
      if (!WireFormatLite::SkipField(&stream, tag)) break;
      continue;
    }
    const CodedInputStream::Limit outer = stream.ReadLengthAndPushLimit();
    count += CountBlocks(stream, most - count);
    const bool whole = stream.BytesUntilLimit() == 0;
    stream.PopLimit(outer);
    if (!whole || count > most) break;
  }
  return count;
}

}  // namespace

absl::Status CheckBlockCount(google::protobuf::io::ZeroCopyInputStream& bytes,
                             bool in_stream, const RequestLimits& limits) {
  CodedInputStream stream(&bytes);
  const int64_t count = in_stream
                            ? CountBlocksInStream(stream, limits.max_blocks)
                            : CountBlocks(stream, limits.max_blocks);
  if (count <= limits.max_blocks) return absl::OkStatus();
  return core::OverLimitError("blocks of the request: at least", count,
                              limits.max_blocks, "max_blocks_per_request");
}

absl::Status CheckMessageBytes(int64_t bytes, const RequestLimits& limits) {
  if (bytes <= limits.max_message_bytes) return absl::OkStatus();
  return core::OverLimitError("bytes of the message", bytes,
                              limits.max_message_bytes, "max_message_bytes");
}

absl::StatusOr<RequestHead> HeadFromProto(const v1::BakeVoxelsRequest& request,
                                          const RequestLimits& limits) {
  RequestHead head;
  KILN_RETURN_IF_ERROR(ReadRecipe(request, head));
  head.blocks = request.blocks_size();
  if (head.blocks == 0) {
    return core::FieldError("blocks", "length 0", "at least 1");
  }
  if (head.blocks > limits.max_blocks) {
    return core::OverLimitError("blocks of the request", head.blocks,
                                limits.max_blocks, "max_blocks_per_request");
  }
  for (int i = 0; i < request.blocks_size(); ++i) {
    if (absl::Status status = CheckInput(request.blocks(i), head);
        !status.ok()) {
      return core::WithContext(absl::StrCat("blocks[", i, "]."), status);
    }
    // Inside the loop, so that no sum can grow out of its type.
    KILN_RETURN_IF_ERROR(CheckTotals(head, limits));
  }
  return head;
}

absl::StatusOr<std::unique_ptr<WireInput>> InputFromProto(
    const v1::BlockInput& block) {
  auto result = std::make_unique<WireInput>();
  auto encoded = BlockFromProto(block.block(), result->store);
  if (!encoded.ok()) return core::WithContext("block.", encoded.status());
  result->input.block = *encoded;
  for (int face = 0; face < core::kFaceCount; ++face) {
    KILN_ASSIGN_OR_RETURN(
        result->input.neighbours[static_cast<size_t>(face)],
        NeighbourFromProto(NeighbourAt(block.neighbours(), face), face,
                           result->store));
  }
  return result;
}

void RequestToProto(std::span<const core::BakeInput> inputs,
                    const core::Recipe& recipe,
                    const core::BakeOptions& options, const SendOptions& send,
                    v1::BakeVoxelsRequest& proto) {
  proto.Clear();
  proto.mutable_recipe()->set_method(MethodToProto(recipe.method));
  proto.mutable_recipe()->set_effort(static_cast<uint32_t>(recipe.effort));
  proto.mutable_recipe()->set_exposure(ExposureToProto(recipe.exposure));
  proto.set_want_lower_bound(options.lower_bound);
  proto.set_want_tree(options.tree);
  if (send.priority != core::kDefaultPriority) {
    proto.set_priority(static_cast<uint32_t>(send.priority));
  }
  for (const core::BakeInput& input : inputs) {
    v1::BlockInput& block = *proto.add_blocks();
    BlockToProto(input.block, send.compression, *block.mutable_block());
    for (int face = 0; face < core::kFaceCount; ++face) {
      NeighbourToProto(input.neighbours[static_cast<size_t>(face)], face,
                       send.compression, block);
    }
  }
}

}  // namespace kiln::wire
