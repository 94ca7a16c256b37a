// server/health.h
//
// What grpc.health.v1 says. Two questions are kept apart: "liveness" (is the
// process worth keeping? yes, until it stops, however long its queue) and
// readiness, under "" and the service's own name (should it get more work? not
// while it drains or its queue does not move).

#ifndef KILN_SERVER_HEALTH_H_
#define KILN_SERVER_HEALTH_H_

#include "core/base/mutex.h"
#include "grpcpp/health_check_service_interface.h"

namespace kiln::server {

// Threads: all methods may be called concurrently.
class Health {
 public:
  // Takes over what the server says from now on. `service` outlives this, or
  // nullptr is set before it goes.
  void SetService(grpc::HealthCheckServiceInterface* service);
  void SetStuck(bool stuck);
  void SetDraining();

 private:
  void Publish() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  core::Mutex mutex_;
  grpc::HealthCheckServiceInterface* service_ ABSL_GUARDED_BY(mutex_) = nullptr;
  bool stuck_ ABSL_GUARDED_BY(mutex_) = false;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_HEALTH_H_
