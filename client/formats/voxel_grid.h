// client/formats/voxel_grid.h
//
// A sparse grid of materials in world coordinates, of any extent: what the
// readers of voxel files fill and what is then cut into blocks (grid_blocks.h).

#ifndef KILN_CLIENT_FORMATS_VOXEL_GRID_H_
#define KILN_CLIENT_FORMATS_VOXEL_GRID_H_

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "core/geometry/vec3.h"

namespace kiln::client {

// Coordinates of voxels are -kMaxCoordinate..kMaxCoordinate - 1.
inline constexpr int kMaxCoordinate = 1 << 24;

// Most bricks of one grid: 1 GiB. A city of 4096 x 256 x 4096 solid voxels.
inline constexpr int64_t kMaxBricks = 1 << 18;

// Threads: const calls may run concurrently.
class VoxelGrid {
 public:
  // Cells are kept in bricks of this edge, which exist where a voxel is.
  static constexpr int kBrickEdge = 16;

  explicit VoxelGrid(int64_t max_bricks = kMaxBricks)
      : max_bricks_(max_bricks) {}

  // Makes a voxel solid; the last call for a voxel wins.
  //
  // Requires: 1 <= material <= 255.
  // Errors:   kInvalidArgument for coordinates out of range or one brick too
  //           many.
  absl::Status Set(const core::Vec3i& at, uint8_t material);

  // 0 where nothing is. Any coordinates are allowed.
  uint8_t At(const core::Vec3i& at) const;

  // Materials of the voxels from `min` on, x fastest, then y, then z; `out` is
  // of Volume(size) bytes.
  void CopyBox(const core::Vec3i& min, const core::Vec3i& size,
               uint8_t* out) const;

  int64_t solid_voxels() const { return solid_voxels_; }
  // Smallest box that holds all voxels, [min, max); both 0 when empty.
  const core::Vec3i& min() const { return min_; }
  const core::Vec3i& max() const { return max_; }

  // Minimum corners of all bricks, in ascending order of (z, y, x).
  std::vector<core::Vec3i> BrickOrigins() const;

 private:
  static constexpr int kBrickVolume = kBrickEdge * kBrickEdge * kBrickEdge;
  using Brick = std::array<uint8_t, kBrickVolume>;

  const Brick* Find(const core::Vec3i& brick) const;
  void GrowBounds(const core::Vec3i& at);

  int64_t max_bricks_;
  std::unordered_map<uint64_t, std::unique_ptr<Brick>> bricks_;
  int64_t solid_voxels_ = 0;
  core::Vec3i min_, max_;
  // The brick of the last Set: neighbours in a file are neighbours in space.
  uint64_t last_key_ = 0;
  Brick* last_brick_ = nullptr;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_VOXEL_GRID_H_
