#include "server/health/health_calls.h"

namespace kiln::server {

using grpc::health::v1::HealthCheckResponse;

void CheckCall::Expect(HealthService::Lane& lane) {
  auto call = std::make_shared<CheckCall>(lane);
  grpc::ServerCompletionQueue* queue = lane.io->queue();
  lane.service->grpc_methods().RequestCheck(&call->context_, &call->request_,
                                            &call->responder_, queue, queue,
                                            call->call_tag_.For(call));
}

void CheckCall::OnCall(bool ok) {
  if (!ok || lane_.io->closed()) return;  // the server shuts down
  Expect(lane_);
  const std::optional<bool> serving =
      lane_.service->health().IsServing(request_.service());
  void* tag = answer_tag_.For(shared_from_this());
  if (!serving) {
    // The protocol says which code, so it is not one of core/base/errors.h.
    responder_.FinishWithError(
        grpc::Status(grpc::StatusCode::NOT_FOUND,
                     "service: allowed: \"\", liveness, kiln.v1.BakeService"),
        tag);
    return;
  }
  HealthCheckResponse response;
  response.set_status(*serving ? HealthCheckResponse::SERVING
                               : HealthCheckResponse::NOT_SERVING);
  responder_.Finish(response, grpc::Status::OK, tag);
}

void WatchCall::Expect(HealthService::Lane& lane) {
  auto call = std::make_shared<WatchCall>(lane);
  // Handed out only for calls that have been matched, so it keeps nothing alive
  // until then.
  call->context_.AsyncNotifyWhenDone(call->done_tag_.name());
  grpc::ServerCompletionQueue* queue = lane.io->queue();
  lane.service->grpc_methods().RequestWatch(&call->context_, &call->request_,
                                            &call->stream_, queue, queue,
                                            call->call_tag_.For(call));
}

void WatchCall::OnCall(bool ok) {
  if (!ok) return;  // the server shuts down
  done_tag_.For(shared_from_this());
  lane_.watches.insert(this);
  if (!lane_.io->closed()) Expect(lane_);
  Tell();
}

void WatchCall::Tell() {
  if (write_tag_.under_way() || lane_.io->closed()) return;
  const std::optional<bool> serving =
      lane_.service->health().IsServing(request_.service());
  HealthCheckResponse response;
  response.set_status(!serving   ? HealthCheckResponse::SERVICE_UNKNOWN
                      : *serving ? HealthCheckResponse::SERVING
                                 : HealthCheckResponse::NOT_SERVING);
  if (told_ == response.status()) return;
  told_ = response.status();
  stream_.Write(response, write_tag_.For(shared_from_this()));
}

void WatchCall::OnWritten(bool ok) {
  if (ok) Tell();
}

// A watch has no end of its own: the client has left, or the server's shutdown
// has cancelled it.
void WatchCall::OnDone(bool /*ok*/) { lane_.watches.erase(this); }

}  // namespace kiln::server
