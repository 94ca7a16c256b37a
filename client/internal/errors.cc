#include "client/internal/errors.h"

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"

namespace kiln::client::internal {

absl::Status AddressError(absl::string_view address) {
  return core::FieldError("address", absl::StrCat("\"", address, "\""),
                          "host:port with a port of 1..65535, or inproc:");
}

absl::Status BlockingCallError(absl::string_view function) {
  return absl::FailedPreconditionError(absl::StrCat(
      function, ": would wait for ever in a callback; use BakeAsync there"));
}

absl::Status ResponseTooLargeError(int64_t bytes, int64_t limit) {
  return absl::InvalidArgumentError(absl::StrCat(
      "response: ", bytes, " bytes is over the limit; allowed: 0..", limit,
      " (raise ClientOptions::max_response_bytes, or bake fewer blocks at a "
      "time)"));
}

absl::Status RequestTooLargeError(int64_t bytes, int64_t limit) {
  return core::OverLimitError("bytes of the message", bytes, limit / 2,
                              "max_message_bytes");
}

absl::Status AfterAttempts(const absl::Status& status, int attempts) {
  if (attempts <= 1) return status;
  return core::WithContext(absl::StrCat("after ", attempts, " attempts: "),
                           status);
}

absl::Status DeadlineAfter(const absl::Status& deadline,
                           const absl::Status& last, int attempts) {
  if (last.ok()) return deadline;
  return absl::DeadlineExceededError(
      absl::StrCat(deadline.message(), "; attempt ", attempts,
                   " was under way, the one before it: ", last.message()));
}

}  // namespace kiln::client::internal
