#include "client/internal/grpc/bake_codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "kiln/v1/bake.pb.h"
#include "proto/wire/bake_wire.h"
#include "proto/wire/status_wire.h"

namespace kiln::client::internal {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

// Protobuf's own bound.
constexpr int64_t kMaxMessageBytes = INT32_MAX;

wire::Compression ToWire(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return wire::Compression::kNone;
    case Compression::kZlib:
      return wire::Compression::kZlib;
    case Compression::kZstd:
      return wire::Compression::kZstd;
    case Compression::kLz4:
      return wire::Compression::kLz4;
  }
  return wire::Compression::kNone;
}

template <typename Message>
bool Parse(grpc::ByteBuffer& message, Message& proto) {
  grpc::ProtoBufferReader reader(&message);
  return proto.ParseFromZeroCopyStream(&reader);
}

absl::StatusOr<std::vector<core::BakeResult>> ReadResults(
    const v1::BakeVoxelsResponse& response,
    const std::vector<core::Vec3i>& sizes) {
  if (static_cast<size_t>(response.results_size()) != sizes.size()) {
    return core::InternalError(
        absl::StrCat("answer: results: length ", response.results_size(),
                     " is not allowed; allowed: ", sizes.size()));
  }
  std::vector<core::BakeResult> results;
  results.reserve(sizes.size());
  for (int i = 0; i < response.results_size(); ++i) {
    auto result = wire::ResultFromProto(response.results(i),
                                        sizes[static_cast<size_t>(i)]);
    if (!result.ok()) {
      return core::WithContext(absl::StrCat("results[", i, "] of the "),
                               result.status());
    }
    results.push_back(*std::move(result));
  }
  return results;
}

// A field's tag, and a varint behind it; returns the end.
uint8_t* WriteVarint(int field, WireFormatLite::WireType type, uint64_t value,
                     uint8_t* out) {
  out = CodedOutputStream::WriteTagToArray(WireFormatLite::MakeTag(field, type),
                                           out);
  return CodedOutputStream::WriteVarint64ToArray(value, out);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const EncodedBake>> EncodeBake(
    const BakeRequest& request) {
  // The messages have no sign.
  if (request.recipe.effort < 0) {
    return core::RangeError("recipe.effort", request.recipe.effort, 0,
                            core::kMaxSearchEffort);
  }
  if (request.priority < 0) {
    return core::RangeError("priority", request.priority, 0,
                            core::kMaxPriority);
  }
  google::protobuf::Arena arena;
  auto* proto =
      google::protobuf::Arena::CreateMessage<v1::BakeVoxelsRequest>(&arena);
  core::BakeOptions options;
  options.lower_bound = request.lower_bound;
  options.tree = request.tree;
  wire::SendOptions send;
  send.compression = ToWire(request.compression);
  send.priority = request.priority;
  wire::RequestToProto(request.blocks, request.recipe, options, send, *proto);
  const auto bytes = static_cast<int64_t>(proto->ByteSizeLong());
  if (bytes > kMaxMessageBytes) {
    return core::RangeError("request bytes", bytes, 0, kMaxMessageBytes);
  }
  grpc::Slice slice(static_cast<size_t>(bytes));
  proto->SerializeWithCachedSizesToArray(const_cast<uint8_t*>(slice.begin()));
  std::vector<core::Vec3i> sizes;
  sizes.reserve(request.blocks.size());
  for (const core::BakeInput& input : request.blocks) {
    sizes.push_back(input.block.size);
  }
  return std::make_shared<const EncodedBake>(std::move(slice),
                                             std::move(sizes));
}

// Protobuf takes fields in any order, and this is the order it writes itself.
grpc::ByteBuffer EncodeStreamRequest(uint64_t id, const EncodedBake& request,
                                     uint32_t timeout_ms) {
  using Message = v1::BakeVoxelStreamRequest;
  std::array<uint8_t, 32> buffer;  // two tags of 1 byte, two varints of 10
  uint8_t* end =
      WriteVarint(Message::kIdFieldNumber, WireFormatLite::WIRETYPE_VARINT, id,
                  buffer.data());
  end = WriteVarint(Message::kRequestFieldNumber,
                    WireFormatLite::WIRETYPE_LENGTH_DELIMITED,
                    request.message().size(), end);
  std::array<grpc::Slice, 3> slices;
  slices[0] =
      grpc::Slice(buffer.data(), static_cast<size_t>(end - buffer.data()));
  slices[1] = request.message();
  end = WriteVarint(Message::kTimeoutMsFieldNumber,
                    WireFormatLite::WIRETYPE_VARINT, timeout_ms, buffer.data());
  slices[2] =
      grpc::Slice(buffer.data(), static_cast<size_t>(end - buffer.data()));
  return grpc::ByteBuffer(slices.data(), slices.size());
}

absl::StatusOr<std::vector<core::BakeResult>> DecodeResponse(
    const EncodedBake& request, grpc::ByteBuffer& message) {
  google::protobuf::Arena arena;
  auto* response =
      google::protobuf::Arena::CreateMessage<v1::BakeVoxelsResponse>(&arena);
  if (!Parse(message, *response)) {
    return core::InternalError("answer: not a BakeVoxelsResponse");
  }
  return ReadResults(*response, request.sizes());
}

absl::StatusOr<StreamAnswer> DecodeStreamResponse(
    grpc::ByteBuffer& message,
    const std::function<std::shared_ptr<const EncodedBake>(uint64_t)>&
        request_of) {
  google::protobuf::Arena arena;
  auto* response =
      google::protobuf::Arena::CreateMessage<v1::BakeVoxelStreamResponse>(
          &arena);
  if (!Parse(message, *response)) {
    return core::InternalError("answer: not a BakeVoxelStreamResponse");
  }
  StreamAnswer answer;
  answer.id = response->id();
  const std::shared_ptr<const EncodedBake> request = request_of(answer.id);
  if (request == nullptr) {
    return core::InternalError(
        absl::StrCat("answer: id ", answer.id, " waits for none"));
  }
  switch (response->answer_case()) {
    case v1::BakeVoxelStreamResponse::kResponse:
      answer.results = ReadResults(response->response(), request->sizes());
      break;
    case v1::BakeVoxelStreamResponse::kError:
      answer.results = wire::StatusFromProto(response->error());
      break;
    case v1::BakeVoxelStreamResponse::ANSWER_NOT_SET:
      answer.results = core::InternalError("answer: neither result nor error");
      break;
  }
  return answer;
}

}  // namespace kiln::client::internal
