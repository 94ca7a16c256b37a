// client/bake_stream.h
//
// Many bakes over one stream: submitted one by one with an id, answered by a
// callback in order of completion. Cheaper per block than calls, and made for
// worlds that load; a call is for one answer that somebody waits for.

#ifndef KILN_CLIENT_BAKE_STREAM_H_
#define KILN_CLIENT_BAKE_STREAM_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bake.h"
#include "client/bake_client.h"
#include "client/options.h"

namespace kiln::client {

namespace internal {
class StreamEngine;
}  // namespace internal

// What became of a submission.
enum class Submitted : uint8_t {
  kAccepted,    // the callback will run for it, once
  kWouldBlock,  // too many are unanswered (StreamOptions): try again later
  kEnded,       // after Finish or Cancel
};

// Every accepted request ends in exactly one callback, also across busy
// answers and a server that goes away and comes back: what was not answered is
// sent again, until its own deadline.
//
// Threads: every method may be called from any thread. The callback runs on the
// client's I/O thread, under the rules of bake_client.h; it may submit more.
class BakeStream {
 public:
  // `id` is the caller's own, and may repeat.
  using Callback =
      std::function<void(uint64_t id, absl::StatusOr<BakeReply> reply)>;

  // Opens the stream with the first submission. Out-of-range options are
  // brought into range. Keeps the client's connection alive.
  BakeStream(const BakeClient& client, const StreamOptions& options,
             Callback callback);
  // Cancels, and returns after the last callback, unless it is run by one.
  ~BakeStream();
  BakeStream(const BakeStream&) = delete;
  BakeStream& operator=(const BakeStream&) = delete;

  // Never waits. Cost: that of BakeAsync; with kWouldBlock nothing is encoded.
  Submitted TrySubmit(uint64_t id, const BakeRequest& request,
                      const CallOptions& options = {});

  // Waits for room. Errors: kDeadlineExceeded if there was none within the
  // request's time, kCancelled after Finish or Cancel; then no callback runs.
  absl::Status Submit(uint64_t id, const BakeRequest& request,
                      const CallOptions& options = {});

  // Takes no more, and waits until every accepted request has had its callback:
  // no longer than the latest of their deadlines.
  absl::Status Finish();

  // Takes no more, and answers what is unanswered with kCancelled.
  void Cancel();

  // Requests accepted and not yet answered.
  int in_flight() const;

 private:
  const std::shared_ptr<internal::ClientState> state_;
  const std::shared_ptr<internal::StreamEngine> engine_;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BAKE_STREAM_H_
