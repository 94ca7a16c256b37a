// core/voxel/decode/block_decoder.h
//
// From any encoding to occupancy bits and classes, row by row: no decoder
// expands a block to one integer a voxel.

#ifndef KILN_CORE_VOXEL_DECODE_BLOCK_DECODER_H_
#define KILN_CORE_VOXEL_DECODE_BLOCK_DECODER_H_

#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "core/voxel/encoded_block.h"
#include "core/voxel/voxel_block.h"
#include "core/voxel/voxel_view.h"

namespace kiln::core {

// Returns the normalized block that `encoded` describes.
//
// Errors:      kInvalidArgument naming the field as the wire spells it
//              ("size.x", "packed.bits_per_entry", "palette"), its value and
//              the allowed range: sizes out of 1..256, a payload of the wrong
//              length, an entry beyond the palette, a coordinate outside the
//              block, bits too few for the palette, a bit set beyond the last
//              voxel, an id of the solidity named twice, boxes that cover
//              the block more than 64 times. Those of `cancel`.
// Guarantees:  equal contents give equal blocks whatever the encoding and axis
//              order. Nothing larger than the block's bits (and class bytes,
//              where classes are asked for) is allocated, and nothing before
//              the size has been checked.
// Cost:        one pass over the payload.
// Threads:     pure function.
absl::StatusOr<VoxelBlock> DecodeBlock(const EncodedBlock& encoded,
                                       const CancelToken& cancel = {});

// Packs the voxels of `view`, each an id, into a block without copying them
// first. `T` is uint8_t, uint16_t or uint32_t. Same errors, with the field
// names "view.size.x", "view.data" and "solidity".
template <typename T>
absl::StatusOr<VoxelBlock> BlockFromView(const VoxelView<T>& view,
                                         const Solidity& solidity = {});

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_DECODE_BLOCK_DECODER_H_
