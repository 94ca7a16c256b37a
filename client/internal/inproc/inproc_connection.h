// client/internal/inproc/inproc_connection.h
//
// "inproc:": requests served by the core inside this process, on worker threads
// of the connection's own. No gRPC, no messages; everything else as with a
// server. There is no admission: a caller's own requests wait for each other.

#ifndef KILN_CLIENT_INTERNAL_INPROC_INPROC_CONNECTION_H_
#define KILN_CLIENT_INTERNAL_INPROC_INPROC_CONNECTION_H_

#include <memory>

#include "client/connection.h"
#include "client/internal/inproc/io_loop.h"
#include "client/internal/op_registry.h"
#include "core/base/parallel.h"

namespace kiln::client::internal {

class InprocConnection : public Connection {
 public:
  // Requires: 1 <= threads <= 1024.
  explicit InprocConnection(int threads) : arena_(threads) {}
  ~InprocConnection() override { InprocConnection::Shutdown(); }

  absl::StatusOr<std::shared_ptr<const PreparedBake>> Prepare(
      const BakeRequest& request) override;
  std::shared_ptr<Attempt> StartBake(
      std::shared_ptr<const PreparedBake> request,
      const AttemptOptions& options, AttemptDone done) override;
  std::shared_ptr<StreamAttempt> OpenStream(const AttemptOptions& options,
                                            StreamEvents events) override;
  absl::Status WaitUntilReady(Clock::time_point deadline) override;

  Clock::time_point Now() const override { return Clock::now(); }
  void RunAfter(Clock::duration delay, std::function<void()> task) override;
  bool OnIoThread() const override { return loop_.OnThread(); }
  void Shutdown() override;

 private:
  OpRegistry ops_;
  IoLoop loop_;
  core::TaskArena arena_;  // last: its tasks use the others until they end
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_INPROC_INPROC_CONNECTION_H_
