// core/voxel/boxes/partition_kernel.h
//
// The ways to run the partition of box_partition.h: one plain, for any machine
// and any size, and one per instruction set that is worth its own code. All of
// them give the same boxes; the tests compare them byte by byte.
//
// The rule that they share: bits of a column run along y; slices of z are
// visited in order, columns by x, bits by y. The first free voxel starts a box,
// which grows as far as it can along y, then x, then z
// (docs/decisions/0004-partition-axis-order.md).

#ifndef KILN_CORE_VOXEL_BOXES_PARTITION_KERNEL_H_
#define KILN_CORE_VOXEL_BOXES_PARTITION_KERNEL_H_

#include <cstdint>
#include <span>

#include "core/base/cancel.h"
#include "core/geometry/vec3.h"
#include "core/voxel/bit_grid.h"
#include "core/voxel/box_set.h"
#include "core/voxel/voxel_view.h"

namespace kiln::core::internal {

// What to partition: either bits, all of class 1, or bytes.
struct PartitionSource {
  const BitGrid* bits = nullptr;
  VoxelView<uint8_t> bytes;  // where bits == nullptr
  bool by_class = false;     // a byte is a class; else any but 0 is class 1

  Vec3i size() const { return bits ? bits->size() : bytes.size(); }
  int ClassAt(int x, int y, int z) const {
    return by_class ? bytes.At(x, y, z) : 1;
  }
};

// Appends the boxes of `source` to `boxes`, in canonical order. Returns false,
// with some of them missing, once `cancel` stops.
//
// Threads: scratch is per thread; concurrent calls need no locking.
bool PartitionPlain(const PartitionSource& source, const CancelToken& cancel,
                    BoxSet& boxes);

// The same on machines with AVX2 and BMI2, for blocks of up to 64 voxels in
// height whose voxels lie side by side along x. Requires:
// CanPartitionAvx2(source).
bool CanPartitionAvx2(const PartitionSource& source);
bool PartitionAvx2(const PartitionSource& source, const CancelToken& cancel,
                   BoxSet& boxes);
// What it does with blocks that are more than 32 voxels high. Requires the
// same.
bool PartitionAvx2Sweep(const PartitionSource& source,
                        const CancelToken& cancel, BoxSet& boxes);

// Appends the boxes that start in one slice, which are ordered by x, then y, to
// `boxes` ordered by y, then x. Requires: every min y < height <= 256.
void AppendByY(std::span<const Box> slice, int height, BoxSet& boxes);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_BOXES_PARTITION_KERNEL_H_
