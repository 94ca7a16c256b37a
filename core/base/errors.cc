#include "core/base/errors.h"

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace kiln::core {
namespace {

// The hint travels as a status payload, so that core needs no protobuf type.
constexpr char kRetryAfterUrl[] = "kiln/retry-after-ms";

}  // namespace

absl::Status FieldError(absl::string_view field, int64_t value,
                        absl::string_view allowed) {
  return FieldError(field, absl::StrCat(value), allowed);
}

absl::Status FieldError(absl::string_view field, absl::string_view value,
                        absl::string_view allowed) {
  return absl::InvalidArgumentError(
      absl::StrCat(field, ": ", value, " is not allowed; allowed: ", allowed));
}

absl::Status RangeError(absl::string_view field, int64_t value, int64_t min,
                        int64_t max) {
  return FieldError(field, value, absl::StrCat(min, "..", max));
}

absl::Status LengthError(absl::string_view field, int64_t actual,
                         int64_t expected, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat(field, ": length ", actual,
                   " is not allowed; allowed: ", expected, " (", why, ")"));
}

absl::Status OverLimitError(absl::string_view what, int64_t value,
                            int64_t limit, absl::string_view flag) {
  return absl::InvalidArgumentError(
      absl::StrCat(what, ": ", value, " is over the limit; allowed: 0..", limit,
                   " (raise it with --", flag, ")"));
}

absl::Status WithContext(absl::string_view context,
                         const absl::Status& status) {
  if (status.ok()) return status;
  absl::Status result(status.code(), absl::StrCat(context, status.message()));
  status.ForEachPayload(
      [&result](absl::string_view url, const absl::Cord& payload) {
        result.SetPayload(url, payload);
      });
  return result;
}

absl::Status BusyError(absl::string_view what,
                       std::chrono::milliseconds retry_after) {
  absl::Status status = absl::ResourceExhaustedError(
      absl::StrCat(what, "; retry after ", retry_after.count(), " ms"));
  SetRetryAfter(status, retry_after);
  return status;
}

std::optional<std::chrono::milliseconds> RetryAfter(
    const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryAfterUrl);
  int64_t ms = 0;
  if (!payload || !absl::SimpleAtoi(std::string(*payload), &ms)) {
    return std::nullopt;
  }
  return std::chrono::milliseconds(ms);
}

void SetRetryAfter(absl::Status& status,
                   std::chrono::milliseconds retry_after) {
  status.SetPayload(kRetryAfterUrl,
                    absl::Cord(absl::StrCat(retry_after.count())));
}

absl::Status CancelledError() {
  return absl::CancelledError("cancelled by the caller");
}

absl::Status DeadlineError() {
  return absl::DeadlineExceededError("the deadline passed before the result");
}

absl::Status DeadlineUnreachableError(std::chrono::milliseconds needed,
                                      std::chrono::milliseconds left) {
  return absl::DeadlineExceededError(
      absl::StrCat("the deadline cannot be met: ", left.count(),
                   " ms are left, the queue takes ", needed.count(), " ms"));
}

absl::Status MalformedError(absl::string_view what, int64_t offset,
                            absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat(what, " at byte ", offset, ": ", why));
}

absl::Status MalformedMessageError(absl::string_view type) {
  return absl::InvalidArgumentError(
      absl::StrCat("the bytes sent are not a message of type ", type));
}

absl::Status SystemError(absl::string_view what, int error_number) {
  const std::string message =
      absl::StrCat(what, ": ", std::strerror(error_number));
  switch (error_number) {
    case ENOENT:
      return absl::NotFoundError(message);
    case EACCES:
    case EPERM:
      return absl::PermissionDeniedError(message);
    default:
      return absl::UnavailableError(message);
  }
}

absl::Status UnavailableError(absl::string_view what) {
  return absl::UnavailableError(what);
}

absl::Status InternalError(absl::string_view what) {
  return absl::InternalError(what);
}

}  // namespace kiln::core
