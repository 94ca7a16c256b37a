#include "client/internal/grpc/grpc_connection.h"

#include <atomic>
#include <utility>

#include "client/internal/grpc/bake_codec.h"
#include "client/internal/grpc/channel.h"
#include "client/internal/grpc/cq_loop.h"
#include "client/internal/grpc/grpc_status.h"
#include "client/internal/grpc/grpc_stream.h"
#include "core/base/errors.h"
#include "grpcpp/generic/generic_stub.h"
#include "kiln/v1/bake.grpc.pb.h"

namespace kiln::client::internal {
namespace {

constexpr char kBakeVoxels[] = "/kiln.v1.BakeService/BakeVoxels";

// One unary call. Requests and responses stay byte buffers up to here: typed
// stubs would encode again for each attempt.
class GrpcBake : public Attempt,
                 public Op,
                 public CqEvent,
                 public std::enable_shared_from_this<GrpcBake> {
 public:
  GrpcBake(std::shared_ptr<const EncodedBake> request, CqLoop* loop,
           int64_t max_response_bytes, const AttemptOptions& options,
           AttemptDone done)
      : request_(std::move(request)), loop_(loop), done_(std::move(done)) {
    facts_.request_bytes = request_->bytes();
    facts_.max_response_bytes = max_response_bytes;
    facts_.deadline = options.deadline;
    context_.set_deadline(GrpcDeadline(options.deadline));
    context_.set_wait_for_ready(options.wait_for_ready);
  }

  void Start(grpc::GenericStub& stub) {
    const grpc::ByteBuffer message(&request_->message(), 1);
    call_ =
        stub.PrepareUnaryCall(&context_, kBakeVoxels, message, loop_->queue());
    if (!loop_->Begin(shared_from_this())) {
      done_({core::CancelledError()});
      return;
    }
    call_->StartCall();
    call_->Finish(&response_, &status_, Tag());
  }

  void Cancel() override {
    cancelled_ = true;
    context_.TryCancel();
  }

  void Proceed(bool) override {
    AttemptResult result;
    if (status_.ok()) {
      result.bytes_received = static_cast<int64_t>(response_.Length());
      result.results = DecodeResponse(*request_, response_);
    } else {
      facts_.cancelled = cancelled_;
      result.results = EndOfCall(status_, context_, facts_);
    }
    const AttemptDone done = std::move(done_);
    done(std::move(result));
    loop_->End(this);  // may destroy this
  }

 private:
  const std::shared_ptr<const EncodedBake> request_;
  CqLoop* const loop_;
  AttemptDone done_;
  CallFacts facts_;
  std::atomic<bool> cancelled_{false};
  grpc::ClientContext context_;
  grpc::ByteBuffer response_;
  grpc::Status status_;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> call_;
};

class GrpcConnection : public Connection {
 public:
  GrpcConnection(const std::string& address, const ClientOptions& options)
      : max_response_bytes_(options.max_response_bytes),
        channel_(MakeChannel(address, options)),
        stub_(channel_) {}

  absl::StatusOr<std::shared_ptr<const PreparedBake>> Prepare(
      const BakeRequest& request) override {
    return EncodeBake(request);
  }

  std::shared_ptr<Attempt> StartBake(
      std::shared_ptr<const PreparedBake> request,
      const AttemptOptions& options, AttemptDone done) override {
    auto bake = std::make_shared<GrpcBake>(
        std::static_pointer_cast<const EncodedBake>(std::move(request)), &loop_,
        max_response_bytes_, options, std::move(done));
    bake->Start(stub_);
    return bake;
  }

  std::shared_ptr<StreamAttempt> OpenStream(const AttemptOptions& options,
                                            StreamEvents events) override {
    auto stream = std::make_shared<GrpcStream>(&loop_, max_response_bytes_,
                                               options, std::move(events));
    stream->Start(stub_);
    return stream;
  }

  absl::Status WaitUntilReady(Clock::time_point deadline) override {
    if (channel_->WaitForConnected(GrpcDeadline(deadline))) {
      return absl::OkStatus();
    }
    return core::UnavailableError("the server did not answer in time");
  }

  Clock::time_point Now() const override { return Clock::now(); }
  void RunAfter(Clock::duration delay, std::function<void()> task) override {
    loop_.RunAfter(delay, std::move(task));
  }
  bool OnIoThread() const override { return loop_.OnThread(); }
  void Shutdown() override { loop_.Shutdown(); }

 private:
  const int64_t max_response_bytes_;
  const std::shared_ptr<grpc::Channel> channel_;
  grpc::GenericStub stub_;
  CqLoop loop_;
};

}  // namespace

std::shared_ptr<Connection> MakeGrpcConnection(const std::string& address,
                                               const ClientOptions& options) {
  return std::make_shared<GrpcConnection>(address, options);
}

}  // namespace kiln::client::internal
