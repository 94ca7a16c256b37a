#include "server/health.h"

#include "server/log/log.h"

namespace kiln::server {

void Health::SetService(grpc::HealthCheckServiceInterface* service) {
  core::MutexLock lock(mutex_);
  service_ = service;
  Publish();
}

void Health::SetStuck(bool stuck) {
  core::MutexLock lock(mutex_);
  stuck_ = stuck;
  Log(stuck ? LogLevel::kWarn : LogLevel::kInfo,
      stuck ? "queue_stuck" : "queue_moves");
  Publish();
}

void Health::SetDraining() {
  core::MutexLock lock(mutex_);
  draining_ = true;
  Publish();
}

void Health::Publish() {
  if (service_ == nullptr) return;
  const bool ready = !stuck_ && !draining_;
  service_->SetServingStatus("", ready);
  service_->SetServingStatus("kiln.v1.BakeService", ready);
  service_->SetServingStatus("liveness", true);
}

}  // namespace kiln::server
