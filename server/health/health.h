// server/health/health.h
//
// What grpc.health.v1 says. Two questions are kept apart: "liveness" (is the
// process worth keeping? yes, until it stops, however long its queue) and
// readiness, under "" and the service's own name (should it get more work? not
// while it drains or its queue does not move).

#ifndef KILN_SERVER_HEALTH_HEALTH_H_
#define KILN_SERVER_HEALTH_HEALTH_H_

#include <functional>
#include <optional>

#include "absl/strings/string_view.h"
#include "core/base/mutex.h"

namespace kiln::server {

// Threads: all methods may be called concurrently.
class Health {
 public:
  // `on_change` is called after each change from now on, by whoever makes it.
  // It must not call back into this.
  void OnChange(std::function<void()> on_change);

  void SetStuck(bool stuck);
  void SetDraining();

  // Whether `service` serves; nullopt for a name that is none of ours.
  std::optional<bool> IsServing(absl::string_view service) const;

 private:
  mutable core::Mutex mutex_;
  std::function<void()> on_change_ ABSL_GUARDED_BY(mutex_);
  bool stuck_ ABSL_GUARDED_BY(mutex_) = false;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_HEALTH_HEALTH_H_
