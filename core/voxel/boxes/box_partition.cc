#include "core/voxel/boxes/box_partition.h"

#include <cstddef>
#include <utility>

#include "core/voxel/boxes/partition_kernel.h"

namespace kiln::core {
namespace {

using internal::PartitionSource;

// A thread keeps room for this many boxes (512 KiB) between two bakes.
constexpr size_t kMaxKeptBoxes = 65536;

bool Partition(const PartitionSource& source, const CancelToken& cancel,
               BoxSet& boxes) {
  boxes.clear();
  return internal::CanPartitionAvx2(source)
             ? internal::PartitionAvx2(source, cancel, boxes)
             : internal::PartitionPlain(source, cancel, boxes);
}

}  // namespace

absl::StatusOr<BoxSet> PartitionIntoBoxes(const VoxelBlock& block,
                                          const CancelToken& cancel) {
  PartitionSource source;
  if (block.classes.empty()) {
    source.bits = &block.occupancy;
  } else {
    source.bytes = DenseView(block.classes.data(), block.size());
    source.by_class = true;
  }
  // Boxes are gathered in memory that stays, so that the result is allocated
  // once and no larger than it is.
  thread_local BoxSet gathered;
  const bool finished = Partition(source, cancel, gathered);
  BoxSet boxes = gathered.capacity() > kMaxKeptBoxes
                     ? std::exchange(gathered, {})
                     : BoxSet(gathered);
  if (!finished) return cancel.ToStatus();
  return boxes;
}

void PartitionIntoBoxes(const VoxelView<uint8_t>& voxels, BoxSet& boxes) {
  PartitionSource source;
  source.bytes = voxels;
  Partition(source, {}, boxes);
}

}  // namespace kiln::core
