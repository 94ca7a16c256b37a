#include "server/bake_service.h"

#include <chrono>
#include <utility>

#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "grpcpp/support/proto_buffer_writer.h"
#include "server/log/log.h"
#include "server/rpc/boundary.h"
#include "server/rpc/stream_call.h"
#include "server/rpc/unary_call.h"

namespace kiln::server {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// One admitted request while it waits and is baked.
class BakeJob final : public Job {
 public:
  BakeJob(std::unique_ptr<BakeHandler> handler, Ticket ticket,
          int64_t block_cost, const core::CancelToken& cancel,
          std::function<void(BakeAnswer)> done)
      : handler_(std::move(handler)),
        ticket_(std::move(ticket)),
        block_cost_(block_cost),
        cancel_(cancel),
        done_(std::move(done)),
        begin_(steady_clock::now()) {}

  absl::Status RunBlock(int index) override {
    const auto begin = steady_clock::now();
    const absl::Status status = handler_->BakeBlock(index, cancel_);
    // A block that was broken off says nothing about the rate.
    if (status.ok()) {
      ticket_.BlockDone(block_cost_, steady_clock::now() - begin);
    }
    return status;
  }

  void Done(absl::Status status) override {
    if (LogEnabled(LogLevel::kDebug)) LogAnswer(status);
    ticket_.Release();
    if (status.ok()) {
      done_(handler_->TakeResponse());
    } else {
      done_(std::move(status));
    }
    handler_ = nullptr;
    done_ = nullptr;
  }

 private:
  void LogAnswer(const absl::Status& status) {
    const wire::RequestHead& head = handler_->head();
    Log(LogLevel::kDebug, "answered",
        {{"method", core::MethodName(head.recipe.method)},
         {"priority", head.priority},
         {"blocks", head.blocks},
         {"cost", head.cost},
         {"ms", duration_cast<milliseconds>(steady_clock::now() - begin_)},
         {"code", absl::StatusCodeToString(status.code())},
         {"message", status.message()}});
  }

  std::unique_ptr<BakeHandler> handler_;
  Ticket ticket_;
  const int64_t block_cost_;
  const core::CancelToken cancel_;
  std::function<void(BakeAnswer)> done_;
  const steady_clock::time_point begin_;
};

}  // namespace

BakeService::BakeService(const ServerOptions& options, Admission& admission,
                         Scheduler& scheduler)
    : options_(options), admission_(admission), scheduler_(scheduler) {}

BakeService::~BakeService() = default;

void BakeService::AddLane(IoThread& io) {
  lanes_.push_back(std::make_unique<Lane>());
  Lane& lane = *lanes_.back();
  lane.service = this;
  lane.io = &io;
  for (int i = 0; i < kCallsReady; ++i) {
    UnaryCall::Expect(lane);
    StreamCall::Expect(lane);
  }
}

void BakeService::DrainStreams() {
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    lane->io->Post([lane = lane.get()] {
      lane->draining = true;
      // A stream that ends leaves the set.
      const std::set<StreamCall*> streams = lane->streams;
      for (StreamCall* stream : streams) stream->Drain();
    });
  }
}

absl::StatusOr<std::shared_ptr<const Job>> BakeService::StartBake(
    std::unique_ptr<v1::BakeVoxelsRequest> request, int64_t message_bytes,
    const core::CancelToken& cancel, std::function<void(BakeAnswer)> done) {
  KILN_ASSIGN_OR_RETURN(
      std::unique_ptr<BakeHandler> handler,
      BakeHandler::Make(std::move(request), options_.request));
  const wire::RequestHead& head = handler->head();
  const int64_t block_cost = head.cost / head.blocks + kBlockOverheadCost;
  Demand demand;
  demand.cost = block_cost * head.blocks + kRequestOverheadCost;
  demand.bytes = message_bytes;
  demand.priority = head.priority;
  demand.deadline = cancel.deadline();
  const auto now = steady_clock::now();
  absl::StatusOr<Ticket> ticket = admission_.Admit(demand, now);
  if (!ticket.ok()) {
    if (absl::IsResourceExhausted(ticket.status())) {
      refusals_.Note(ticket.status().message(), now);
    }
    return ticket.status();
  }
  JobOptions options;
  options.blocks = handler->blocks();
  options.priority = head.priority;
  options.cancel = cancel;
  auto job = std::make_shared<BakeJob>(std::move(handler), *std::move(ticket),
                                       block_cost, cancel, std::move(done));
  const bool done_here =
      demand.cost <= kInlineCost && scheduler_.RunHere(*job, options);
  if (!done_here) scheduler_.Submit(job, options);
  return job;
}

absl::Status CheckMessage(const grpc::ByteBuffer& bytes, bool in_stream,
                          const RequestOptions& limits) {
  const wire::RequestLimits wire_limits = WireLimits(limits);
  KILN_RETURN_IF_ERROR(wire::CheckMessageBytes(
      static_cast<int64_t>(bytes.Length()), wire_limits));
  grpc::ByteBuffer copy = bytes;  // shares the slices
  grpc::ProtoBufferReader reader(&copy);
  if (!reader.status().ok()) return core::InternalError("unreadable buffer");
  return wire::CheckBlockCount(reader, in_stream, wire_limits);
}

absl::Status ParseMessage(const grpc::ByteBuffer& bytes,
                          google::protobuf::Message& message) {
  grpc::ByteBuffer copy =
      bytes;  // shares the slices; the reader wants a mutable
  grpc::ProtoBufferReader reader(&copy);
  if (reader.status().ok() && message.ParseFromZeroCopyStream(&reader)) {
    return absl::OkStatus();
  }
  return core::MalformedMessageError(message.GetTypeName());
}

absl::StatusOr<grpc::ByteBuffer> SerializeMessage(
    const google::protobuf::Message& message) {
  grpc::ByteBuffer bytes;
  bool own_buffer = false;
  const grpc::Status status = grpc::GenericSerialize<grpc::ProtoBufferWriter,
                                                     google::protobuf::Message>(
      message, &bytes, &own_buffer);
  if (status.ok()) return bytes;
  return core::OverLimitError("bytes of the response",
                              static_cast<int64_t>(message.ByteSizeLong()),
                              INT32_MAX, "max_blocks_per_request");
}

}  // namespace kiln::server
