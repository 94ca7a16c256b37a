// server/health/health_calls.h
//
// The calls of grpc.health.v1.Health, each on one I/O thread and kept alive by
// its tags, as unary_call.h and stream_call.h are.

#ifndef KILN_SERVER_HEALTH_HEALTH_CALLS_H_
#define KILN_SERVER_HEALTH_HEALTH_CALLS_H_

#include <memory>
#include <optional>

#include "grpc/health/v1/health.pb.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/async_stream.h"
#include "grpcpp/support/async_unary_call.h"
#include "server/health/health_service.h"
#include "server/rpc/completion.h"

namespace kiln::server {

// One Check: the status now; NOT_FOUND for a name that is none of ours.
class CheckCall : public std::enable_shared_from_this<CheckCall> {
 public:
  // Makes one call ready to be matched.
  static void Expect(HealthService::Lane& lane);

  // Only for Expect.
  explicit CheckCall(HealthService::Lane& lane) : lane_(lane) {}

 private:
  void OnCall(bool ok);
  void OnAnswered(bool /*ok*/) {}

  HealthService::Lane& lane_;
  grpc::ServerContext context_;
  grpc::health::v1::HealthCheckRequest request_;
  grpc::ServerAsyncResponseWriter<grpc::health::v1::HealthCheckResponse>
      responder_{&context_};
  CallTag<CheckCall> call_tag_{&CheckCall::OnCall};
  CallTag<CheckCall> answer_tag_{&CheckCall::OnAnswered};
};

// One Watch: the status now and after each change, until the client leaves or
// the server ends. A change that is undone before it could be written is left
// out.
class WatchCall : public std::enable_shared_from_this<WatchCall> {
 public:
  // Makes one call ready to be matched.
  static void Expect(HealthService::Lane& lane);

  // Only for Expect.
  explicit WatchCall(HealthService::Lane& lane) : lane_(lane) {}

  // Writes the status if it is not what was written last.
  void Tell();

 private:
  void OnCall(bool ok);
  void OnWritten(bool ok);
  void OnDone(bool ok);

  HealthService::Lane& lane_;
  grpc::ServerContext context_;
  grpc::health::v1::HealthCheckRequest request_;
  grpc::ServerAsyncWriter<grpc::health::v1::HealthCheckResponse> stream_{
      &context_};
  std::optional<grpc::health::v1::HealthCheckResponse::ServingStatus> told_;
  CallTag<WatchCall> call_tag_{&WatchCall::OnCall};
  CallTag<WatchCall> write_tag_{&WatchCall::OnWritten};
  CallTag<WatchCall> done_tag_{&WatchCall::OnDone};
};

}  // namespace kiln::server

#endif  // KILN_SERVER_HEALTH_HEALTH_CALLS_H_
