#include "client/internal/connect.h"

#include <cstdint>
#include <string>

#include "absl/strings/numbers.h"
#include "client/internal/errors.h"
#include "client/internal/grpc/grpc_connection.h"
#include "client/internal/inproc/inproc_connection.h"
#include "core/base/errors.h"
#include "core/base/parallel.h"
#include "core/base/status_macros.h"

namespace kiln::client::internal {
namespace {

constexpr absl::string_view kInproc = "inproc:";
constexpr int kMaxThreads = 1024;  // of core::TaskArena
// gRPC takes times as 32-bit milliseconds; a day is more than any use.
constexpr int64_t kMaxTimeMs = 24 * 3600 * 1000;

absl::Status CheckMs(absl::string_view name, std::chrono::milliseconds value,
                     int64_t min) {
  if (value.count() >= min && value.count() <= kMaxTimeMs) {
    return absl::OkStatus();
  }
  return core::RangeError(name, value.count(), min, kMaxTimeMs);
}

}  // namespace

absl::Status CheckOptions(const ClientOptions& options) {
  const RetryOptions& retry = options.retry;
  KILN_RETURN_IF_ERROR(CheckMs("timeout", options.timeout, 1));
  KILN_RETURN_IF_ERROR(
      CheckMs("retry.initial_backoff", retry.initial_backoff, 1));
  KILN_RETURN_IF_ERROR(CheckMs("retry.max_backoff", retry.max_backoff, 1));
  KILN_RETURN_IF_ERROR(CheckMs("keepalive_time", options.keepalive_time, 1000));
  KILN_RETURN_IF_ERROR(
      CheckMs("keepalive_timeout", options.keepalive_timeout, 1));
  KILN_RETURN_IF_ERROR(
      CheckMs("min_reconnect_backoff", options.min_reconnect_backoff, 1));
  KILN_RETURN_IF_ERROR(
      CheckMs("max_reconnect_backoff", options.max_reconnect_backoff, 1));
  if (retry.max_attempts < 1) {
    return core::RangeError("retry.max_attempts", retry.max_attempts, 1,
                            INT32_MAX);
  }
  if (options.max_response_bytes < 1 ||
      options.max_response_bytes > INT32_MAX) {
    return core::RangeError("max_response_bytes", options.max_response_bytes, 1,
                            INT32_MAX);
  }
  if (options.inproc_threads < 0 || options.inproc_threads > kMaxThreads) {
    return core::RangeError("inproc_threads", options.inproc_threads, 0,
                            kMaxThreads);
  }
  return absl::OkStatus();
}

absl::Status CheckHostPort(absl::string_view address) {
  const size_t colon = address.rfind(':');
  if (colon == absl::string_view::npos || colon == 0) {
    return AddressError(address);
  }
  const absl::string_view host = address.substr(0, colon);
  const bool brackets = host.front() == '[' && host.back() == ']';
  int port = 0;
  if (!absl::SimpleAtoi(address.substr(colon + 1), &port) || port < 1 ||
      port > 65535 ||
      (host.find(':') != absl::string_view::npos && !brackets) ||
      host.find('/') != absl::string_view::npos) {
    return AddressError(address);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Connection>> MakeConnection(
    absl::string_view address, const ClientOptions& options) {
  KILN_RETURN_IF_ERROR(CheckOptions(options));
  if (address == kInproc) {
    return std::make_shared<InprocConnection>(options.inproc_threads > 0
                                                  ? options.inproc_threads
                                                  : core::AvailableCores());
  }
  KILN_RETURN_IF_ERROR(CheckHostPort(address));
  return MakeGrpcConnection(std::string(address), options);
}

}  // namespace kiln::client::internal
