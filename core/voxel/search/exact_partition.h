// core/voxel/search/exact_partition.h
//
// The fewest disjoint boxes of a grid of at most 64 cells, proven: branch and
// bound over what is still to be covered. Exponential in the worst case; random
// 4 x 4 x 4 grids take 1 ms in the mean and 30 ms at worst (of 70,000).

#ifndef KILN_CORE_VOXEL_SEARCH_EXACT_PARTITION_H_
#define KILN_CORE_VOXEL_SEARCH_EXACT_PARTITION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/voxel/boxes/mask_grid.h"
#include "core/voxel/search/cell_weights.h"

namespace kiln::core::internal {

// Keeps its memory between calls. Not thread-safe.
class ExactPartition {
 public:
  explicit ExactPartition(const MaskGrid& grid);

  // Returns the boxes of a smallest partition of `solid`, as masks; some of
  // them are missing once `poll` stops.
  std::vector<uint64_t> Solve(uint64_t solid, CancelPoll& poll);

  // Search nodes that the last call visited.
  int64_t nodes() const { return nodes_; }

 private:
  // What is known of a set of cells: at least `at_least` boxes are needed;
  // where `box` is not 0 that many suffice, and `box` is one of them.
  struct Entry {
    uint64_t cells = 0;
    uint64_t box = 0;
    int at_least = 0;
  };

  void SolvePart(uint64_t part, CancelPoll& poll, std::vector<uint64_t>& boxes);
  bool Solves(uint64_t part, int64_t max_nodes);
  int Fewest(uint64_t cells, int limit);
  int FewestOfParts(uint64_t part, uint64_t rest, int limit);
  uint64_t Branch(uint64_t cells, int limit);
  int CornerBound(uint64_t cells) const;
  int IndependentCells(uint64_t cells) const;
  int TightestCorner(uint64_t cells) const;
  void CollectBoxes(uint64_t cells, int corner);
  bool CanGrowForFree(uint64_t cells, uint64_t box, int axis, bool up) const;
  Entry& Slot(uint64_t cells);
  void GrowTable();

  MaskGrid grid_;
  // span_[axis][a * 64 + b]: cells whose coordinate lies in [a, b] or [b, a].
  std::vector<uint64_t> span_[3];
  uint8_t coordinate_[3][kMaxMaskCells];

  std::vector<Entry> table_;  // open addressing; cells == 0 is free
  size_t used_ = 0;
  std::vector<uint64_t> candidates_;  // a stack, one frame for each branch
  CellWeights weights_{};             // all 0 until they are needed
  CancelPoll* poll_ = nullptr;        // of the call at hand
  int64_t nodes_ = 0;
  int64_t nodes_left_ = 0;  // below 0: given up, nothing found is of use
};

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_SEARCH_EXACT_PARTITION_H_
