// server/health/health_service.h
//
// grpc.health.v1.Health on our own I/O threads. gRPC brings one of its own, on
// its callback threads: those sleep after a quiet second, and while awake they
// take turns with ours at the sockets, which costs a switch of threads for one
// message in six. Answered here, health is also proof that calls are.

#ifndef KILN_SERVER_HEALTH_HEALTH_SERVICE_H_
#define KILN_SERVER_HEALTH_HEALTH_SERVICE_H_

#include <memory>
#include <set>
#include <vector>

#include "grpc/health/v1/health.grpc.pb.h"
#include "server/health/health.h"
#include "server/rpc/completion.h"

namespace kiln::server {

class WatchCall;

// Threads: Publish from any; the rest as said.
class HealthService {
 public:
  using Methods = grpc::health::v1::Health::AsyncService;

  // What calls of one I/O thread share. Used on that thread only.
  struct Lane {
    HealthService* service = nullptr;
    IoThread* io = nullptr;
    std::set<WatchCall*> watches;  // open ones
  };

  // Requires: `health` outlives all calls.
  explicit HealthService(const Health& health) : health_(health) {}

  grpc::Service* grpc_service() { return &grpc_; }
  Methods& grpc_methods() { return grpc_; }
  const Health& health() const { return health_; }

  // Makes calls ready to be matched on `io`. Requires: the server has started,
  // the thread not.
  void AddLane(IoThread& io);
  // Tells open watches that the health has changed. Requires: the lanes'
  // threads run.
  void Publish();

 private:
  const Health& health_;
  Methods grpc_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_HEALTH_HEALTH_SERVICE_H_
