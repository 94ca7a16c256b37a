#include "proto/wire/status_wire.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/errors.h"

namespace kiln::wire {
namespace {

constexpr char kRetryInfoUrl[] = "type.googleapis.com/google.rpc.RetryInfo";
constexpr absl::string_view kRetryInfoName = "/google.rpc.RetryInfo";

// gRPC's codes and Abseil's are the same numbers, 0..16.
constexpr int kMaxCode = 16;

// Protobuf strings must be UTF-8 and HTTP/2 likes ASCII: what is neither
// printable nor short does not leave the house.
std::string SafeMessage(absl::string_view message) {
  std::string safe(message.substr(0, kMaxStatusMessageBytes));
  for (char& c : safe) {
    if (c < ' ' || c > '~') c = '?';
  }
  return safe;
}

absl::Status MakeStatus(int code, absl::string_view message) {
  if (code < 0 || code > kMaxCode) {
    return absl::UnknownError(absl::StrCat("code ", code, ": ", message));
  }
  return absl::Status(static_cast<absl::StatusCode>(code), message);
}

std::chrono::milliseconds DelayOf(const v1::RetryInfo& info) {
  // Clamped before it is multiplied: the wire may say anything.
  constexpr int64_t max_seconds =
      std::chrono::duration_cast<std::chrono::seconds>(kMaxRetryAfter).count();
  const int64_t seconds =
      std::clamp<int64_t>(info.retry_delay().seconds(), 0, max_seconds);
  const int64_t ms = seconds * 1000 + info.retry_delay().nanos() / 1'000'000;
  return std::chrono::milliseconds(
      std::clamp<int64_t>(ms, 0, kMaxRetryAfter.count()));
}

void ReadDetails(const v1::Status& proto, absl::Status& status) {
  for (const google::protobuf::Any& detail : proto.details()) {
    v1::RetryInfo info;
    const std::string& url = detail.type_url();
    if (absl::EndsWith(absl::string_view(url.data(), url.size()),
                       kRetryInfoName) &&
        info.ParseFromString(detail.value())) {
      core::SetRetryAfter(status, DelayOf(info));
      return;
    }
  }
}

}  // namespace

std::optional<std::string> RetryPushback(const absl::Status& status) {
  const auto retry_after = core::RetryAfter(status);
  if (!retry_after) return std::nullopt;
  return absl::StrCat(retry_after->count());
}

v1::Status StatusToProto(const absl::Status& status) {
  v1::Status proto;
  proto.set_code(status.raw_code());
  proto.set_message(SafeMessage(status.message()));
  if (const auto retry_after = core::RetryAfter(status)) {
    v1::RetryInfo info;
    info.mutable_retry_delay()->set_seconds(retry_after->count() / 1000);
    info.mutable_retry_delay()->set_nanos(
        static_cast<int32_t>(retry_after->count() % 1000 * 1'000'000));
    google::protobuf::Any* detail = proto.add_details();
    detail->set_type_url(kRetryInfoUrl);
    detail->set_value(info.SerializeAsString());
  }
  return proto;
}

absl::Status StatusFromProto(const v1::Status& proto) {
  if (proto.code() == 0) {
    // Stands where an error is due: to take it for success would lose a result.
    return core::InternalError("an error with code 0");
  }
  absl::Status status = MakeStatus(proto.code(), proto.message());
  ReadDetails(proto, status);
  return status;
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const v1::Status proto = StatusToProto(status);
  const std::string details =
      proto.details().empty() ? std::string() : proto.SerializeAsString();
  return grpc::Status(static_cast<grpc::StatusCode>(proto.code()),
                      proto.message(), details);
}

absl::Status FromGrpcStatus(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  absl::Status result =
      MakeStatus(static_cast<int>(status.error_code()), status.error_message());
  v1::Status proto;
  if (!status.error_details().empty() &&
      proto.ParseFromString(status.error_details())) {
    ReadDetails(proto, result);
  }
  return result;
}

}  // namespace kiln::wire
