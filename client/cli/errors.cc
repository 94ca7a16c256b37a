#include "client/cli/errors.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace kiln::client {
namespace {

constexpr char kUsageUrl[] = "kiln/usage";

}  // namespace

absl::Status UsageError(absl::string_view message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kUsageUrl, absl::Cord());
  return status;
}

absl::Status UsageError(const absl::Status& status) {
  return status.ok() ? status : UsageError(status.message());
}

bool IsUsageError(const absl::Status& status) {
  return status.GetPayload(kUsageUrl).has_value();
}

absl::Status SomeFilesFailedError(int failed, int total) {
  return absl::FailedPreconditionError(
      absl::StrCat(failed, " of ", total, " files failed"));
}

}  // namespace kiln::client
