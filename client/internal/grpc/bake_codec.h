// client/internal/grpc/bake_codec.h
//
// Requests and responses as gRPC byte buffers: a request is encoded once and
// sent as often as needed, and the bytes on the wire are known.

#ifndef KILN_CLIENT_INTERNAL_GRPC_BAKE_CODEC_H_
#define KILN_CLIENT_INTERNAL_GRPC_BAKE_CODEC_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "core/geometry/vec3.h"
#include "grpcpp/support/byte_buffer.h"

namespace kiln::client::internal {

// Threads: immutable.
class EncodedBake : public PreparedBake {
 public:
  EncodedBake(grpc::Slice message, std::vector<core::Vec3i> sizes)
      : message_(std::move(message)), sizes_(std::move(sizes)) {}

  int64_t bytes() const override {
    return static_cast<int64_t>(message_.size());
  }
  const grpc::Slice& message() const { return message_; }
  // Of the blocks, in order: results are checked against them.
  const std::vector<core::Vec3i>& sizes() const { return sizes_; }

 private:
  grpc::Slice message_;
  std::vector<core::Vec3i> sizes_;
};

// A BakeVoxelsRequest. Errors: kInvalidArgument for what a message cannot say:
// a negative effort or priority, 2 GiB or more.
absl::StatusOr<std::shared_ptr<const EncodedBake>> EncodeBake(
    const BakeRequest& request);

// A BakeVoxelStreamRequest around an encoded request, without copying it.
// `timeout_ms` 0: none.
grpc::ByteBuffer EncodeStreamRequest(uint64_t id, const EncodedBake& request,
                                     uint32_t timeout_ms);

// The results in a BakeVoxelsResponse to `request`.
// Errors: kInternal for anything that no honest server sends.
absl::StatusOr<std::vector<core::BakeResult>> DecodeResponse(
    const EncodedBake& request, grpc::ByteBuffer& message);

struct StreamAnswer {
  uint64_t id = 0;
  absl::StatusOr<std::vector<core::BakeResult>> results;
};

// A BakeVoxelStreamResponse. `request_of` gives the request with an id, or null
// where none waits. Errors: kInternal where the message is none, or answers
// nothing that was asked; what is wrong with its results is in the answer.
absl::StatusOr<StreamAnswer> DecodeStreamResponse(
    grpc::ByteBuffer& message,
    const std::function<std::shared_ptr<const EncodedBake>(uint64_t)>&
        request_of);

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_GRPC_BAKE_CODEC_H_
