#include "core/voxel/search/box_search.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "core/base/cancel_poll.h"
#include "core/base/check.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/voxel/boxes/box_order.h"
#include "core/voxel/boxes/class_layers.h"
#include "core/voxel/boxes/mask_grid.h"
#include "core/voxel/search/axis_orders.h"
#include "core/voxel/search/box_improver.h"
#include "core/voxel/search/exact_partition.h"

namespace kiln::core {
namespace {

using internal::ClassLayer;
using internal::MaskGrid;

absl::StatusOr<BoxSet> SolveExactly(const BitGrid& solid,
                                    const CancelToken& cancel) {
  CancelPoll poll(cancel);
  const MaskGrid grid(solid.size());
  internal::ExactPartition solver(grid);
  BoxSet boxes;
  const uint64_t cells = internal::SmallMask(solid);
  for (const uint64_t box : solver.Solve(cells, poll)) {
    boxes.push_back(internal::BoxOfMask(grid, box));
  }
  if (poll.stopped()) return poll.ToStatus();
  return boxes;
}

// What an effort adds to the one below it, so that more effort never gives
// more boxes: steps for each box that the search starts with, and some for
// blocks with few boxes. A box takes some 15 us at effort 1, 0.1 ms at effort 2
// and 0.6 ms at effort 3; a section of 16^3 of real models, 0.5 ms at effort 1.
struct Phase {
  int64_t steps;
  int64_t steps_per_box;
};
constexpr Phase kPhases[] = {{200, 60}, {2000, 400}, {20000, 2000}};
static_assert(std::size(kPhases) == kMaxSearchEffort);

absl::StatusOr<BoxSet> Improve(const Vec3i& size, const BoxSet& boxes,
                               int effort, const CancelToken& cancel) {
  CancelPoll poll(cancel);
  internal::BoxImprover improver(size, boxes, poll);
  for (int e = 0; e < effort; ++e) {
    const Phase& phase = kPhases[e];
    improver.Run(phase.steps +
                 phase.steps_per_box * static_cast<int64_t>(boxes.size()));
  }
  if (poll.stopped()) return poll.ToStatus();
  return improver.Boxes();
}

}  // namespace

absl::StatusOr<BoxSet> SearchBoxes(const VoxelBlock& block, int effort,
                                   const CancelToken& cancel) {
  KILN_DCHECK(effort >= 0 && effort <= kMaxSearchEffort);
  BoxSet result;
  const auto search_layer = [&](const ClassLayer& layer) -> absl::Status {
    BoxSet boxes;
    if (internal::IsSmall(layer.solid.size())) {
      KILN_ASSIGN_OR_RETURN(boxes, SolveExactly(layer.solid, cancel));
    } else {
      KILN_ASSIGN_OR_RETURN(boxes,
                            internal::BestOfAxisOrders(layer.solid, cancel));
      if (effort > 0) {
        KILN_ASSIGN_OR_RETURN(
            boxes, Improve(layer.solid.size(), boxes, effort, cancel));
      }
    }
    for (const Box& box : boxes) {
      result.push_back(internal::InBlock(layer, box));
    }
    return absl::OkStatus();
  };
  KILN_RETURN_IF_ERROR(
      internal::ForEachClassLayer(block, cancel, search_layer));
  CancelPoll poll(cancel);
  internal::SortBoxes(result, poll);
  if (poll.stopped()) return poll.ToStatus();
  return result;
}

}  // namespace kiln::core
