#include "tests/support/box_oracles.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "core/base/check.h"
#include "tests/support/random_blocks.h"

namespace kiln::tests {
namespace {

using core::Box;
using core::BoxSet;
using core::Face;
using core::Vec3i;
using core::VoxelBlock;

template <typename Visit>
void ForEachVoxel(const Vec3i& min, const Vec3i& max, Visit visit) {
  for (int z = min.z; z < max.z; ++z) {
    for (int y = min.y; y < max.y; ++y) {
      for (int x = min.x; x < max.x; ++x) visit(Vec3i{x, y, z});
    }
  }
}

testing::AssertionResult Fail(const Box& box) {
  return testing::AssertionFailure()
         << "box [" << box.min().x << " " << box.min().y << " " << box.min().z
         << ", " << box.max().x << " " << box.max().y << " " << box.max().z
         << ") of class " << box.cls() << " ";
}

testing::AssertionResult CheckUnion(const VoxelBlock& block,
                                    const BoxSet& boxes, bool may_overlap) {
  if (testing::AssertionResult canonical = IsCanonical(boxes); !canonical) {
    return canonical;
  }
  std::vector<uint8_t> painted(static_cast<size_t>(Volume(block.size())));
  for (const Box& box : boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      if (box.max()[axis] > block.size()[axis]) {
        return Fail(box) << "leaves the block on axis " << axis;
      }
    }
    bool overlaps = false;
    ForEachVoxel(box.min(), box.max(), [&](const Vec3i& v) {
      uint8_t& paint = painted[block.Index(v.x, v.y, v.z)];
      overlaps |= paint != 0 && (!may_overlap || paint != box.cls());
      paint = static_cast<uint8_t>(box.cls());
    });
    if (overlaps) return Fail(box) << "overlaps an earlier one";
  }
  if (painted == ClassBytes(block)) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "the union is not the solid voxels of " << Describe(block);
}

// Class at a voxel of the block or one beyond it; nullopt where UNKNOWN.
std::optional<int> ClassAround(const VoxelBlock& block,
                               const core::Borders& borders, const Vec3i& v) {
  const Vec3i& size = block.size();
  for (int axis = 0; axis < 3; ++axis) {
    if (v[axis] >= 0 && v[axis] < size[axis]) continue;
    const auto& plane =
        borders.planes[static_cast<size_t>(2 * axis + (v[axis] < 0 ? 0 : 1))];
    if (!plane) return std::nullopt;
    if (axis == 0) return plane->ClassAt(v.y, v.z);
    if (axis == 1) return plane->ClassAt(v.x, v.z);
    return plane->ClassAt(v.x, v.y);
  }
  return block.ClassAt(v.x, v.y, v.z);
}

}  // namespace

testing::AssertionResult IsExactPartition(const VoxelBlock& block,
                                          const BoxSet& boxes) {
  return CheckUnion(block, boxes, /*may_overlap=*/false);
}

testing::AssertionResult IsExactCover(const VoxelBlock& block,
                                      const BoxSet& boxes) {
  return CheckUnion(block, boxes, /*may_overlap=*/true);
}

testing::AssertionResult IsCanonical(const BoxSet& boxes) {
  for (size_t i = 1; i < boxes.size(); ++i) {
    if (boxes[i - 1].identity() >= boxes[i].identity()) {
      return Fail(boxes[i]) << "is out of order at index " << i;
    }
  }
  return testing::AssertionSuccess();
}

BoxSet PartitionByVoxels(const VoxelBlock& block) {
  const Vec3i& size = block.size();
  std::vector<uint8_t> rest = ClassBytes(block);
  BoxSet boxes;
  for (int z = 0; z < size.z; ++z) {
    for (int x = 0; x < size.x; ++x) {
      for (int y = 0; y < size.y; ++y) {
        const uint8_t cls = rest[block.Index(x, y, z)];
        if (cls == 0) continue;
        const Vec3i min{x, y, z};
        Vec3i max = min + Vec3i{1, 1, 1};
        for (const int axis : {1, 0, 2}) {
          for (bool grows = true; grows && max[axis] < size[axis];) {
            Vec3i layer = min;
            layer[axis] = max[axis];
            ++max[axis];
            ForEachVoxel(layer, max, [&](const Vec3i& v) {
              grows &= rest[block.Index(v.x, v.y, v.z)] == cls;
            });
            if (!grows) --max[axis];
          }
        }
        ForEachVoxel(min, max, [&](const Vec3i& v) {
          rest[block.Index(v.x, v.y, v.z)] = 0;
        });
        boxes.emplace_back(min, max, cls);
      }
    }
  }
  std::sort(boxes.begin(), boxes.end());
  return boxes;
}

uint8_t ExposedFacesByVoxels(const VoxelBlock& block,
                             const core::Borders& borders,
                             core::ExposureRule rule, const Box& box) {
  if (rule == core::ExposureRule::kNone) return 0;
  uint8_t faces = 0;
  ForEachVoxel(box.min(), box.max(), [&](const Vec3i& v) {
    for (int face = 0; face < core::kFaceCount; ++face) {
      Vec3i beyond = v;
      beyond[face / 2] += face % 2 == 0 ? -1 : 1;
      const int a = face / 2;
      const bool inside_box =
          beyond[a] >= box.min()[a] && beyond[a] < box.max()[a];
      if (inside_box) continue;
      const std::optional<int> cls = ClassAround(block, borders, beyond);
      const bool buried =
          cls && *cls != 0 &&
          (rule == core::ExposureRule::kAnySolid || *cls == box.cls());
      if (!buried) faces |= core::FaceBit(static_cast<Face>(face));
    }
  });
  return faces;
}

void NaiveBitRowBoxes(const core::VoxelView<uint8_t>& voxels, BoxSet& boxes) {
  const Vec3i size = voxels.size();
  KILN_CHECK(size.x <= 64);
  boxes.clear();
  std::vector<uint64_t> rows(static_cast<size_t>(size.y * size.z));
  const auto row = [&](int y, int z) -> uint64_t& {
    return rows[static_cast<size_t>(y + size.y * z)];
  };
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        row(y, z) |= uint64_t{voxels.At(x, y, z) != 0} << x;
      }
    }
  }
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      while (row(y, z) != 0) {
        const int x = std::countr_zero(row(y, z));
        const int width = std::countr_one(row(y, z) >> x);
        const uint64_t mask = (~uint64_t{0} >> (64 - width)) << x;
        const auto has_mask = [&](int y1, int z1) {
          return (row(y1, z1) & mask) == mask;
        };
        Vec3i max{x + width, y + 1, z + 1};
        while (max.y < size.y && has_mask(max.y, z)) ++max.y;
        for (bool grows = true; grows && max.z < size.z;) {
          for (int y1 = y; y1 < max.y && grows; ++y1) {
            grows = has_mask(y1, max.z);
          }
          if (grows) ++max.z;
        }
        for (int z1 = z; z1 < max.z; ++z1) {
          for (int y1 = y; y1 < max.y; ++y1) row(y1, z1) &= ~mask;
        }
        boxes.emplace_back(Vec3i{x, y, z}, max, 1);
      }
    }
  }
}

}  // namespace kiln::tests
