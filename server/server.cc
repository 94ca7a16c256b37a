#include "server/server.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/resource_quota.h"
#include "grpcpp/security/server_credentials.h"
#include "server/log/log.h"

namespace kiln::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

int Milliseconds(milliseconds duration) {
  return static_cast<int>(duration.count());
}

void Configure(const ServerOptions& options, grpc::ServerBuilder& builder) {
  // Between our limit and gRPC's our own error speaks: it names the flag, and
  // its code is not the one that means "busy".
  builder.SetMaxReceiveMessageSize(
      static_cast<int>(2 * options.request.max_message_bytes));
  builder.SetMaxSendMessageSize(-1);  // bounded by what is admitted
  builder.SetResourceQuota(grpc::ResourceQuota("kilnd").Resize(
      static_cast<size_t>(options.memory_quota_bytes)));
  // Only the reflection service is served by gRPC's own threads.
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);

  const KeepaliveOptions& keepalive = options.keepalive;
  const auto set = [&builder](const char* name, int value) {
    builder.AddChannelArgument(name, value);
  };
  set(GRPC_ARG_MAX_CONCURRENT_STREAMS, options.max_concurrent_streams);
  set(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, Milliseconds(kHandshakeTimeout));
  set(GRPC_ARG_KEEPALIVE_TIME_MS, Milliseconds(keepalive.time));
  set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Milliseconds(keepalive.timeout));
  set(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  set(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  set(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
      Milliseconds(keepalive.min_client_interval));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Start(
    const ServerOptions& options) {
  std::unique_ptr<Server> server(new Server(options));
  KILN_RETURN_IF_ERROR(server->Listen());
  KILN_RETURN_IF_ERROR(server->Build());
  KILN_RETURN_IF_ERROR(server->WritePortFile());
  return server;
}

Server::Server(const ServerOptions& options)
    : options_(options),
      arena_(options.threads > 0 ? options.threads : core::AvailableCores()),
      admission_(options.admission, arena_.threads()),
      scheduler_(std::make_unique<Scheduler>(
          arena_, options.stall,
          [this](bool stuck) { health_.SetStuck(stuck); })),
      service_(
          std::make_unique<BakeService>(options_, admission_, *scheduler_)) {}

Server::~Server() { Stop(milliseconds(0)); }

absl::Status Server::Listen() {
  KILN_ASSIGN_OR_RETURN(
      acceptor_, Acceptor::Listen(options_.listen, options_.max_connections));
  return absl::OkStatus();
}

absl::Status Server::Build() {
  // Called, not left to a static initializer: --as-needed would drop the
  // library.
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  Configure(options_, builder);
  builder.RegisterService(service_->grpc_service());
  builder.RegisterService(health_service_.grpc_service());
  connections_ = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
      grpc::InsecureServerCredentials());
  const int io_threads = options_.io_threads > 0
                             ? options_.io_threads
                             : std::clamp(threads() / 2, 1, kMaxIoThreads);
  for (int i = 0; i < io_threads; ++i) {
    io_threads_.push_back(
        std::make_unique<IoThread>(builder.AddCompletionQueue()));
  }
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) return core::InternalError("gRPC did not start");
  for (const std::unique_ptr<IoThread>& io : io_threads_) {
    service_->AddLane(*io);
    health_service_.AddLane(*io);
    io->Start();
  }
  health_.OnChange([this] { health_service_.Publish(); });
  acceptor_->Start([this](int listener_fd, int fd) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters
        connection;
    connection.listener_fd = listener_fd;
    connection.fd = fd;
    connections_->HandleNewConnection(&connection);
  });
  return absl::OkStatus();
}

// Readers wait for the file to appear, so it appears complete: by a rename.
absl::Status Server::WritePortFile() const {
  if (options_.port_file.empty()) return absl::OkStatus();
  const std::string draft = absl::StrCat(options_.port_file, ".tmp");
  std::ofstream file(draft);
  file << port() << "\n";
  file.close();
  if (!file || std::rename(draft.c_str(), options_.port_file.c_str()) != 0) {
    return core::SystemError(absl::StrCat("--port_file ", options_.port_file),
                             errno);
  }
  return absl::OkStatus();
}

bool Server::WaitForWork(steady_clock::time_point until) const {
  while (admission_.requests_inside() > 0) {
    if (steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

bool Server::Stop(milliseconds budget) {
  if (stopped_) return true;
  stopped_ = true;
  const auto begin = steady_clock::now();
  health_.SetDraining();
  admission_.StopAdmitting();
  if (acceptor_ != nullptr) acceptor_->Stop();
  bool all_answered = true;
  if (server_ != nullptr) {
    const auto last = begin + budget;
    const auto grace = std::min<milliseconds>(kShutdownGrace, budget / 2);
    service_->DrainStreams();
    all_answered = WaitForWork(last - grace);
    // With a deadline, for without one a single Health/Watch holds it for ever.
    server_->Shutdown(std::chrono::system_clock::now() + grace);
  }
  // Cancels what is left; from here on nothing is posted. It lives on: calls
  // that end now still ask it to drop their jobs.
  if (scheduler_ != nullptr) scheduler_->Stop();
  for (const std::unique_ptr<IoThread>& io : io_threads_) io->Stop();
  return all_answered;
}

}  // namespace kiln::server
