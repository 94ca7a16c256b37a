// client/internal/inproc/stream_over_calls.h
//
// A stream for connections that have none: each request is an attempt of its
// own, answers come in order of completion all the same.

#ifndef KILN_CLIENT_INTERNAL_INPROC_STREAM_OVER_CALLS_H_
#define KILN_CLIENT_INTERNAL_INPROC_STREAM_OVER_CALLS_H_

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "client/connection.h"
#include "core/base/mutex.h"

namespace kiln::client::internal {

class StreamOverCalls : public StreamAttempt,
                        public std::enable_shared_from_this<StreamOverCalls> {
 public:
  // `connection` must outlive every call.
  StreamOverCalls(Connection* connection, StreamEvents events)
      : connection_(connection), events_(std::move(events)) {}

  void Send(uint64_t id, std::shared_ptr<const PreparedBake> request,
            Clock::time_point deadline) override;
  void HalfClose() override;
  void Cancel() override;

 private:
  void OnDone(uint64_t id, AttemptResult result);
  // Reports the end once nothing is under way and nothing will come.
  void CloseIfIdle();

  Connection* const connection_;
  const StreamEvents events_;

  core::Mutex mutex_;
  bool half_closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  // Null while StartBake has not returned.
  std::unordered_map<uint64_t, std::shared_ptr<Attempt>> attempts_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_INPROC_STREAM_OVER_CALLS_H_
