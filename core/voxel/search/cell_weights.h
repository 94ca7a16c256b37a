// core/voxel/search/cell_weights.h
//
// Weights of cells, negative ones too, such that no box weighs more than one:
// their sum is a lower bound on the boxes of any partition, far tighter than
// an independent set. Not one for covers: a cell that a cover counts twice may
// weigh less than nothing.

#ifndef KILN_CORE_VOXEL_SEARCH_CELL_WEIGHTS_H_
#define KILN_CORE_VOXEL_SEARCH_CELL_WEIGHTS_H_

#include <array>
#include <cstdint>

#include "core/base/cancel_poll.h"
#include "core/voxel/boxes/mask_grid.h"

namespace kiln::core::internal {

// Weight 1 of a box, in the units of the weights.
inline constexpr int64_t kUnitWeight = int64_t{1} << 24;

using CellWeights = std::array<int64_t, kMaxMaskCells>;

// Returns weights of the cells of `solid` with (nearly) the greatest sum, or
// some lesser ones once `poll` stops; of other cells, 0. They solve the dual of
// the linear program "as few boxes as possible, in fractions, that add up to
// one at each cell".
//
// Guarantees:  no box of `solid` weighs more than kUnitWeight, whatever the
//              floating point did: the weights are checked as integers.
// Cost:        1 to 2 ms at 60 cells.
CellWeights HeaviestWeights(const MaskGrid& grid, uint64_t solid,
                            CancelPoll& poll);

// Boxes that a partition of `cells`, a part of the solid, needs at least.
inline int BoxesByWeight(const CellWeights& weights, uint64_t cells) {
  int64_t sum = 0;
  for (; cells != 0; cells &= cells - 1) {
    sum += weights[static_cast<size_t>(std::countr_zero(cells))];
  }
  return sum <= 0 ? 0 : static_cast<int>((sum + kUnitWeight - 1) / kUnitWeight);
}

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_SEARCH_CELL_WEIGHTS_H_
