// proto/wire/voxel_wire.h
//
// kiln.v1.VoxelBlock <-> core::EncodedBlock. Checked here is what only the wire
// has: open enums, 32-bit sizes, compression. Whether the parts of a block fit
// one another is core's rule (core/voxel/decode/payload_layout.h), asked from
// here.

#ifndef KILN_PROTO_WIRE_VOXEL_WIRE_H_
#define KILN_PROTO_WIRE_VOXEL_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "core/geometry/vec3.h"
#include "core/voxel/encoded_block.h"
#include "kiln/v1/voxel.pb.h"
#include "proto/wire/compression.h"

namespace kiln::wire {

// Owns the bytes that decompression made. Their addresses stay what they are
// for as long as this lives, also when it is moved.
class PayloadStore {
 public:
  // Uninitialised bytes.
  std::span<uint8_t> Allocate(size_t bytes);

 private:
  std::vector<std::unique_ptr<uint8_t[]>> buffers_;
};

// What a block will take, known before its payload is touched.
struct BlockShape {
  core::Vec3i size;
  int64_t raw_bytes = 0;  // of a compressed payload; 0 where it is not
};

// Checks everything of `block` that can be told without reading its payload:
// sizes, enums, widths, list lengths, and byte counts, raw_bytes among them.
//
// Errors:      kInvalidArgument naming the field relative to the block
//              ("packed.words.raw_bytes: ...").
// Cost:        O(1), allocates nothing: fit for an I/O thread.
// Threads:     pure function, as all here.
absl::StatusOr<BlockShape> CheckBlock(const v1::VoxelBlock& block);

// The same checks, then the block itself. Its spans point into `block` or,
// where the payload was compressed, into `store`; both must outlive it.
//
// Errors:      also kInvalidArgument for a damaged compressed payload, or one
//              that does not give raw_bytes. The contents are not yet checked:
//              that is DecodeBlock's.
// Guarantees:  takes exactly raw_bytes of memory, after all checks.
absl::StatusOr<core::EncodedBlock> BlockFromProto(const v1::VoxelBlock& block,
                                                  PayloadStore& store);

// Cannot fail. A dense payload is compressed where that makes it smaller.
// Replaces what is in `block`.
void BlockToProto(const core::EncodedBlock& encoded, Compression compression,
                  v1::VoxelBlock& block);

}  // namespace kiln::wire

#endif  // KILN_PROTO_WIRE_VOXEL_WIRE_H_
