#include "core/voxel/boxes/box_tree.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "core/base/cancel_poll.h"
#include "core/base/limits.h"

namespace kiln::core {
namespace {

// Pairs of unlike neighbours that each plane inside a node separates: entry
// [axis][p] is for the plane at coordinate p.
using PlaneCounts = std::array<std::array<int32_t, kMaxBlockEdgeVoxels>, 3>;

class TreeBuilder {
 public:
  // `classes` is dense, x fastest, and borrowed.
  TreeBuilder(const Vec3i& size, const uint8_t* classes, CancelPoll& poll)
      : size_(size), classes_(classes), poll_(poll) {}

  absl::StatusOr<BoxTree> Build() && {
    if (Volume(size_) > 0) AddNode({}, size_);
    if (poll_.stopped()) return poll_.ToStatus();
    std::sort(tree_.boxes.begin(), tree_.boxes.end());
    return std::move(tree_);
  }

 private:
  // Appends the subtree of [min, max). Depth is at most the sum of the edges,
  // 768, because each level takes at least one voxel off one axis.
  void AddNode(const Vec3i& min, const Vec3i& max) {
    if (!CountUnlikePairs(min, max)) return;
    const auto [axis, plane] = BestPlane(min, max);
    if (counts_[axis][plane] == 0) {  // no two neighbours differ: uniform
      const uint8_t cls = *Row(min.x, min.y, min.z);
      tree_.nodes.push_back({3, cls, 0});
      if (cls != 0) tree_.boxes.emplace_back(min, max, cls);
      return;
    }
    tree_.nodes.push_back(
        {static_cast<uint8_t>(axis), 0, static_cast<uint16_t>(plane)});
    Vec3i lower_max = max;
    Vec3i upper_min = min;
    lower_max[axis] = upper_min[axis] = plane;
    AddNode(min, lower_max);
    if (!poll_.stopped()) AddNode(upper_min, max);
  }

  // Fills counts_ for the planes inside [min, max); false if stopped.
  bool CountUnlikePairs(const Vec3i& min, const Vec3i& max) {
    for (int axis = 0; axis < 3; ++axis) {
      std::fill(counts_[axis].begin() + min[axis],
                counts_[axis].begin() + max[axis], 0);
    }
    const int width = max.x - min.x;
    for (int z = min.z; z < max.z; ++z) {
      for (int y = min.y; y < max.y; ++y) {
        if (poll_.ShouldStopAfter(width)) return false;
        const uint8_t* row = Row(min.x, y, z);
        int32_t* x_counts = counts_[0].data() + min.x;
        for (int x = 1; x < width; ++x) x_counts[x] += row[x] != row[x - 1];
        if (y > min.y) {
          counts_[1][y] += CountUnlike(row, Row(min.x, y - 1, z), width);
        }
        if (z > min.z) {
          counts_[2][z] += CountUnlike(row, Row(min.x, y, z - 1), width);
        }
      }
    }
    return true;
  }

  static int32_t CountUnlike(const uint8_t* a, const uint8_t* b, int count) {
    int32_t unlike = 0;
    for (int i = 0; i < count; ++i) unlike += a[i] != b[i];
    return unlike;
  }

  // The tie rule of box_tree.h. The lowest plane of each axis, which is the
  // node's own border and counts 0, stands for "none".
  std::pair<size_t, int> BestPlane(const Vec3i& min, const Vec3i& max) const {
    std::array<int, 3> plane;
    std::array<int32_t, 3> count;
    for (size_t axis = 0; axis < 3; ++axis) {
      const int32_t* begin = counts_[axis].data();
      const int32_t* best =
          std::max_element(begin + min[static_cast<int>(axis)],
                           begin + max[static_cast<int>(axis)]);
      plane[axis] = static_cast<int>(best - begin);
      count[axis] = *best;
    }
    const size_t axis = count[0] > count[1] && count[0] > count[2] ? 0
                        : count[1] > count[2]                      ? 1
                                                                   : 2;
    return {axis, plane[axis]};
  }

  const uint8_t* Row(int x, int y, int z) const {
    return classes_ + static_cast<size_t>(x) +
           static_cast<size_t>(size_.x) *
               (static_cast<size_t>(y) +
                static_cast<size_t>(size_.y) * static_cast<size_t>(z));
  }

  const Vec3i size_;
  const uint8_t* const classes_;
  CancelPoll& poll_;
  PlaneCounts counts_;  // of the node at hand: read before its children run
  BoxTree tree_;
};

// Builds from class_at(x, y, z).
template <typename ClassAt>
absl::StatusOr<BoxTree> Build(const Vec3i& size, const CancelToken& cancel,
                              ClassAt class_at) {
  CancelPoll poll(cancel);
  // Not initialised: 256^3 bytes cannot be cleared between two looks at the
  // clock, filling them row by row can.
  const auto classes = std::make_unique_for_overwrite<uint8_t[]>(
      static_cast<size_t>(Volume(size)));
  uint8_t* out = classes.get();
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      if (poll.ShouldStopAfter(size.x)) return poll.ToStatus();
      for (int x = 0; x < size.x; ++x) *out++ = class_at(x, y, z);
    }
  }
  return TreeBuilder(size, classes.get(), poll).Build();
}

}  // namespace

absl::StatusOr<BoxTree> BuildBoxTree(const VoxelBlock& block,
                                     const CancelToken& cancel) {
  return Build(block.size(), cancel, [&block](int x, int y, int z) {
    return static_cast<uint8_t>(block.ClassAt(x, y, z));
  });
}

absl::StatusOr<BoxTree> BuildBoxTree(const VoxelView<uint8_t>& classes,
                                     const CancelToken& cancel) {
  return Build(classes.size(), cancel,
               [&classes](int x, int y, int z) { return classes.At(x, y, z); });
}

}  // namespace kiln::core
