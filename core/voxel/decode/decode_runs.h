// core/voxel/decode/decode_runs.h
//
// Payloads that count equal voxels: runs along the payload's order, and columns
// with runs along y. Their cost goes with the runs, not with the voxels.

#ifndef KILN_CORE_VOXEL_DECODE_DECODE_RUNS_H_
#define KILN_CORE_VOXEL_DECODE_DECODE_RUNS_H_

#include "absl/status/status.h"
#include "core/base/cancel.h"
#include "core/voxel/decode/axis_permute.h"
#include "core/voxel/decode/solidity.h"
#include "core/voxel/encoded_block.h"

namespace kiln::core::internal {

// Fills `voxels`, which is all air, from the payload of a block.
//
// Requires:  CheckLayout is OK for the block.
// Errors:    as DecodeBlock's, those about contents; those of `cancel`.
absl::Status DecodeRuns(const RunsPayload& payload, const EntryClasses& classes,
                        const CancelToken& cancel, LinearVoxels& voxels);

// The same for columns. The voxels then lie in ColumnVoxelOrder(block order).
absl::Status DecodeColumns(const Vec3i& size, const ColumnsPayload& payload,
                           const EntryClasses& classes,
                           const CancelToken& cancel, LinearVoxels& voxels);

// y fastest, then x and z in the order in which columns follow one another.
AxisOrder ColumnVoxelOrder(AxisOrder order);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_DECODE_DECODE_RUNS_H_
