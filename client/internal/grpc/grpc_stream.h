// client/internal/grpc/grpc_stream.h
//
// One BakeVoxelStream call.

#ifndef KILN_CLIENT_INTERNAL_GRPC_GRPC_STREAM_H_
#define KILN_CLIENT_INTERNAL_GRPC_GRPC_STREAM_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

#include "client/connection.h"
#include "client/internal/grpc/bake_codec.h"
#include "client/internal/grpc/cq_loop.h"
#include "client/internal/grpc/grpc_status.h"
#include "core/base/mutex.h"
#include "grpcpp/client_context.h"
#include "grpcpp/generic/generic_stub.h"

namespace kiln::client::internal {

// Writes and reads go on independently; at most one of each is under way, as
// gRPC demands. The call ends when reading ends, whatever is still unwritten.
class GrpcStream : public StreamAttempt,
                   public Op,
                   public std::enable_shared_from_this<GrpcStream> {
 public:
  GrpcStream(CqLoop* loop, int64_t max_response_bytes,
             const AttemptOptions& options, StreamEvents events);

  void Start(grpc::GenericStub& stub);

  void Send(uint64_t id, std::shared_ptr<const PreparedBake> request,
            Clock::time_point deadline) override;
  void HalfClose() override;
  void Cancel() override;  // of Attempt and of Op

 private:
  // A tag for each kind of event.
  struct Event : CqEvent {
    Event(GrpcStream* stream_in, void (GrpcStream::*handler_in)(bool))
        : stream(stream_in), handler(handler_in) {}
    void Proceed(bool ok) override { (stream->*handler)(ok); }
    GrpcStream* const stream;
    void (GrpcStream::*const handler)(bool);
  };
  struct Waiting {
    std::shared_ptr<const EncodedBake> request;
    Clock::time_point deadline;
  };

  void OnStarted(bool ok);
  void OnWritten(bool ok);
  void OnRead(bool ok);
  void OnFinished(bool ok);

  void WriteNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Hands out the answer in read_buffer_; false where it is none of ours.
  bool Answer();
  void Finish();
  // The event whose tag has come is over; ends the operation after the last.
  void EventDone();

  CqLoop* const loop_;
  const StreamEvents events_;
  const int64_t max_response_bytes_;
  const Clock::time_point deadline_;
  Event started_{this, &GrpcStream::OnStarted};
  Event written_{this, &GrpcStream::OnWritten};
  Event read_{this, &GrpcStream::OnRead};
  Event finished_{this, &GrpcStream::OnFinished};

  grpc::ClientContext context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;

  // Of the I/O thread.
  grpc::ByteBuffer read_buffer_;
  grpc::Status status_;
  absl::Status broken_;  // why we gave the stream up ourselves

  core::Mutex mutex_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;  // writes may be started
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool half_closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  int events_due_ ABSL_GUARDED_BY(mutex_) = 0;
  std::deque<uint64_t> unsent_ ABSL_GUARDED_BY(mutex_);
  std::unordered_map<uint64_t, Waiting> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_GRPC_GRPC_STREAM_H_
