// client/bake_client.h
//
// The class applications hold to have blocks baked. "inproc:" as the address
// serves the same calls inside the process: same results to the byte, same
// errors, no server and no network.

#ifndef KILN_CLIENT_BAKE_CLIENT_H_
#define KILN_CLIENT_BAKE_CLIENT_H_

#include <chrono>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/bake.h"
#include "client/options.h"

namespace kiln::client {

class Connection;
namespace internal {
class BakeCall;
struct ClientState;
}  // namespace internal

// An asynchronous call on its way. A cheap copyable value; dropping it does not
// cancel the call. Threads: every method may be called from any thread.
class CallHandle {
 public:
  CallHandle() = default;
  explicit CallHandle(std::shared_ptr<internal::BakeCall> call);

  // Asks the call to end soon. Its callback still runs, once: with kCancelled,
  // or with the result that was already there. The server stops working on it.
  void Cancel() const;

 private:
  std::shared_ptr<internal::BakeCall> call_;
};

// A cheap copyable value; copies share one connection and one I/O thread.
//
// Errors of every call: kInvalidArgument (never retried) for what the server
// or the core refuses; kResourceExhausted when it stayed busy, kUnavailable
// when it could not be reached, kDeadlineExceeded, kCancelled; kInternal.
//
// Callbacks run on the client's I/O thread, one at a time. They should be
// short: while one runs no other result is delivered. They may start calls and
// cancel them, but not make a blocking one, which fails with
// kFailedPrecondition there.
//
// The last copy's destruction cancels all calls, and returns after their
// callbacks have run with kCancelled (so hold no lock that a callback takes).
// Where it happens in a callback, the others run after that one.
//
// Threads: every method may be called from any thread.
class BakeClient {
 public:
  // Does not wait for the server: the first call does, within its deadline.
  //
  // `address` is "host:port" (a name, an IPv4 address, an IPv6 address in
  // brackets) or "inproc:".
  // Errors: kInvalidArgument for any other address or an option out of range.
  static absl::StatusOr<BakeClient> Connect(absl::string_view address,
                                            const ClientOptions& options = {});

  // A client over a connection of the caller's: for tests of applications
  // (client/testing/mock_connection.h).
  BakeClient(std::shared_ptr<Connection> connection,
             const ClientOptions& options);

  // Bakes and waits for the result. All blocks or an error.
  absl::StatusOr<BakeReply> Bake(const BakeRequest& request,
                                 const CallOptions& options = {}) const;

  // Bakes without waiting. `callback` runs exactly once, never before this
  // function has been entered and perhaps before it returns.
  //
  // Cost: encodes the request on the calling thread ("inproc:": copies it).
  CallHandle BakeAsync(const BakeRequest& request, const CallOptions& options,
                       BakeCallback callback) const;

  // Blocks until the server answers, at most for `timeout`.
  // Errors: kUnavailable after that.
  absl::Status WaitUntilReady(std::chrono::milliseconds timeout) const;

 private:
  friend class BakeStream;

  std::shared_ptr<internal::ClientState> state_;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BAKE_CLIENT_H_
