#include "core/base/cancel.h"

#include "core/base/errors.h"

namespace kiln::core {

absl::Status CancelToken::ToStatus() const {
  if (!ShouldStop()) return absl::OkStatus();
  return state_->cancelled.load(std::memory_order_relaxed) ? CancelledError()
                                                           : DeadlineError();
}

}  // namespace kiln::core
