// core/voxel/decode/decode_sparse.h
//
// Payloads that name places over a background: points and boxes. They name
// block coordinates, so the axis order does not concern them.

#ifndef KILN_CORE_VOXEL_DECODE_DECODE_SPARSE_H_
#define KILN_CORE_VOXEL_DECODE_DECODE_SPARSE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "core/base/cancel.h"
#include "core/voxel/decode/solidity.h"
#include "core/voxel/encoded_block.h"
#include "core/voxel/voxel_block.h"

namespace kiln::core::internal {

// Boxes of one payload may cover this many times the block's voxels in all.
// They may overlap, so without a bound a message of some megabytes could ask
// for hours of painting; sculpted blocks cover each voxel at most once.
inline constexpr int64_t kMaxBoxOverdraw = 64;

// Makes all of `block` class `cls`. Requires: it is all air, its classes are
// empty or as many as its voxels.
void FillBlock(uint8_t cls, VoxelBlock& block);

// Paints `payload` over `block`, which is all air.
//
// Requires:  CheckLayout is OK for the block.
// Errors:    as DecodeBlock's, those about contents; those of `cancel`.
absl::Status DecodePoints(const PointsPayload& payload,
                          const EntryClasses& classes,
                          const CancelToken& cancel, VoxelBlock& block);
absl::Status DecodeBoxes(const BoxesPayload& payload,
                         const EntryClasses& classes, const CancelToken& cancel,
                         VoxelBlock& block);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_DECODE_DECODE_SPARSE_H_
