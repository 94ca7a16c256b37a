#include "server/health/health_service.h"

#include "server/health/health_calls.h"

namespace kiln::server {

void HealthService::AddLane(IoThread& io) {
  lanes_.push_back(std::make_unique<Lane>());
  Lane& lane = *lanes_.back();
  lane.service = this;
  lane.io = &io;
  CheckCall::Expect(lane);
  WatchCall::Expect(lane);
}

void HealthService::Publish() {
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    lane->io->Post([lane = lane.get()] {
      for (WatchCall* watch : lane->watches) watch->Tell();
    });
  }
}

}  // namespace kiln::server
