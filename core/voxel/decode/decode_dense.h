// core/voxel/decode/decode_dense.h
//
// Bitsets and arrays: payloads with a whole number of bytes an entry, or one
// bit. Entries packed into words: core/voxel/decode/decode_packed.h.

#ifndef KILN_CORE_VOXEL_DECODE_DECODE_DENSE_H_
#define KILN_CORE_VOXEL_DECODE_DECODE_DENSE_H_

#include "absl/status/status.h"
#include "core/base/cancel.h"
#include "core/voxel/decode/axis_permute.h"
#include "core/voxel/decode/solidity.h"
#include "core/voxel/encoded_block.h"

namespace kiln::core::internal {

// Fills `voxels`, which is all air, from the payload of `block`.
//
// Requires:  CheckLayout(block) is OK and the payload has PayloadBytes bytes.
// Errors:    as DecodeBlock's, those about contents; those of `cancel`.
absl::Status DecodeBitset(const EncodedBlock& block,
                          const BitsetPayload& payload,
                          const EntryClasses& classes, LinearVoxels& voxels);
absl::Status DecodeArray(const EncodedBlock& block, const ArrayPayload& payload,
                         const EntryClasses& classes, const CancelToken& cancel,
                         LinearVoxels& voxels);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_DECODE_DECODE_DENSE_H_
