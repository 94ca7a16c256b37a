// client/internal/errors.h
//
// The statuses that only the client makes; all others are core/base/errors.h.

#ifndef KILN_CLIENT_INTERNAL_ERRORS_H_
#define KILN_CLIENT_INTERNAL_ERRORS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kiln::client::internal {

// "address: x is not allowed; allowed: ...". kInvalidArgument.
absl::Status AddressError(absl::string_view address);

// A call that waits was made in a callback, where waiting would never end.
// kFailedPrecondition.
absl::Status BlockingCallError(absl::string_view function);

// A response over ClientOptions::max_response_bytes. kInvalidArgument: the same
// request would fail again.
absl::Status ResponseTooLargeError(int64_t bytes, int64_t limit);

// A request that gRPC at the server would not take in at all; its limit is
// twice that of the flag. kInvalidArgument.
absl::Status RequestTooLargeError(int64_t bytes, int64_t limit);

// `status` of the last of several attempts, saying how many there were. Code
// and payloads are kept.
absl::Status AfterAttempts(const absl::Status& status, int attempts);

// `deadline`, a kDeadlineExceeded, that also says why the last complete attempt
// had failed, if one had (`last` not OK).
absl::Status DeadlineAfter(const absl::Status& deadline,
                           const absl::Status& last, int attempts);

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_ERRORS_H_
