// client/cli/errors.h
//
// Statuses of the `kiln` tool's own making. A usage error is told apart from
// every other failure: it exits with 2, not 1, and points at the help.

#ifndef KILN_CLIENT_CLI_ERRORS_H_
#define KILN_CLIENT_CLI_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kiln::client {

// kInvalidArgument that IsUsageError recognizes.
absl::Status UsageError(absl::string_view message);
// The same with the message of another status.
absl::Status UsageError(const absl::Status& status);

bool IsUsageError(const absl::Status& status);

// At least one of several files failed; each has been reported already.
absl::Status SomeFilesFailedError(int failed, int total);

}  // namespace kiln::client

#endif  // KILN_CLIENT_CLI_ERRORS_H_
