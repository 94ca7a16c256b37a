#include "core/voxel/boxes/lower_bound.h"

#include <cstdint>

#include "core/base/cancel_poll.h"
#include "core/base/status_macros.h"
#include "core/voxel/boxes/class_layers.h"
#include "core/voxel/boxes/lower_bound_points.h"

namespace kiln::core {
namespace {

absl::StatusOr<int64_t> SumOverClasses(const VoxelBlock& block,
                                       internal::BoundOf kind,
                                       const CancelToken& cancel) {
  CancelPoll poll(cancel);
  int64_t bound = 0;
  const auto add_layer =
      [&](const internal::ClassLayer& layer) -> absl::Status {
    bound += internal::BoundByPoints(layer.solid, kind, poll);
    return poll.stopped() ? poll.ToStatus() : absl::OkStatus();
  };
  KILN_RETURN_IF_ERROR(internal::ForEachClassLayer(block, cancel, add_layer));
  return bound;
}

}  // namespace

absl::StatusOr<int64_t> BoxCountLowerBound(const VoxelBlock& block,
                                           const CancelToken& cancel) {
  return SumOverClasses(block, internal::BoundOf::kCovers, cancel);
}

absl::StatusOr<int64_t> PartitionCountLowerBound(const VoxelBlock& block,
                                                 const CancelToken& cancel) {
  return SumOverClasses(block, internal::BoundOf::kPartitions, cancel);
}

}  // namespace kiln::core
