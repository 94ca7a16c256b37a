// server/rpc/stream_call.h
//
// One BakeVoxelStream call: requests come in, answers go out in order of
// completion, each request gets exactly one. An error of a request is its
// answer; only what concerns the whole stream ends it.

#ifndef KILN_SERVER_RPC_STREAM_CALL_H_
#define KILN_SERVER_RPC_STREAM_CALL_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "absl/status/status.h"
#include "core/base/cancel.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/async_stream.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/bake_service.h"
#include "server/rpc/completion.h"

namespace kiln::server {

// At most one read and one write are under way. Unanswered requests (baking, or
// answered in the outbox) are bounded by --max_stream_in_flight: at the bound
// the stream is not read, and HTTP/2 flow control stops the client.
//
// Ends, once nothing is unanswered, with
//   OK                after the client's half-close
//   UNAVAILABLE       while draining
//   INVALID_ARGUMENT  after bytes that are no message and show no id to answer
// A cancel or a lost connection cancels all that is in flight.
class StreamCall : public std::enable_shared_from_this<StreamCall> {
 public:
  // Makes one call ready to be matched.
  static void Expect(BakeService::Lane& lane);

  // Only for Expect.
  explicit StreamCall(BakeService::Lane& lane);
  ~StreamCall();

  // Ends the stream once what is in flight is answered.
  void Drain();

 private:
  // A request whose answer is still being made.
  struct InFlight {
    core::CancelSource cancel;
    std::shared_ptr<const Job> job;
  };

  void OnCall(bool ok);
  void OnMetadataSent(bool /*ok*/) {}
  void OnRead(bool ok);
  void OnWritten(bool ok);
  void OnDone(bool ok);
  void OnFinished(bool /*ok*/) {}

  // What to do next: read, write, end.
  void Proceed();
  void ProceedSoon();
  absl::Status HandleMessage();
  absl::Status StartRequest(v1::BakeVoxelStreamRequest& message);
  void AnswerError(uint64_t id, const absl::Status& status);
  void Put(const grpc::ByteBuffer& answer);
  bool stopped() const { return cancelled_ || lane_.io->closed(); }
  bool HasRoom() const;

  BakeService::Lane& lane_;
  grpc::ServerContext context_;
  grpc::ServerAsyncReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer> stream_{
      &context_};
  grpc::ByteBuffer incoming_;
  std::chrono::steady_clock::time_point deadline_;

  std::map<uint64_t, InFlight> in_flight_;  // by number of arrival
  uint64_t arrivals_ = 0;
  std::deque<grpc::ByteBuffer> outbox_;
  bool input_ended_ = false;  // half-closed, or not to be read any more
  bool cancelled_ = false;
  bool will_proceed_ = false;
  absl::Status end_status_;  // what the stream ends with

  CallTag<StreamCall> call_tag_{&StreamCall::OnCall};
  CallTag<StreamCall> metadata_tag_{&StreamCall::OnMetadataSent};
  CallTag<StreamCall> read_tag_{&StreamCall::OnRead};
  CallTag<StreamCall> write_tag_{&StreamCall::OnWritten};
  CallTag<StreamCall> done_tag_{&StreamCall::OnDone};
  CallTag<StreamCall> finish_tag_{&StreamCall::OnFinished};
  bool finishing_ = false;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_RPC_STREAM_CALL_H_
