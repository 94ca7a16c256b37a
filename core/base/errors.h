// core/base/errors.h
//
// Every status Kiln returns is made here, so that code, wording and test stay
// in one place. A message names the field, its value and what is allowed.
//
// Only BusyError is kResourceExhausted: it means "try again later" and always
// carries a retry hint. Whatever can never succeed is kInvalidArgument.

#ifndef KILN_CORE_BASE_ERRORS_H_
#define KILN_CORE_BASE_ERRORS_H_

#include <chrono>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kiln::core {

// "field: value is not allowed; allowed: 1..256". kInvalidArgument.
absl::Status FieldError(absl::string_view field, int64_t value,
                        absl::string_view allowed);
absl::Status FieldError(absl::string_view field, absl::string_view value,
                        absl::string_view allowed);

// "field: value out of range; allowed: min..max". kInvalidArgument.
absl::Status RangeError(absl::string_view field, int64_t value, int64_t min,
                        int64_t max);

// "field: 12 bytes, expected 16 (why)". kInvalidArgument.
absl::Status LengthError(absl::string_view field, int64_t actual,
                         int64_t expected, absl::string_view why);

// A limit that an operator can raise: names the limit, its value and its flag.
// kInvalidArgument, because repeating the request cannot help.
absl::Status OverLimitError(absl::string_view what, int64_t value,
                            int64_t limit, absl::string_view flag);

// Prefixes the message of a non-OK `status` with "context: "; code and payloads
// are kept. Used to turn "size.x: ..." into "blocks[3].size.x: ...", so
// `context` ends in "." where it is a path: no separator is added.
absl::Status WithContext(absl::string_view context, const absl::Status& status);

// kResourceExhausted with a retry hint (RetryAfter reads it back).
absl::Status BusyError(absl::string_view what,
                       std::chrono::milliseconds retry_after);

// The hint of a BusyError, or nullopt for any other status.
std::optional<std::chrono::milliseconds> RetryAfter(const absl::Status& status);
// Attaches a hint to `status` (the wire uses it when it reads RetryInfo).
void SetRetryAfter(absl::Status& status, std::chrono::milliseconds retry_after);

absl::Status CancelledError();
absl::Status DeadlineError();
// kDeadlineExceeded before any work was done: what is ahead of the request
// takes `needed`, and it has only `left`.
absl::Status DeadlineUnreachableError(std::chrono::milliseconds needed,
                                      std::chrono::milliseconds left);

// A file or stream that is not what it claims to be. kInvalidArgument with
// "what at byte offset: why".
absl::Status MalformedError(absl::string_view what, int64_t offset,
                            absl::string_view why);

// Bytes that are not a message of the type that was expected. kInvalidArgument.
absl::Status MalformedMessageError(absl::string_view type);

// Something outside our process failed (open, read, bind ...).
// kUnavailable / kNotFound / kPermissionDenied by errno.
absl::Status SystemError(absl::string_view what, int error_number);

// kUnavailable: the server cannot be reached or is going away.
absl::Status UnavailableError(absl::string_view what);

// Our own mistake, seen at a boundary.
absl::Status InternalError(absl::string_view what);

}  // namespace kiln::core

#endif  // KILN_CORE_BASE_ERRORS_H_
