// A BoxSet from any bytes, as a hostile server might send: what is taken comes
// back as the same message. The first three bytes are the block's size less 1.

#include <cstdint>

#include "core/base/check.h"
#include "kiln/v1/bake.pb.h"
#include "proto/wire/bake_wire.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;  // NOLINT(google-build-using-namespace)
  if (size < 3) return 0;
  const core::Vec3i block_size{data[0] + 1, data[1] + 1, data[2] + 1};
  v1::BoxSet message;
  if (!message.ParseFromArray(data + 3, static_cast<int>(size) - 3)) return 0;
  const auto result = wire::ResultFromProto(message, block_size);
  if (!result.ok()) {
    KILN_CHECK(absl::IsInternal(result.status()));
    return 0;
  }
  v1::BoxSet again;
  wire::ResultToProto(*result, core::Recipe(), {}, again);
  const auto again_result = wire::ResultFromProto(again, block_size);
  KILN_CHECK(again_result.ok() && again_result->boxes == result->boxes &&
             again_result->tree_nodes == result->tree_nodes &&
             again_result->content_hash == result->content_hash &&
             again_result->result_hash == result->result_hash);
  return 0;
}
