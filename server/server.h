// server/server.h
//
// A running kilnd: owns the listener, the rpcs, the workers and their lifetime.
// main.cc wraps a process around one; tests start as many as they like.

#ifndef KILN_SERVER_SERVER_H_
#define KILN_SERVER_SERVER_H_

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "core/base/parallel.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "server/bake_service.h"
#include "server/health/health.h"
#include "server/health/health_service.h"
#include "server/net/acceptor.h"
#include "server/options.h"
#include "server/rpc/completion.h"
#include "server/schedule/admission.h"
#include "server/schedule/scheduler.h"

namespace kiln::server {

// Threads: Start, Stop and the destructor by the owner; the rest from any.
class Server {
 public:
  // Binds, builds and serves: when it returns, calls are answered.
  // Errors: those of Acceptor::Listen; kUnavailable when the port file cannot
  //         be written.
  static absl::StatusOr<std::unique_ptr<Server>> Start(
      const ServerOptions& options);
  // Stops without waiting for work.
  ~Server();

  // "127.0.0.1:41234": what is listened on, with the port that was bound.
  const std::string& address() const { return acceptor_->address(); }
  int port() const { return acceptor_->port(); }
  int threads() const { return arena_.threads(); }
  int io_threads() const { return static_cast<int>(io_threads_.size()); }

  // Stops serving: not ready, no new connection and no new work (UNAVAILABLE),
  // then waits for what was accepted, at most `budget` in all. Calls that are
  // open after that are cancelled. Returns whether all accepted work was
  // answered. Has effect once.
  bool Stop(std::chrono::milliseconds budget);

  const Admission& admission() const { return admission_; }

 private:
  explicit Server(const ServerOptions& options);

  absl::Status Listen();
  absl::Status Build();
  absl::Status WritePortFile() const;
  bool WaitForWork(std::chrono::steady_clock::time_point until) const;

  const ServerOptions options_;
  core::TaskArena arena_;
  Admission admission_;
  Health health_;
  HealthService health_service_{health_};
  // Ended before the arena, and before anything its jobs use.
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<BakeService> service_;
  std::unique_ptr<Acceptor> acceptor_;
  std::vector<std::unique_ptr<IoThread>> io_threads_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections_;
  std::unique_ptr<grpc::Server> server_;  // goes before its queues
  bool stopped_ = false;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_SERVER_H_
