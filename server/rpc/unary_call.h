// server/rpc/unary_call.h
//
// One BakeVoxels call, from the moment gRPC may match it to its last operation.
// Lives on one I/O thread; keeps itself alive through its tags.

#ifndef KILN_SERVER_RPC_UNARY_CALL_H_
#define KILN_SERVER_RPC_UNARY_CALL_H_

#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/async_unary_call.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/bake_service.h"
#include "server/rpc/completion.h"

namespace kiln::server {

// States: ready -> OnCall: refused or queued -> answered -> OnAnswered. A
// cancel (OnDone) may come at any point after OnCall; the answer then goes
// nowhere.
class UnaryCall : public std::enable_shared_from_this<UnaryCall> {
 public:
  // Makes one call ready to be matched.
  static void Expect(BakeService::Lane& lane);

  // Only for Expect.
  explicit UnaryCall(BakeService::Lane& lane);

 private:
  void OnCall(bool ok);
  void OnDone(bool ok);
  void OnAnswered(bool /*ok*/) {}

  absl::Status Start();
  void Answer(const absl::StatusOr<grpc::ByteBuffer>& answer);

  BakeService::Lane& lane_;
  grpc::ServerContext context_;
  grpc::ByteBuffer request_;
  grpc::ServerAsyncResponseWriter<grpc::ByteBuffer> responder_{&context_};
  std::optional<core::CancelSource> cancel_;
  std::shared_ptr<const Job> job_;

  CallTag<UnaryCall> call_tag_{&UnaryCall::OnCall};
  CallTag<UnaryCall> done_tag_{&UnaryCall::OnDone};
  CallTag<UnaryCall> answer_tag_{&UnaryCall::OnAnswered};
};

}  // namespace kiln::server

#endif  // KILN_SERVER_RPC_UNARY_CALL_H_
