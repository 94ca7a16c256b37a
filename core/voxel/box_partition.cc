#include "core/voxel/box_partition.h"

#include "core/voxel/partition_kernel.h"

namespace kiln::core {
namespace {

using internal::PartitionSource;

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
  BoxSet boxes;
  if (!Partition(source, cancel, boxes)) return cancel.ToStatus();
  return boxes;
}

void PartitionIntoBoxes(const VoxelView<uint8_t>& voxels, BoxSet& boxes) {
  PartitionSource source;
  source.bytes = voxels;
  Partition(source, {}, boxes);
}

}  // namespace kiln::core
