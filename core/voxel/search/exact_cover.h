// core/voxel/search/exact_cover.h
//
// The fewest boxes whose union is a grid of at most 64 cells; they may overlap,
// so only maximal boxes need be looked at. Exponential in the worst case, so
// the search is bounded, unlike that of exact_partition.h.

#ifndef KILN_CORE_VOXEL_SEARCH_EXACT_COVER_H_
#define KILN_CORE_VOXEL_SEARCH_EXACT_COVER_H_

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/voxel/boxes/mask_grid.h"

namespace kiln::core::internal {

// Not thread-safe.
class ExactCover {
 public:
  explicit ExactCover(const MaskGrid& grid) : grid_(grid) {}

  // Returns a smallest cover of `solid`, as masks of maximal boxes, if it has
  // fewer than `fewer_than` boxes; else, or where the search gave up after
  // `max_nodes` or because of `poll`, no boxes.
  std::vector<uint64_t> Solve(uint64_t solid, int fewer_than, int64_t max_nodes,
                              CancelPoll& poll);

  // Search nodes that the last call visited.
  int64_t nodes() const { return nodes_; }

 private:
  void CollectMaximalBoxes(uint64_t solid);
  bool Covers(uint64_t open, int boxes_left);
  int IndependentCells(uint64_t open) const;

  MaskGrid grid_;
  std::array<std::vector<uint64_t>, kMaxMaskCells> boxes_of_;  // by cell
  std::array<uint64_t, kMaxMaskCells> reach_{};  // union of boxes_of_
  std::unordered_map<uint64_t, int> failed_;     // open -> most boxes tried
  std::vector<uint64_t> chosen_;
  CancelPoll* poll_ = nullptr;
  int64_t nodes_ = 0;
  int64_t max_nodes_ = 0;
};

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_SEARCH_EXACT_COVER_H_
