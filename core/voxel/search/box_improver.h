// core/voxel/search/box_improver.h
//
// Ruin and recreate on a partition: takes a few boxes that touch, and looks for
// another way to fill the space they fill, with fewer boxes or with as many.
// Every step leaves an exact partition; steps only ever lower the count.

#ifndef KILN_CORE_VOXEL_SEARCH_BOX_IMPROVER_H_
#define KILN_CORE_VOXEL_SEARCH_BOX_IMPROVER_H_

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/base/limits.h"
#include "core/base/random.h"
#include "core/voxel/box_set.h"
#include "core/voxel/boxes/mask_grid.h"

namespace kiln::core::internal {

struct ImproverOptions {
  int max_window_boxes = 6;    // boxes taken at once, 2..12
  int max_window_nodes = 200;  // search nodes for each of a window's two tries
};

// The space between the planes of the boxes of a window has few distinct
// coordinates, so a window becomes a grid of at most 64 cells, whatever its
// size in voxels (mask_grid.h). Some best partition uses no other planes.
//
// Once `poll` says stop, the boxes are of no use any more. Not thread-safe.
class BoxImprover {
 public:
  // `boxes` is a partition of some voxels of a grid of `size`. `poll` must
  // outlive this.
  // Cost: O(V) time and 4 V bytes.
  BoxImprover(const Vec3i& size, const BoxSet& boxes, CancelPoll& poll);

  // Tries one window. Cost: some microseconds, and painting of boxes that move.
  void Step(const ImproverOptions& options);

  int64_t count() const { return static_cast<int64_t>(boxes_.size()); }
  // In no particular order, of class 1.
  BoxSet Boxes() const;

 private:
  struct Cuboid {
    std::array<int16_t, 3> min;
    std::array<int16_t, 3> max;
  };

  struct FreeMemory {
    void operator()(void* memory) const { std::free(memory); }
  };

  static constexpr uint64_t kSeed = 0x6b696c6e;  // part of the results
  static constexpr int kMaxWindow = 12;

  int32_t& OwnerAt(int x, int y, int z) {
    return owner_[static_cast<size_t>(x) +
                  static_cast<size_t>(size_.x) *
                      (static_cast<size_t>(y) +
                       static_cast<size_t>(size_.y) * static_cast<size_t>(z))];
  }
  void Paint(int32_t id);
  int32_t RandomNeighbour(int32_t id);
  void PickWindow(int max_boxes);
  bool Compress();
  bool Refill(uint64_t cells, int boxes_left, int depth);
  int CollectBoxes(uint64_t cells, uint64_t* candidates) const;
  bool NeedsMoreThan(uint64_t cells, int boxes) const;
  void Accept();

  const Vec3i size_;
  Random random_{kSeed};
  std::vector<Cuboid> boxes_;
  // 1 + the index of the box at each voxel; 0 where there is none. From calloc,
  // which takes the memory of large empty parts only when it is used.
  std::unique_ptr<int32_t[], FreeMemory> owner_;
  CancelPoll& poll_;

  // The window at hand.
  int window_size_ = 0;
  std::array<int32_t, kMaxWindow> window_;  // indices of its boxes
  std::array<std::array<int16_t, 2 * kMaxWindow>, 3> planes_;
  // rank_[axis][plane] is the index of a plane in planes_[axis].
  std::array<std::array<uint8_t, kMaxBlockEdgeVoxels + 1>, 3> rank_;
  std::array<uint64_t, kMaxWindow> before_;  // its boxes as masks
  MaskGrid grid_;
  int nodes_left_ = 0;
  bool random_order_ = false;
  int after_size_ = 0;
  std::array<uint64_t, kMaxWindow> after_;
};

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_SEARCH_BOX_IMPROVER_H_
