#include "client/formats/voxel_grid.h"

#include <algorithm>
#include <cstring>

#include "core/base/errors.h"

namespace kiln::client {
namespace {

using core::Vec3i;

constexpr int kShift = 4;
constexpr int kMask = VoxelGrid::kBrickEdge - 1;
static_assert(1 << kShift == VoxelGrid::kBrickEdge);

// 21 bits an axis hold the bricks of all coordinates.
constexpr int kKeyBits = 21;
constexpr int kKeyBias = 1 << (kKeyBits - 1);
static_assert(kMaxCoordinate >> kShift <= kKeyBias);

Vec3i BrickOf(const Vec3i& at) {
  return {at.x >> kShift, at.y >> kShift, at.z >> kShift};
}

// Keys ascend in the order of (z, y, x).
uint64_t KeyOf(const Vec3i& brick) {
  const auto part = [](int v) { return static_cast<uint64_t>(v + kKeyBias); };
  return part(brick.z) << (2 * kKeyBits) | part(brick.y) << kKeyBits |
         part(brick.x);
}

Vec3i OriginOf(uint64_t key) {
  constexpr uint64_t kPart = (uint64_t{1} << kKeyBits) - 1;
  const auto part = [&](int shift) {
    return (static_cast<int>((key >> shift) & kPart) - kKeyBias) *
           VoxelGrid::kBrickEdge;
  };
  return {part(0), part(kKeyBits), part(2 * kKeyBits)};
}

size_t CellOf(const Vec3i& at) {
  return static_cast<size_t>((at.x & kMask) | (at.y & kMask) << kShift |
                             (at.z & kMask) << (2 * kShift));
}

bool InRange(int v) { return v >= -kMaxCoordinate && v < kMaxCoordinate; }

}  // namespace

absl::Status VoxelGrid::Set(const Vec3i& at, uint8_t material) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!InRange(at[axis])) {
      return core::RangeError("voxel coordinate", at[axis], -kMaxCoordinate,
                              kMaxCoordinate - 1);
    }
  }
  const uint64_t key = KeyOf(BrickOf(at));
  if (last_brick_ == nullptr || key != last_key_) {
    auto found = bricks_.find(key);
    if (found == bricks_.end()) {
      const auto count = static_cast<int64_t>(bricks_.size()) + 1;
      if (count > max_bricks_) {
        return core::RangeError("parts of the scene of 16x16x16 voxels", count,
                                0, max_bricks_);
      }
      found = bricks_.emplace(key, std::make_unique<Brick>()).first;
    }
    last_key_ = key;
    last_brick_ = found->second.get();
  }
  uint8_t& cell = (*last_brick_)[CellOf(at)];
  if (cell == 0) {
    GrowBounds(at);
    ++solid_voxels_;
  }
  cell = material;
  return absl::OkStatus();
}

void VoxelGrid::GrowBounds(const Vec3i& at) {
  if (solid_voxels_ == 0) {
    min_ = at;
    max_ = at + Vec3i{1, 1, 1};
    return;
  }
  for (int axis = 0; axis < 3; ++axis) {
    min_[axis] = std::min(min_[axis], at[axis]);
    max_[axis] = std::max(max_[axis], at[axis] + 1);
  }
}

const VoxelGrid::Brick* VoxelGrid::Find(const Vec3i& brick) const {
  const auto found = bricks_.find(KeyOf(brick));
  return found == bricks_.end() ? nullptr : found->second.get();
}

uint8_t VoxelGrid::At(const Vec3i& at) const {
  if (!InRange(at.x) || !InRange(at.y) || !InRange(at.z)) return 0;
  const Brick* brick = Find(BrickOf(at));
  return brick == nullptr ? 0 : (*brick)[CellOf(at)];
}

void VoxelGrid::CopyBox(const Vec3i& min, const Vec3i& size,
                        uint8_t* out) const {
  std::memset(out, 0, static_cast<size_t>(core::Volume(size)));
  if (solid_voxels_ == 0) return;
  // Only what the bounds hold can be solid, and is in range.
  Vec3i from, to;
  for (int axis = 0; axis < 3; ++axis) {
    from[axis] = std::max(min[axis], min_[axis]);
    to[axis] = std::min(min[axis] + size[axis], max_[axis]);
    if (from[axis] >= to[axis]) return;
  }
  const auto stride_y = static_cast<size_t>(size.x);
  const size_t stride_z = stride_y * static_cast<size_t>(size.y);
  for (int z = from.z; z < to.z; ++z) {
    for (int y = from.y; y < to.y; ++y) {
      uint8_t* row = out + static_cast<size_t>(z - min.z) * stride_z +
                     static_cast<size_t>(y - min.y) * stride_y;
      // Runs inside one brick are contiguous.
      for (int x = from.x; x < to.x;) {
        const int end = std::min(to.x, (x | kMask) + 1);
        if (const Brick* brick = Find(BrickOf({x, y, z}))) {
          std::memcpy(row + (x - min.x), brick->data() + CellOf({x, y, z}),
                      static_cast<size_t>(end - x));
        }
        x = end;
      }
    }
  }
}

std::vector<Vec3i> VoxelGrid::BrickOrigins() const {
  std::vector<uint64_t> keys;
  keys.reserve(bricks_.size());
  for (const auto& entry : bricks_) keys.push_back(entry.first);
  std::sort(keys.begin(), keys.end());
  std::vector<Vec3i> origins;
  origins.reserve(keys.size());
  for (const uint64_t key : keys) origins.push_back(OriginOf(key));
  return origins;
}

}  // namespace kiln::client
