#include "server/health/health.h"

#include <utility>

#include "server/log/log.h"

namespace kiln::server {

void Health::OnChange(std::function<void()> on_change) {
  core::MutexLock lock(mutex_);
  on_change_ = std::move(on_change);
}

void Health::SetStuck(bool stuck) {
  Log(stuck ? LogLevel::kWarn : LogLevel::kInfo,
      stuck ? "queue_stuck" : "queue_moves");
  core::MutexLock lock(mutex_);
  stuck_ = stuck;
  if (on_change_) on_change_();
}

void Health::SetDraining() {
  core::MutexLock lock(mutex_);
  draining_ = true;
  if (on_change_) on_change_();
}

std::optional<bool> Health::IsServing(absl::string_view service) const {
  core::MutexLock lock(mutex_);
  if (service == "liveness") return true;
  if (service.empty() || service == "kiln.v1.BakeService") {
    return !stuck_ && !draining_;
  }
  return std::nullopt;
}

}  // namespace kiln::server
