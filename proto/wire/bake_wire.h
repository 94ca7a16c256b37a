// proto/wire/bake_wire.h
//
// Requests and results of the stateless rpcs. A request is read in two steps:
// its head on the I/O thread, cheap, for admission; each of its blocks on the
// worker that bakes it, because that may decompress megabytes.

#ifndef KILN_PROTO_WIRE_BAKE_WIRE_H_
#define KILN_PROTO_WIRE_BAKE_WIRE_H_

#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/bake/baker.h"
#include "core/bake/recipe.h"
#include "core/base/limits.h"
#include "core/geometry/vec3.h"
#include "google/protobuf/io/zero_copy_stream.h"
#include "kiln/v1/bake.pb.h"
#include "proto/wire/compression.h"
#include "proto/wire/voxel_wire.h"

namespace kiln::wire {

// What an operator allows one request; errors name the flag given beside each.
// Bytes are counted as they are in the message (max_message_bytes) and as they
// are after decompression (max_raw_bytes).
struct RequestLimits {
  int64_t max_message_bytes = int64_t{64} << 20;  // --max_message_bytes
  int64_t max_raw_bytes = int64_t{256} << 20;     // --max_request_raw_bytes
  int64_t max_blocks = 4096;                      // --max_blocks_per_request
  int64_t max_cost = int64_t{1} << 31;            // --max_request_cost
};

// What admission needs to know of a request.
struct RequestHead {
  core::Recipe recipe;
  core::BakeOptions options;  // without `cancel`
  int priority = core::kDefaultPriority;
  int64_t blocks = 0;
  int64_t cost = 0;       // core::EstimatedCost of all blocks
  int64_t raw_bytes = 0;  // that decompression will make, of all blocks
};

// Checks everything of `request` that can be told without reading a payload:
// recipe, limits, and the layout of each block and neighbour.
//
// Errors:      kInvalidArgument naming the field ("blocks[3].block.size.x:
//              ...") or the limit and its flag.
// Cost:        O(blocks), allocates nothing: fit for an I/O thread.
// Threads:     pure function, as all here.
absl::StatusOr<RequestHead> HeadFromProto(const v1::BakeVoxelsRequest& request,
                                          const RequestLimits& limits);

// OverLimitError with --max_message_bytes, or OK: for a message whose size is
// known before it is parsed.
absl::Status CheckMessageBytes(int64_t bytes, const RequestLimits& limits);

// Counts the blocks of a serialized BakeVoxelsRequest (or, with `in_stream`,
// BakeVoxelStreamRequest) and refuses more than limits.max_blocks. To be asked
// before the message is parsed: two bytes of an empty block become some hundred
// bytes of an object.
//
// Errors:      kInvalidArgument naming the limit and its flag. Bytes that are
//              no message pass: parsing them says so.
// Cost:        O(blocks), allocates nothing.
absl::Status CheckBlockCount(google::protobuf::io::ZeroCopyInputStream& bytes,
                             bool in_stream, const RequestLimits& limits);

// One block ready to bake. The input's spans point into the message it was made
// from, which must outlive it, and into `store`.
struct WireInput {
  core::BakeInput input;
  PayloadStore store;
};

// Decompresses what is compressed. What is left to check is done by core::Bake.
//
// Errors:      kInvalidArgument naming the field relative to the BlockInput
//              ("neighbours.plus_x.plane.packed.words.data: ..."); the caller
//              prefixes "blocks[i].".
absl::StatusOr<std::unique_ptr<WireInput>> InputFromProto(
    const v1::BlockInput& block);

// Cannot fail. `echo` is the input the result belongs to: its chunk and voxel
// size are handed back. Replaces what is in `proto`.
void ResultToProto(const core::BakeResult& result, const core::Recipe& recipe,
                   const v1::BlockInput& echo, v1::BoxSet& proto);

// How a client sends a request.
struct SendOptions {
  Compression compression = Compression::kNone;  // of dense payloads
  int priority = core::kDefaultPriority;         // 0..7
};

// Cannot fail; nothing is validated that the server will. Replaces what is in
// `proto`. Cost: copies the payloads.
void RequestToProto(std::span<const core::BakeInput> inputs,
                    const core::Recipe& recipe,
                    const core::BakeOptions& options, const SendOptions& send,
                    v1::BakeVoxelsRequest& proto);

// The result of a bake of a block of `block_size`.
//
// Errors:      kInternal ("answer: bounds[7]: ...") for anything that no honest
//              server sends: boxes outside the block, not in canonical order or
//              twice the same, lists of unequal length, an outcome that does
//              not match, hashes that are not 16 bytes, a tree that is not one.
//              What a caller's code could stumble over is checked; that the
//              boxes are right is not, and disjointness neither.
absl::StatusOr<core::BakeResult> ResultFromProto(const v1::BoxSet& proto,
                                                 const core::Vec3i& block_size);

}  // namespace kiln::wire

#endif  // KILN_PROTO_WIRE_BAKE_WIRE_H_
