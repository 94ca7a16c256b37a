// server/bake_service.h
//
// kiln.v1.BakeService as gRPC sees it, and the road each of its requests takes:
// size, parse, check, admit, queue, answer. How a call moves is unary_call.h
// and stream_call.h; what a request does is handlers/bake_handler.h.

#ifndef KILN_SERVER_BAKE_SERVICE_H_
#define KILN_SERVER_BAKE_SERVICE_H_

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "grpcpp/support/byte_buffer.h"
#include "kiln/v1/bake.grpc.pb.h"
#include "server/handlers/bake_handler.h"
#include "server/log/log_burst.h"
#include "server/options.h"
#include "server/rpc/completion.h"
#include "server/schedule/admission.h"
#include "server/schedule/scheduler.h"

namespace kiln::server {

class StreamCall;

// Raw methods: messages stay bytes until our own limit has been asked.
using RawBakeService = v1::BakeService::WithRawMethod_BakeVoxels<
    v1::BakeService::WithRawMethod_BakeVoxelStream<v1::BakeService::Service>>;

// The answer of a request: its response or its error.
using BakeAnswer = absl::StatusOr<std::unique_ptr<v1::BakeVoxelsResponse>>;

// Threads: StartBake from any; the rest as said.
class BakeService {
 public:
  // What calls of one I/O thread share. Used on that thread only.
  struct Lane {
    BakeService* service = nullptr;
    IoThread* io = nullptr;
    std::set<StreamCall*> streams;  // open ones
    bool draining = false;
  };

  // Requires: `admission` and `scheduler` outlive all calls.
  BakeService(const ServerOptions& options, Admission& admission,
              Scheduler& scheduler);
  ~BakeService();

  grpc::Service* grpc_service() { return &grpc_; }
  RawBakeService& grpc_methods() { return grpc_; }
  const ServerOptions& options() const { return options_; }
  Scheduler& scheduler() { return scheduler_; }

  // Makes calls ready to be matched on `io`. Requires: the server has started,
  // the thread not.
  void AddLane(IoThread& io);
  // Open streams end with UNAVAILABLE once what they have in flight is
  // answered. Requires: the lanes' threads run.
  void DrainStreams();

  // Checks and admits a request, and queues it or, if it is small, bakes it.
  // `done` is then called exactly once, from a worker, whichever thread ends
  // the job, or this one before the call returns; it must not throw. `cancel`
  // holds the request's deadline. Returns the job, for Scheduler::Cancelled, or
  // why the request is refused, in which case `done` is not called.
  absl::StatusOr<std::shared_ptr<const Job>> StartBake(
      std::unique_ptr<v1::BakeVoxelsRequest> request, int64_t message_bytes,
      const core::CancelToken& cancel, std::function<void(BakeAnswer)> done);

 private:
  const ServerOptions& options_;
  Admission& admission_;
  Scheduler& scheduler_;
  RawBakeService grpc_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  LogBurst refusals_{"refused_busy"};
};

// What can be told of a request before it is parsed: its bytes and its blocks.
// `in_stream`: it is a BakeVoxelStreamRequest.
// Errors: OverLimitError with the flag that raises the limit.
absl::Status CheckMessage(const grpc::ByteBuffer& bytes, bool in_stream,
                          const RequestOptions& limits);

// Reads a message; kInvalidArgument where the bytes are not one.
absl::Status ParseMessage(const grpc::ByteBuffer& bytes,
                          google::protobuf::Message& message);

// Writes a message. Errors: kInvalidArgument where it is longer than protobuf
// and gRPC can carry (2 GiB): the request asks for too much at once.
absl::StatusOr<grpc::ByteBuffer> SerializeMessage(
    const google::protobuf::Message& message);

}  // namespace kiln::server

#endif  // KILN_SERVER_BAKE_SERVICE_H_
