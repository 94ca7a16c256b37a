// core/voxel/decode/decode_packed.h
//
// Entries of 1..32 bits in words of 32 or 64 bits: what Minecraft, Bedrock and
// litematic hold. Below 8 bits and with one class, several entries at a time go
// through one look-up; else entries are unpacked some hundred at a time.

#ifndef KILN_CORE_VOXEL_DECODE_DECODE_PACKED_H_
#define KILN_CORE_VOXEL_DECODE_DECODE_PACKED_H_

#include "absl/status/status.h"
#include "core/base/cancel.h"
#include "core/voxel/decode/axis_permute.h"
#include "core/voxel/decode/solidity.h"
#include "core/voxel/encoded_block.h"

namespace kiln::core::internal {

// Fills `voxels`, which is all air, from the payload of `block`. Bits that no
// entry uses are not looked at.
//
// Requires:  CheckLayout(block) is OK and the payload has PayloadBytes bytes.
// Errors:    as DecodeBlock's, those about contents; those of `cancel`.
absl::Status DecodePacked(const EncodedBlock& block,
                          const PackedPayload& payload,
                          const EntryClasses& classes,
                          const CancelToken& cancel, LinearVoxels& voxels);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_DECODE_DECODE_PACKED_H_
