#include "client/internal/grpc/grpc_status.h"

#include <cstdio>
#include <string>

#include "absl/strings/numbers.h"
#include "client/internal/errors.h"
#include "core/base/errors.h"
#include "proto/wire/status_wire.h"

namespace kiln::client::internal {
namespace {

// What gRPC itself says when a deadline has passed.
constexpr absl::string_view kGrpcDeadline = "Deadline Exceeded";

// "Received message larger than max (70000000 vs. 67108864)": the words of
// either side's gRPC, with the same code as busy. Which side it was is told by
// the numbers.
absl::Status TooLarge(const absl::Status& status, const CallFacts& facts) {
  long long bytes = 0, limit = 0;
  const std::string message(status.message());
  const size_t begin = message.find("larger than max (");
  if (begin == std::string::npos ||
      std::sscanf(message.c_str() + begin, "larger than max (%lld vs. %lld)",
                  &bytes, &limit) != 2) {
    return status;
  }
  const bool is_response =
      limit == facts.max_response_bytes && bytes != facts.request_bytes;
  return is_response ? ResponseTooLargeError(bytes, limit)
                     : RequestTooLargeError(bytes, limit);
}

// A busy server says how long to wait twice: in the status details and in a
// trailer. Either is obeyed.
void ReadPushback(const grpc::ClientContext& context, absl::Status& status) {
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto it = trailers.find(wire::kRetryPushbackTrailer);
  int64_t ms = 0;
  if (it == trailers.end() ||
      !absl::SimpleAtoi(absl::string_view(it->second.data(), it->second.size()),
                        &ms) ||
      ms < 0) {
    return;
  }
  core::SetRetryAfter(
      status, std::min(std::chrono::milliseconds(ms), wire::kMaxRetryAfter));
}

}  // namespace

absl::Status EndOfCall(const grpc::Status& status,
                       const grpc::ClientContext& context,
                       const CallFacts& facts) {
  absl::Status result = wire::FromGrpcStatus(status);
  switch (result.code()) {
    case absl::StatusCode::kOk:
      break;
    case absl::StatusCode::kResourceExhausted:
      if (!core::RetryAfter(result)) ReadPushback(context, result);
      if (!core::RetryAfter(result)) result = TooLarge(result, facts);
      break;
    case absl::StatusCode::kDeadlineExceeded:
      // The server may have said more, that it cannot be met for example.
      if (result.message() == kGrpcDeadline) result = core::DeadlineError();
      break;
    case absl::StatusCode::kCancelled:
      // A server that is shut down, or a proxy before it, cancels its calls;
      // for the caller, who did not, it is a server that went away.
      result = facts.cancelled
                   ? core::CancelledError()
                   : core::UnavailableError("the server ended the call");
      break;
    default:
      break;
  }
  return result;
}

gpr_timespec GrpcDeadline(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
      deadline - Clock::now());
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                      gpr_time_from_nanos(left.count(), GPR_TIMESPAN));
}

}  // namespace kiln::client::internal
