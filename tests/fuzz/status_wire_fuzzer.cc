// Error details from any bytes: never success, hints within their bounds.

#include <cstdint>
#include <string>

#include "core/base/check.h"
#include "core/base/errors.h"
#include "kiln/v1/status.pb.h"
#include "proto/wire/status_wire.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;  // NOLINT(google-build-using-namespace)
  const auto check = [](const absl::Status& status) {
    KILN_CHECK(!status.ok());
    const auto retry_after = core::RetryAfter(status);
    KILN_CHECK(!retry_after || (retry_after->count() >= 0 &&
                                *retry_after <= wire::kMaxRetryAfter));
    KILN_CHECK(core::RetryAfter(wire::FromGrpcStatus(
                   wire::ToGrpcStatus(status))) == retry_after);
  };
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check(wire::FromGrpcStatus(
      grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, bytes, bytes)));
  v1::Status message;
  if (message.ParseFromString(bytes)) check(wire::StatusFromProto(message));
  return 0;
}
