// client/connection.h
//
// The seam between the client and what carries its requests: gRPC, the core
// inside this process, or a mock (client/testing/mock_connection.h). A
// connection makes single attempts; deadlines over several attempts, retries
// and resending are decided above it, once for all of them.

#ifndef KILN_CLIENT_CONNECTION_H_
#define KILN_CLIENT_CONNECTION_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bake.h"

namespace kiln::client {

using Clock = std::chrono::steady_clock;

// A request in the form its connection sends: it holds nothing borrowed and can
// be sent any number of times. Threads: immutable.
class PreparedBake {
 public:
  virtual ~PreparedBake() = default;
  virtual int64_t bytes() const = 0;  // of the message; 0 where there is none
};

// How one attempt ended.
struct AttemptResult {
  absl::StatusOr<std::vector<core::BakeResult>> results;
  int64_t bytes_received = 0;
};
using AttemptDone = std::function<void(AttemptResult)>;

// An attempt on its way.
class Attempt {
 public:
  virtual ~Attempt() = default;
  // Makes it end soon, as kCancelled unless it has ended already. Threads: any.
  virtual void Cancel() = 0;
};

struct AttemptOptions {
  Clock::time_point deadline;
  // True: a server that cannot be reached is waited for until the deadline.
  // False: it fails the attempt at once with kUnavailable.
  bool wait_for_ready = false;
};

// What a stream tells its owner, on the I/O thread.
struct StreamEvents {
  // The answer to what was sent as `id`.
  std::function<void(uint64_t id, AttemptResult)> answer;
  // The last event: OK after HalfClose, else why the stream broke.
  std::function<void(absl::Status)> closed;
};

// One stream on its way; when it breaks its owner opens another.
// Threads: every method may be called from any thread.
class StreamAttempt {
 public:
  virtual ~StreamAttempt() = default;
  // Queues one request; never waits. Ignored once the stream is closed.
  virtual void Send(uint64_t id, std::shared_ptr<const PreparedBake> request,
                    Clock::time_point deadline) = 0;
  // Nothing more will be sent.
  virtual void HalfClose() = 0;
  virtual void Cancel() = 0;
};

// Threads: every method may be called from any thread.
class Connection {
 public:
  virtual ~Connection() = default;

  // Takes over all of `request` that is borrowed. Errors: kInvalidArgument for
  // what cannot be sent at all.
  virtual absl::StatusOr<std::shared_ptr<const PreparedBake>> Prepare(
      const BakeRequest& request) = 0;

  // Starts an attempt. `done` runs exactly once, on the I/O thread; after
  // Shutdown with kCancelled, and then perhaps before this returns.
  virtual std::shared_ptr<Attempt> StartBake(
      std::shared_ptr<const PreparedBake> request,
      const AttemptOptions& options, AttemptDone done) = 0;

  // Opens a stream. `events.closed` runs exactly once, on the I/O thread, after
  // the last `events.answer`; after Shutdown as StartBake's `done`.
  virtual std::shared_ptr<StreamAttempt> OpenStream(
      const AttemptOptions& options, StreamEvents events) = 0;

  // Blocks until the server answers or `deadline` has passed (kUnavailable).
  virtual absl::Status WaitUntilReady(Clock::time_point deadline) = 0;

  virtual Clock::time_point Now() const = 0;
  // Runs `task` on the I/O thread after `delay`; at once after Shutdown.
  virtual void RunAfter(Clock::duration delay, std::function<void()> task) = 0;
  virtual bool OnIoThread() const = 0;

  // Cancels everything. When it returns no callback runs any more, unless it is
  // called on the I/O thread: then they run after the current one.
  virtual void Shutdown() = 0;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_CONNECTION_H_
