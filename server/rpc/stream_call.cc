#include "server/rpc/stream_call.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/base/errors.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "proto/wire/status_wire.h"
#include "server/rpc/boundary.h"
#include "server/rpc/call_util.h"

namespace kiln::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The id of a message that is too long to be parsed, or broken further on; so
// that its error can be its answer. nullopt where the bytes before the id are
// broken. Every client library writes the id first, so little is read.
std::optional<uint64_t> PeekId(const grpc::ByteBuffer& bytes) {
  using google::protobuf::internal::WireFormatLite;
  grpc::ByteBuffer copy = bytes;  // shares the slices
  grpc::ProtoBufferReader reader(&copy);
  if (!reader.status().ok()) return std::nullopt;
  google::protobuf::io::CodedInputStream input(&reader);
  constexpr uint32_t id_tag = v1::BakeVoxelStreamRequest::kIdFieldNumber << 3;
  for (uint32_t tag; (tag = input.ReadTag()) != 0;) {
    uint64_t id = 0;
    if (tag == id_tag) {
      if (!input.ReadVarint64(&id)) return std::nullopt;
      return id;
    }
    if (!WireFormatLite::SkipField(&input, tag)) return std::nullopt;
  }
  // A default of 0 is not written.
  if (input.ConsumedEntireMessage()) return 0;
  return std::nullopt;
}

grpc::ByteBuffer ErrorAnswer(uint64_t id, const absl::Status& status) {
  v1::BakeVoxelStreamResponse message;
  message.set_id(id);
  *message.mutable_error() = wire::StatusToProto(status);
  // An error is short (wire::kMaxStatusMessageBytes), so this cannot fail.
  return SerializeMessage(message).value_or(grpc::ByteBuffer());
}

// The bytes of a request's answer, whatever happens on the way.
grpc::ByteBuffer EncodeAnswer(uint64_t id, BakeAnswer answer) {
  absl::StatusOr<grpc::ByteBuffer> bytes;
  const absl::Status caught = CatchAll([&] {
    if (!answer.ok()) return answer.status();
    v1::BakeVoxelStreamResponse message;
    message.set_id(id);
    message.set_allocated_response(answer->release());
    bytes = SerializeMessage(message);
    return bytes.status();
  });
  return caught.ok() ? *std::move(bytes) : ErrorAnswer(id, caught);
}

}  // namespace

void StreamCall::Expect(BakeService::Lane& lane) {
  auto call = std::make_shared<StreamCall>(lane);
  call->context_.AsyncNotifyWhenDone(call->done_tag_.name());
  grpc::ServerCompletionQueue* queue = lane.io->queue();
  lane.service->grpc_methods().RequestBakeVoxelStream(
      &call->context_, &call->stream_, queue, queue, call->call_tag_.For(call));
}

StreamCall::StreamCall(BakeService::Lane& lane) : lane_(lane) {}

StreamCall::~StreamCall() = default;

void StreamCall::OnCall(bool ok) {
  if (!ok) return;  // the server shuts down
  done_tag_.For(shared_from_this());
  lane_.streams.insert(this);
  deadline_ = DeadlineOf(context_);
  if (lane_.io->closed()) return;
  Expect(lane_);
  // Now, not with the first answer: the client learns that it is served. And
  // gRPC would not send metadata that travel with a message that may wait.
  stream_.SendInitialMetadata(metadata_tag_.For(shared_from_this()));
  if (lane_.draining) Drain();
  Proceed();
}

void StreamCall::OnRead(bool ok) {
  if (!ok) {
    input_ended_ = true;
  } else if (!stopped()) {
    const absl::Status status = CatchAll([this] { return HandleMessage(); });
    incoming_.Clear();
    if (!status.ok()) {
      input_ended_ = true;
      end_status_ = status;
    }
  }
  Proceed();
}

// Answers what is wrong with one request. An error means that the stream cannot
// go on.
absl::Status StreamCall::HandleMessage() {
  v1::BakeVoxelStreamRequest message;
  absl::Status status = CheckMessage(incoming_, /*in_stream=*/true,
                                     lane_.service->options().request);
  if (status.ok()) status = ParseMessage(incoming_, message);
  if (!status.ok()) {
    const std::optional<uint64_t> id = PeekId(incoming_);
    if (!id) return status;
    AnswerError(*id, status);
    return absl::OkStatus();
  }
  status = CatchAll([&] { return StartRequest(message); });
  if (!status.ok()) AnswerError(message.id(), status);
  return absl::OkStatus();
}

absl::Status StreamCall::StartRequest(v1::BakeVoxelStreamRequest& message) {
  const uint64_t id = message.id();
  const uint64_t number = arrivals_++;
  auto deadline = deadline_;
  if (message.timeout_ms() > 0) {
    deadline = std::min(
        deadline, steady_clock::now() + milliseconds(message.timeout_ms()));
  }
  core::CancelSource cancel(deadline);
  message
      .mutable_request();  // an unset one is an empty one, and refused as such
  absl::StatusOr<std::shared_ptr<const Job>> job = lane_.service->StartBake(
      std::unique_ptr<v1::BakeVoxelsRequest>(message.release_request()),
      static_cast<int64_t>(incoming_.Length()), cancel.token(),
      // On a worker: the bytes are made there, gRPC is called on its thread.
      [self = shared_from_this(), id, number](BakeAnswer answer) mutable {
        IoThread& io = *self->lane_.io;
        io.Post([self = std::move(self), number,
                 bytes = EncodeAnswer(id, std::move(answer))] {
          self->in_flight_.erase(number);
          self->Put(bytes);
          self->ProceedSoon();
        });
      });
  if (!job.ok()) return job.status();
  in_flight_.emplace(number, InFlight{cancel, *std::move(job)});
  return absl::OkStatus();
}

void StreamCall::AnswerError(uint64_t id, const absl::Status& status) {
  Put(ErrorAnswer(id, status));
}

void StreamCall::Put(const grpc::ByteBuffer& answer) {
  if (!stopped()) outbox_.push_back(answer);
}

void StreamCall::OnWritten(bool ok) {
  if (!ok) outbox_.clear();  // the peer is gone; OnDone follows
  Proceed();
}

bool StreamCall::HasRoom() const {
  const auto unanswered =
      in_flight_.size() + outbox_.size() + (write_tag_.under_way() ? 1 : 0);
  return unanswered <
         static_cast<size_t>(lane_.service->options().max_stream_in_flight);
}

// So that all answers of a turn are in the outbox before one is written.
void StreamCall::ProceedSoon() {
  if (std::exchange(will_proceed_, true)) return;
  lane_.io->Post([self = shared_from_this()] {
    self->will_proceed_ = false;
    self->Proceed();
  });
}

void StreamCall::Proceed() {
  if (stopped() || finishing_) return;
  if (!write_tag_.under_way() && !outbox_.empty()) {
    const grpc::ByteBuffer answer = std::move(outbox_.front());
    outbox_.pop_front();
    // With another to follow it need not leave yet: one system call for both.
    grpc::WriteOptions options;
    if (!outbox_.empty()) options.set_buffer_hint();
    stream_.Write(answer, options, write_tag_.For(shared_from_this()));
  }
  const bool idle =
      in_flight_.empty() && outbox_.empty() && !write_tag_.under_way();
  if (input_ended_ && idle) {
    finishing_ = true;
    stream_.Finish(wire::ToGrpcStatus(end_status_),
                   finish_tag_.For(shared_from_this()));
  } else if (!input_ended_ && !read_tag_.under_way() && HasRoom()) {
    stream_.Read(&incoming_, read_tag_.For(shared_from_this()));
  }
}

void StreamCall::Drain() {
  // What the client may still send gets no answer of its own: the status of the
  // stream says that it was not done.
  if (!input_ended_) {
    input_ended_ = true;
    end_status_ = core::UnavailableError("the server is draining");
  }
  Proceed();
}

void StreamCall::OnDone(bool /*ok*/) {
  lane_.streams.erase(this);
  if (!context_.IsCancelled()) return;
  cancelled_ = true;
  outbox_.clear();
  // Jobs that end at once post their answer; nothing here changes meanwhile.
  for (auto& [number, request] : in_flight_) {
    request.cancel.Cancel();
    lane_.service->scheduler().Cancelled(request.job.get());
  }
}

}  // namespace kiln::server
