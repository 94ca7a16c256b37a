#include "client/formats/vox/vox_scene.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

using core::Vec3i;

constexpr int kMaxDepth = 256;

// The entry of `steps` (poses, models of a shape) that holds at `frame`: the
// one with the greatest number at or before it; before the first, the first.
template <typename Step>
const Step& StepAt(const std::vector<Step>& steps, int frame) {
  const Step* best = &steps.front();
  for (const Step& step : steps) {
    if (step.frame > frame) continue;
    if (best->frame > frame || step.frame >= best->frame) best = &step;
  }
  return *best;
}

// Walks the scene graph from its root.
class SceneWalker {
 public:
  SceneWalker(const VoxFile& file, const VoxSceneOptions& options)
      : file_(file), options_(options) {}

  absl::StatusOr<std::vector<VoxInstance>> Walk() {
    KILN_RETURN_IF_ERROR(
        Visit(/*id=*/0, /*from=*/file_.nodes.begin()->second.offset, Pose{}));
    std::stable_sort(placed_.begin(), placed_.end(),
                     [](const Placed& a, const Placed& b) {
                       return a.placed_by < b.placed_by;
                     });
    std::vector<VoxInstance> instances;
    instances.reserve(placed_.size());
    for (const Placed& placed : placed_) instances.push_back(placed.instance);
    return instances;
  }

 private:
  struct Pose {
    SignedPermutation rotation;
    Vec3i translation;
    int layer = -1;
    int64_t placed_by = 0;  // offset of the nearest transform node
  };
  struct Placed {
    int64_t placed_by;
    VoxInstance instance;
  };

  absl::Status Visit(int id, int64_t from, const Pose& pose);
  absl::Status VisitTransform(const VoxTransformNode& node, int64_t offset,
                              const Pose& pose);
  absl::Status VisitShape(const VoxShapeNode& node, int64_t offset,
                          const Pose& pose);
  bool IsHiddenLayer(int layer) const {
    const auto found = file_.hidden_layers.find(layer);
    return found != file_.hidden_layers.end() && found->second;
  }

  const VoxFile& file_;
  const VoxSceneOptions& options_;
  std::set<int> path_;
  int64_t visits_ = 0;
  std::vector<Placed> placed_;
};

absl::Status SceneWalker::Visit(int id, int64_t from, const Pose& pose) {
  const auto found = file_.nodes.find(id);
  if (found == file_.nodes.end()) {
    return core::MalformedError("scene graph", from,
                                absl::StrCat("no node ", id));
  }
  const VoxNode& node = found->second;
  const auto error = [&](absl::string_view why) {
    return core::MalformedError("scene graph", node.offset, why);
  };
  if (++visits_ > options_.max_visits) {
    return error(absl::StrCat("more than ", options_.max_visits,
                              " nodes over all paths"));
  }
  if (path_.size() >= kMaxDepth) {
    return error(absl::StrCat("deeper than ", kMaxDepth, " nodes"));
  }
  if (node.hidden && !options_.hidden) return absl::OkStatus();
  if (!path_.insert(id).second) return error("a node is inside itself");

  absl::Status status;
  if (const auto* transform = std::get_if<VoxTransformNode>(&node.kind)) {
    status = VisitTransform(*transform, node.offset, pose);
  } else if (const auto* shape = std::get_if<VoxShapeNode>(&node.kind)) {
    status = VisitShape(*shape, node.offset, pose);
  } else {
    for (const int child : std::get<VoxGroupNode>(node.kind).children) {
      status = Visit(child, node.offset, pose);
      if (!status.ok()) break;
    }
  }
  path_.erase(id);
  return status;
}

absl::Status SceneWalker::VisitTransform(const VoxTransformNode& node,
                                         int64_t offset, const Pose& pose) {
  const VoxPose& own = StepAt(node.poses, options_.frame);
  Pose next;
  next.rotation = pose.rotation.After(own.rotation);
  next.translation = pose.rotation.Apply(own.translation) + pose.translation;
  next.layer = node.layer;
  next.placed_by = offset;
  // Each is within +-kMaxCoordinate, so the sums never leave an int.
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(next.translation[axis]) > kMaxCoordinate) {
      return core::MalformedError(
          "translation", offset,
          absl::StrCat(next.translation[axis],
                       " with its parents, not within +-", kMaxCoordinate));
    }
  }
  return Visit(node.child, offset, next);
}

absl::Status SceneWalker::VisitShape(const VoxShapeNode& node, int64_t offset,
                                     const Pose& pose) {
  if (IsHiddenLayer(pose.layer) && !options_.hidden) return absl::OkStatus();
  const int model = StepAt(node.models, options_.frame).model;
  if (model < 0 || model >= static_cast<int>(file_.models.size())) {
    return core::MalformedError(
        "model of a shape", offset,
        absl::StrCat(model, " is not one of the ", file_.models.size(),
                     " there are"));
  }
  placed_.push_back(
      {pose.placed_by,
       {model, pose.rotation, pose.translation, /*about_center=*/true}});
  return absl::OkStatus();
}

Vec3i ToAxes(const Vec3i& v, SceneAxes axes) {
  return axes == SceneAxes::kYUp ? Vec3i{v.x, v.z, -v.y - 1} : v;
}

}  // namespace

absl::StatusOr<std::vector<VoxInstance>> PlaceModels(
    const VoxFile& file, const VoxSceneOptions& options) {
  if (!file.nodes.empty()) return SceneWalker(file, options).Walk();
  std::vector<VoxInstance> instances;
  if (file.models.empty()) return instances;
  const auto count = static_cast<int>(file.models.size());
  if (options.frame < 0 || options.frame >= count) {
    return core::RangeError("frame", options.frame, 0, count - 1);
  }
  VoxInstance only;
  only.model = options.frame;
  only.about_center = false;
  instances.push_back(only);
  return instances;
}

absl::Status AddToGrid(const VoxFile& file,
                       const std::vector<VoxInstance>& instances,
                       const VoxSceneOptions& options, VoxelGrid& grid) {
  int64_t placed = 0;
  for (const VoxInstance& instance : instances) {
    const VoxModel& model = file.models[static_cast<size_t>(instance.model)];
    placed += static_cast<int64_t>(model.voxels.size());
    if (placed > options.max_placed_voxels) {
      return core::RangeError("voxels of all placed models", placed, 0,
                              options.max_placed_voxels);
    }
    for (const VoxVoxel& voxel : model.voxels) {
      const Vec3i at = instance.Place({voxel.x, voxel.y, voxel.z}, model.size);
      KILN_RETURN_IF_ERROR(grid.Set(ToAxes(at, options.axes), voxel.color));
    }
  }
  return absl::OkStatus();
}

}  // namespace kiln::client
