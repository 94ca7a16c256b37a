#include "client/bench/callers/echo_server.h"

#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "grpcpp/generic/async_generic_service.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"

namespace kiln::client {
namespace {

constexpr int kCallsReady = 16;  // as kilnd's
constexpr int kMaxMessageBytes = 256 << 20;
constexpr std::chrono::milliseconds kShutdownTime{500};

// A call of either kind: read, then write, again and again; of a unary call the
// client sends one message only.
class EchoCall {
 public:
  EchoCall(grpc::AsyncGenericService* service,
           grpc::ServerCompletionQueue* queue)
      : service_(service), queue_(queue), stream_(&context_) {
    service_->RequestCall(&context_, &stream_, queue_, queue_, this);
  }

  // Destroys itself at the end.
  void Proceed(bool ok) {
    switch (state_) {
      case State::kRequested:
        if (!ok) break;  // the server shuts down
        new EchoCall(service_, queue_);
        PrepareAnswer();
        Read();
        return;
      case State::kReading:
        if (ok && is_unary_) {
          state_ = State::kFinishing;
          stream_.WriteAndFinish(answer_, {}, grpc::Status::OK, this);
        } else if (ok) {
          state_ = State::kWriting;
          stream_.Write(answer_, this);
        } else {
          state_ = State::kFinishing;
          stream_.Finish(grpc::Status::OK, this);
        }
        return;
      case State::kWriting:
        if (!ok) break;
        Read();
        return;
      case State::kFinishing:
        break;
    }
    delete this;
  }

 private:
  enum class State { kRequested, kReading, kWriting, kFinishing };

  void PrepareAnswer() {
    const std::string& method = context_.method();
    is_unary_ = absl::StartsWith(method, kEchoUnary);
    int64_t bytes = 0;
    if (!absl::SimpleAtoi(method.substr(method.rfind('/') + 1), &bytes) ||
        bytes < 0 || bytes > kMaxMessageBytes) {
      bytes = 0;
    }
    const grpc::Slice slice(std::string(static_cast<size_t>(bytes), 'x'));
    answer_ = grpc::ByteBuffer(&slice, 1);
  }

  void Read() {
    state_ = State::kReading;
    stream_.Read(&request_, this);
  }

  grpc::AsyncGenericService* const service_;
  grpc::ServerCompletionQueue* const queue_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer answer_;
  bool is_unary_ = false;
  State state_ = State::kRequested;
};

}  // namespace

int ServeEcho(int port_fd, int stop_fd) {
  int port = 0;
  grpc::AsyncGenericService service;
  grpc::ServerBuilder builder;
  builder.RegisterAsyncGenericService(&service);
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port);
  const auto queue = builder.AddCompletionQueue();
  const auto server = builder.BuildAndStart();
  if (server == nullptr || port == 0) return 1;
  for (int i = 0; i < kCallsReady; ++i) new EchoCall(&service, queue.get());
  std::thread thread([&queue] {
    void* tag = nullptr;
    bool ok = false;
    while (queue->Next(&tag, &ok)) static_cast<EchoCall*>(tag)->Proceed(ok);
  });
  const std::string line = std::to_string(port) + "\n";
  if (write(port_fd, line.data(), line.size()) < 0) return 1;
  char byte = 0;
  while (read(stop_fd, &byte, 1) > 0) {
  }
  server->Shutdown(std::chrono::system_clock::now() + kShutdownTime);
  queue->Shutdown();
  thread.join();
  return 0;
}

}  // namespace kiln::client
