// The results of bake_wire.h: boxes, hashes and trees to messages and back.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "core/voxel/box_set.h"
#include "core/voxel/boxes/box_tree.h"
#include "proto/wire/bake_wire.h"

namespace kiln::wire {
namespace {

constexpr int kHashBytes = 16;
constexpr uint8_t kLeafAxis = 3;

std::string HashToBytes(const core::Hash128& hash) {
  std::string bytes(kHashBytes, '\0');
  for (size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<char>(hash.high >> (56 - 8 * i));
    bytes[8 + i] = static_cast<char>(hash.low >> (56 - 8 * i));
  }
  return bytes;
}

// Whatever is wrong with an answer is the server's mistake, or its version's.
absl::Status BadAnswer(absl::string_view field, absl::string_view value,
                       absl::string_view allowed) {
  return core::InternalError(absl::StrCat(
      "answer: ", field, ": ", value, " is not allowed; allowed: ", allowed));
}

absl::StatusOr<core::Hash128> HashFromBytes(absl::string_view field,
                                            const std::string& bytes) {
  if (bytes.size() != kHashBytes) {
    return BadAnswer(field, absl::StrCat(bytes.size(), " bytes"),
                     absl::StrCat(kHashBytes, " bytes"));
  }
  core::Hash128 hash;
  for (size_t i = 0; i < 8; ++i) {
    hash.high = hash.high << 8 | static_cast<uint8_t>(bytes[i]);
    hash.low = hash.low << 8 | static_cast<uint8_t>(bytes[8 + i]);
  }
  return hash;
}

// Box i of `proto`, or an error that names its bounds, class or faces.
// Requires: lists of matching length.
absl::StatusOr<core::Box> BoxAt(const v1::BoxSet& proto, int i,
                                const core::Vec3i& block_size) {
  core::Vec3i min;
  core::Vec3i max;
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t low = proto.bounds(6 * i + axis);
    const uint32_t high = proto.bounds(6 * i + 3 + axis);
    if (low >= high || high > static_cast<uint32_t>(block_size[axis])) {
      return BadAnswer(absl::StrCat("bounds of box ", i),
                       absl::StrCat("[", low, ", ", high, ")"),
                       absl::StrCat("not empty, in 0..", block_size[axis]));
    }
    min[axis] = static_cast<int>(low);
    max[axis] = static_cast<int>(high);
  }
  const auto index = static_cast<size_t>(i);
  const int cls = proto.classes().empty()
                      ? core::kDefaultClass
                      : static_cast<uint8_t>(proto.classes()[index]);
  if (cls == 0)
    return BadAnswer(absl::StrCat("classes[", i, "]"), "0", "1..255");
  const uint8_t faces =
      proto.exposed_faces().empty()
          ? uint8_t{0}
          : static_cast<uint8_t>(proto.exposed_faces()[index]);
  if (faces > core::kAllFaces) {
    return BadAnswer(absl::StrCat("exposed_faces[", i, "]"),
                     absl::StrCat(faces), "0..63");
  }
  return core::Box(min, max, cls, faces);
}

absl::Status CheckListLengths(const v1::BoxSet& proto) {
  if (proto.bounds_size() % 6 != 0) {
    return BadAnswer("bounds", absl::StrCat("length ", proto.bounds_size()),
                     "a multiple of 6");
  }
  const auto boxes = static_cast<size_t>(proto.bounds_size() / 6);
  const std::string allowed = absl::StrCat("0 or ", boxes);
  if (!proto.classes().empty() && proto.classes().size() != boxes) {
    return BadAnswer("classes", absl::StrCat("length ", proto.classes().size()),
                     allowed);
  }
  if (!proto.exposed_faces().empty() && proto.exposed_faces().size() != boxes) {
    return BadAnswer("exposed_faces",
                     absl::StrCat("length ", proto.exposed_faces().size()),
                     allowed);
  }
  const v1::Outcome outcome =
      boxes == 0 ? v1::OUTCOME_EMPTY : v1::OUTCOME_BOXES;
  if (proto.outcome() != outcome) {
    return BadAnswer(
        "outcome", absl::StrCat(static_cast<int>(proto.outcome())),
        absl::StrCat(static_cast<int>(outcome), " with ", boxes, " boxes"));
  }
  return absl::OkStatus();
}

absl::StatusOr<core::BoxSet> BoxesFromProto(const v1::BoxSet& proto,
                                            const core::Vec3i& block_size) {
  KILN_RETURN_IF_ERROR(CheckListLengths(proto));
  core::BoxSet boxes;
  boxes.reserve(static_cast<size_t>(proto.bounds_size() / 6));
  for (int i = 0; i < proto.bounds_size() / 6; ++i) {
    KILN_ASSIGN_OR_RETURN(const core::Box box, BoxAt(proto, i, block_size));
    if (!boxes.empty() && boxes.back().identity() >= box.identity()) {
      return BadAnswer(absl::StrCat("box ", i), "its place",
                       "canonical order, none twice");
    }
    boxes.push_back(box);
  }
  return boxes;
}

// A part of the block that a node of a tree stands for.
struct Cell {
  core::Vec3i min;
  core::Vec3i max;
};

// Node i as it is, once its axis and value are known to be possible in `cell`.
absl::StatusOr<core::BoxTreeNode> NodeAt(const v1::BoxTree& proto, int i,
                                         const Cell& cell) {
  const auto axis = static_cast<uint8_t>(proto.axes()[static_cast<size_t>(i)]);
  const uint32_t value = proto.values(i);
  core::BoxTreeNode node;
  node.axis = axis;
  if (axis > kLeafAxis) {
    return BadAnswer(absl::StrCat("tree.axes[", i, "]"), absl::StrCat(axis),
                     "0..3");
  }
  const std::string field = absl::StrCat("tree.values[", i, "]");
  if (axis == kLeafAxis) {
    if (value > core::kMaxClass) {
      return BadAnswer(field, absl::StrCat(value), "0..255");
    }
    node.cls = static_cast<uint8_t>(value);
    return node;
  }
  const auto low = static_cast<uint32_t>(cell.min[axis]);
  const auto high = static_cast<uint32_t>(cell.max[axis]);
  if (value <= low || value >= high) {
    return BadAnswer(field, absl::StrCat(value),
                     absl::StrCat("inside ", low, "..", high));
  }
  node.plane = static_cast<uint16_t>(value);
  return node;
}

// Walks the preorder with the cells still to come on a stack; each split halves
// a cell properly, so the stack is never deeper than the block's edges.
absl::StatusOr<std::vector<core::BoxTreeNode>> TreeFromProto(
    const v1::BoxTree& proto, const core::Vec3i& block_size) {
  if (proto.axes().size() != static_cast<size_t>(proto.values_size())) {
    return BadAnswer("tree.values",
                     absl::StrCat("length ", proto.values_size()),
                     absl::StrCat(proto.axes().size(), ", as tree.axes"));
  }
  std::vector<core::BoxTreeNode> nodes;
  nodes.reserve(proto.axes().size());
  std::vector<Cell> open{{core::Vec3i{}, block_size}};
  for (int i = 0; i < proto.values_size(); ++i) {
    if (open.empty()) {
      return BadAnswer("tree", "nodes after its end", "one whole tree");
    }
    const Cell cell = open.back();
    open.pop_back();
    KILN_ASSIGN_OR_RETURN(const core::BoxTreeNode node, NodeAt(proto, i, cell));
    nodes.push_back(node);
    if (node.is_leaf()) continue;
    Cell lower = cell;
    Cell upper = cell;
    lower.max[node.axis] = node.plane;
    upper.min[node.axis] = node.plane;
    open.push_back(upper);
    open.push_back(lower);
  }
  if (!open.empty() && !nodes.empty()) {
    return BadAnswer("tree", "nodes missing at its end", "one whole tree");
  }
  return nodes;
}

void TreeToProto(const std::vector<core::BoxTreeNode>& nodes,
                 v1::BoxTree& proto) {
  std::string& axes = *proto.mutable_axes();
  axes.reserve(nodes.size());
  proto.mutable_values()->Reserve(static_cast<int>(nodes.size()));
  for (const core::BoxTreeNode& node : nodes) {
    axes.push_back(static_cast<char>(node.axis));
    proto.add_values(node.is_leaf() ? node.cls : node.plane);
  }
}

void BoxesToProto(const core::BoxSet& boxes, const core::Recipe& recipe,
                  v1::BoxSet& proto) {
  const auto count = static_cast<int>(boxes.size());
  proto.mutable_bounds()->Resize(6 * count, 0);
  uint32_t* bounds = proto.mutable_bounds()->mutable_data();
  const bool classes = std::any_of(
      boxes.begin(), boxes.end(),
      [](const core::Box& box) { return box.cls() != core::kDefaultClass; });
  const bool faces = recipe.exposure != core::ExposureRule::kNone;
  if (classes) proto.mutable_classes()->reserve(boxes.size());
  if (faces) proto.mutable_exposed_faces()->reserve(boxes.size());
  for (const core::Box& box : boxes) {
    const core::Vec3i min = box.min();
    const core::Vec3i max = box.max();
    for (int axis = 0; axis < 3; ++axis) {
      bounds[axis] = static_cast<uint32_t>(min[axis]);
      bounds[3 + axis] = static_cast<uint32_t>(max[axis]);
    }
    bounds += 6;
    if (classes) {
      proto.mutable_classes()->push_back(static_cast<char>(box.cls()));
    }
    if (faces) {
      proto.mutable_exposed_faces()->push_back(
          static_cast<char>(box.exposed_faces()));
    }
  }
}

}  // namespace

void ResultToProto(const core::BakeResult& result, const core::Recipe& recipe,
                   const v1::BlockInput& echo, v1::BoxSet& proto) {
  proto.Clear();
  proto.set_outcome(result.boxes.empty() ? v1::OUTCOME_EMPTY
                                         : v1::OUTCOME_BOXES);
  BoxesToProto(result.boxes, recipe, proto);
  proto.set_content_hash(HashToBytes(result.content_hash));
  proto.set_result_hash(HashToBytes(result.result_hash));
  proto.set_solid_voxels(static_cast<uint64_t>(result.solid_voxels));
  if (result.lower_bound) {
    proto.set_lower_bound(static_cast<uint64_t>(*result.lower_bound));
  }
  if (!result.tree_nodes.empty()) {
    TreeToProto(result.tree_nodes, *proto.mutable_tree());
  }
  if (echo.has_chunk()) *proto.mutable_chunk() = echo.chunk();
  if (echo.has_voxel_size_m()) {
    *proto.mutable_voxel_size_m() = echo.voxel_size_m();
  }
}

absl::StatusOr<core::BakeResult> ResultFromProto(
    const v1::BoxSet& proto, const core::Vec3i& block_size) {
  core::BakeResult result;
  result.size = block_size;
  KILN_ASSIGN_OR_RETURN(result.boxes, BoxesFromProto(proto, block_size));
  KILN_ASSIGN_OR_RETURN(result.content_hash,
                        HashFromBytes("content_hash", proto.content_hash()));
  KILN_ASSIGN_OR_RETURN(result.result_hash,
                        HashFromBytes("result_hash", proto.result_hash()));
  const auto voxels = static_cast<uint64_t>(core::Volume(block_size));
  if (proto.solid_voxels() > voxels) {
    return BadAnswer("solid_voxels", absl::StrCat(proto.solid_voxels()),
                     absl::StrCat("0..", voxels));
  }
  result.solid_voxels = static_cast<int64_t>(proto.solid_voxels());
  if (proto.has_lower_bound()) {
    if (proto.lower_bound() > result.boxes.size()) {
      return BadAnswer("lower_bound", absl::StrCat(proto.lower_bound()),
                       absl::StrCat("0..", result.boxes.size(), ", the boxes"));
    }
    result.lower_bound = static_cast<int64_t>(proto.lower_bound());
  }
  KILN_ASSIGN_OR_RETURN(result.tree_nodes,
                        TreeFromProto(proto.tree(), block_size));
  return result;
}

}  // namespace kiln::wire
