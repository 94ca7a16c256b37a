// A VoxelBlock from any bytes: what is taken can be decoded, encoded again and
// decoded to the same block.

#include <cstdint>

#include "core/base/check.h"
#include "core/voxel/decode/block_decoder.h"
#include "kiln/v1/voxel.pb.h"
#include "proto/wire/voxel_wire.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;  // NOLINT(google-build-using-namespace)
  v1::VoxelBlock message;
  if (!message.ParseFromArray(data, static_cast<int>(size))) return 0;
  const auto shape = wire::CheckBlock(message);
  // A large block says no more than a small one, but later.
  if (shape.ok() && core::Volume(shape->size) > 1 << 16) return 0;
  wire::PayloadStore store;
  const auto block = wire::BlockFromProto(message, store);
  KILN_CHECK(shape.ok() || !block.ok());
  if (!block.ok()) {
    KILN_CHECK(absl::IsInvalidArgument(block.status()));
    return 0;
  }
  const auto decoded = core::DecodeBlock(*block);
  if (!decoded.ok()) {
    KILN_CHECK(absl::IsInvalidArgument(decoded.status()));
    return 0;
  }
  v1::VoxelBlock again;
  wire::BlockToProto(*block, wire::Compression::kZstd, again);
  wire::PayloadStore again_store;
  const auto again_block = wire::BlockFromProto(again, again_store);
  KILN_CHECK(again_block.ok());
  const auto again_decoded = core::DecodeBlock(*again_block);
  KILN_CHECK(again_decoded.ok() && *again_decoded == *decoded);
  return 0;
}
