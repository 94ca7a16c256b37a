#include "server/rpc/call_util.h"

#include <optional>
#include <string>

#include "grpc/support/time.h"
#include "proto/wire/status_wire.h"

namespace kiln::server {

std::chrono::steady_clock::time_point DeadlineOf(
    const grpc::ServerContext& context) {
  using std::chrono::steady_clock;
  const gpr_timespec deadline =
      gpr_convert_clock_type(context.raw_deadline(), GPR_CLOCK_MONOTONIC);
  const gpr_timespec left =
      gpr_time_sub(deadline, gpr_now(GPR_CLOCK_MONOTONIC));
  // A client without a deadline sends none; years are none either.
  constexpr int64_t forever_s = int64_t{10} * 365 * 24 * 3600;
  if (left.tv_sec > forever_s) return steady_clock::time_point::max();
  return steady_clock::now() + std::chrono::seconds(left.tv_sec) +
         std::chrono::nanoseconds(left.tv_nsec);
}

void AddPushback(grpc::ServerContext& context, const absl::Status& status) {
  if (const std::optional<std::string> value = wire::RetryPushback(status)) {
    context.AddTrailingMetadata(wire::kRetryPushbackTrailer, *value);
  }
}

}  // namespace kiln::server
