#include "server/rpc/unary_call.h"

#include <utility>

#include "proto/wire/status_wire.h"
#include "server/rpc/boundary.h"
#include "server/rpc/call_util.h"

namespace kiln::server {

void UnaryCall::Expect(BakeService::Lane& lane) {
  auto call = std::make_shared<UnaryCall>(lane);
  // gRPC hands this tag out only for calls that have been matched, so it keeps
  // nothing alive until then.
  call->context_.AsyncNotifyWhenDone(call->done_tag_.name());
  grpc::ServerCompletionQueue* queue = lane.io->queue();
  lane.service->grpc_methods().RequestBakeVoxels(
      &call->context_, &call->request_, &call->responder_, queue, queue,
      call->call_tag_.For(call));
}

UnaryCall::UnaryCall(BakeService::Lane& lane) : lane_(lane) {}

void UnaryCall::OnCall(bool ok) {
  if (!ok) return;  // the server shuts down
  done_tag_.For(shared_from_this());
  if (!lane_.io->closed()) Expect(lane_);
  const absl::Status status = CatchAll([this] { return Start(); });
  if (!status.ok()) Answer(status);
}

// Queues the request, or says why not.
absl::Status UnaryCall::Start() {
  const auto bytes = static_cast<int64_t>(request_.Length());
  absl::Status status = CheckMessage(request_, /*in_stream=*/false,
                                     lane_.service->options().request);
  if (!status.ok()) return status;
  auto request = std::make_unique<v1::BakeVoxelsRequest>();
  status = ParseMessage(request_, *request);
  if (!status.ok()) return status;
  request_.Clear();
  cancel_.emplace(DeadlineOf(context_));
  absl::StatusOr<std::shared_ptr<const Job>> job = lane_.service->StartBake(
      std::move(request), bytes, cancel_->token(),
      // On a worker: the bytes are made there, gRPC is called on its thread.
      [self = shared_from_this()](BakeAnswer answer) mutable {
        absl::StatusOr<grpc::ByteBuffer> encoded;
        const absl::Status caught = CatchAll([&] {
          encoded = answer.ok()
                        ? SerializeMessage(**answer)
                        : absl::StatusOr<grpc::ByteBuffer>(answer.status());
          return absl::OkStatus();
        });
        if (!caught.ok()) encoded = caught;
        IoThread& io = *self->lane_.io;
        io.Post([self = std::move(self), encoded = std::move(encoded)] {
          self->job_ = nullptr;
          self->Answer(encoded);
        });
      });
  if (job.ok()) job_ = *std::move(job);
  return job.status();
}

void UnaryCall::Answer(const absl::StatusOr<grpc::ByteBuffer>& answer) {
  if (lane_.io->closed()) return;
  void* tag = answer_tag_.For(shared_from_this());
  if (answer.ok()) {
    responder_.Finish(*answer, grpc::Status::OK, tag);
    return;
  }
  AddPushback(context_, answer.status());
  responder_.FinishWithError(wire::ToGrpcStatus(answer.status()), tag);
}

void UnaryCall::OnDone(bool /*ok*/) {
  // Also delivered after an answer; then there is no job any more.
  if (job_ == nullptr) return;
  cancel_->Cancel();
  lane_.service->scheduler().Cancelled(job_.get());
}

}  // namespace kiln::server
