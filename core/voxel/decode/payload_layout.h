// core/voxel/decode/payload_layout.h
//
// What can be told of a block without reading its payload: whether its parts
// fit one another, and how many bytes it must have. Not how many it has:
// whoever holds the bytes, perhaps still compressed, compares that.

#ifndef KILN_CORE_VOXEL_DECODE_PAYLOAD_LAYOUT_H_
#define KILN_CORE_VOXEL_DECODE_PAYLOAD_LAYOUT_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/geometry/vec3.h"
#include "core/voxel/encoded_block.h"

namespace kiln::core {

// kInvalidArgument ("size.x: ...") unless each edge is 1..kMaxBlockEdgeVoxels.
// Until this has passed, nothing is multiplied with a size.
absl::Status CheckBlockSize(const Vec3i& size);

// Whether size, widths, list lengths and palette of `encoded` go together: all
// that DecodeBlock refuses without reading a voxel, except for the number of
// payload bytes (PayloadBytes).
//
// Errors:      those of DecodeBlock.
// Cost:        O(1), allocates nothing: fit for an I/O thread.
absl::Status CheckLayout(const EncodedBlock& encoded);

// Exact number of bytes of a dense payload (bitset, array, packed) of a block
// of `size`; 0 for the others, which carry no bytes. Only the widths of
// `payload` are read, not its bytes.
//
// Requires:    CheckBlockSize(size) is OK.
// Errors:      kInvalidArgument for a width that does not exist
//              ("packed.bits_per_entry: ...").
absl::StatusOr<int64_t> PayloadBytes(const Payload& payload, const Vec3i& size);

// Where the bytes of a dense payload are, as the wire spells it: "bitset.bits",
// "array.entries", "packed.words".
absl::string_view PayloadBytesField(const Payload& payload);

// How a payload's byte count follows from the size, for messages: "4096 voxels
// of 4 bits in 64-bit words". Requires: as PayloadBytes.
std::string DescribePayload(const Payload& payload, const Vec3i& size);

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_DECODE_PAYLOAD_LAYOUT_H_
