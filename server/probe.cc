#include "server/probe.h"

#include <chrono>
#include <memory>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "server/limits.h"

namespace kiln::server {

absl::Status Probe(const ProbeOptions& options) {
  namespace health = grpc::health::v1;
  const std::unique_ptr<health::Health::Stub> stub = health::Health::NewStub(
      grpc::CreateChannel(options.address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kProbeTimeout);
  health::HealthCheckRequest request;
  request.set_service(options.service);
  health::HealthCheckResponse response;
  const grpc::Status status = stub->Check(&context, request, &response);
  if (!status.ok()) {
    return core::UnavailableError(
        absl::StrCat(options.address, ": no answer: ", status.error_message()));
  }
  if (response.status() == health::HealthCheckResponse::SERVING) {
    return absl::OkStatus();
  }
  return core::UnavailableError(absl::StrCat(
      options.address, ": ",
      health::HealthCheckResponse::ServingStatus_Name(response.status())));
}

}  // namespace kiln::server
