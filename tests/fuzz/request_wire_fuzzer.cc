// A BakeVoxelsRequest from any bytes, read the way the server does.

#include <cstdint>

#include "core/base/check.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "kiln/v1/bake.pb.h"
#include "proto/wire/bake_wire.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;  // NOLINT(google-build-using-namespace)
  wire::RequestLimits limits;
  limits.max_blocks = 8;
  limits.max_raw_bytes = 1 << 20;
  limits.max_cost = 1 << 24;
  for (const bool in_stream : {false, true}) {
    google::protobuf::io::ArrayInputStream stream(data, static_cast<int>(size));
    const bool few = wire::CheckBlockCount(stream, in_stream, limits).ok();
    v1::BakeVoxelStreamRequest message;
    if (in_stream ? !message.ParseFromArray(data, static_cast<int>(size))
                  : !message.mutable_request()->ParseFromArray(
                        data, static_cast<int>(size))) {
      continue;
    }
    const v1::BakeVoxelsRequest& request = message.request();
    KILN_CHECK(few == (request.blocks_size() <= limits.max_blocks));
    const auto head = wire::HeadFromProto(request, limits);
    if (!head.ok()) {
      KILN_CHECK(absl::IsInvalidArgument(head.status()));
      continue;
    }
    KILN_CHECK(few && head->cost <= limits.max_cost &&
               head->raw_bytes <= limits.max_raw_bytes);
    for (const v1::BlockInput& block : request.blocks()) {
      const auto input = wire::InputFromProto(block);
      KILN_CHECK(input.ok() || absl::IsInvalidArgument(input.status()));
    }
  }
  return 0;
}
