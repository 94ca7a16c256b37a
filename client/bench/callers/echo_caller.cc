// Connections to the echo server: gRPC's completion queues and byte buffers,
// and nothing else, with the channel arguments of Kiln's client.

#include <deque>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/bench/callers/caller.h"
#include "client/bench/callers/echo_server.h"
#include "client/internal/grpc/channel.h"
#include "client/internal/grpc/cq_loop.h"
#include "core/base/mutex.h"
#include "grpcpp/generic/generic_stub.h"
#include "proto/wire/status_wire.h"

namespace kiln::client {
namespace {

grpc::ByteBuffer Bytes(int64_t size) {
  const std::string bytes(static_cast<size_t>(size), 'x');
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

// What both kinds share. The loop is ended first.
class EchoCaller : public Caller {
 public:
  EchoCaller(const std::string& address, const std::vector<MessageSizes>& sizes)
      : sizes_(sizes), stub_(internal::MakeChannel(address, {})) {
    for (const MessageSizes& size : sizes) {
      requests_.push_back(Bytes(size.request));
    }
  }

 protected:
  const std::vector<MessageSizes> sizes_;
  std::vector<grpc::ByteBuffer> requests_;
  grpc::GenericStub stub_;
  internal::CqLoop loop_;
};

struct EchoCall : internal::Op, internal::CqEvent {
  void Cancel() override { context.TryCancel(); }
  void Proceed(bool) override {
    CallEnd end;
    end.status = wire::FromGrpcStatus(status);
    end.bytes_sent = sizes.request;
    end.bytes_received = static_cast<int64_t>(response.Length());
    done(end);
    loop->End(this);
  }

  internal::CqLoop* loop = nullptr;
  MessageSizes sizes;
  Caller::Done done;
  grpc::ClientContext context;
  grpc::ByteBuffer response;
  grpc::Status status;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
};

class EchoUnaryCaller : public EchoCaller {
 public:
  using EchoCaller::EchoCaller;
  ~EchoUnaryCaller() override { loop_.Shutdown(); }

  void Send(size_t index, Done done) override {
    auto call = std::make_shared<EchoCall>();
    call->loop = &loop_;
    call->sizes = sizes_[index];
    call->done = std::move(done);
    call->context.set_deadline(std::chrono::system_clock::now() +
                               std::chrono::seconds(10));
    call->reader = stub_.PrepareUnaryCall(
        &call->context, absl::StrCat(kEchoUnary, sizes_[index].response),
        requests_[index], loop_.queue());
    loop_.Begin(call);
    call->reader->StartCall();
    call->reader->Finish(&call->response, &call->status,
                         static_cast<internal::CqEvent*>(call.get()));
  }
};

// One stream; answers come in the order of the requests.
class EchoStreamCaller : public EchoCaller {
 public:
  EchoStreamCaller(const std::string& address,
                   const std::vector<MessageSizes>& sizes)
      : EchoCaller(address, sizes), stream_(std::make_shared<Stream>()) {
    int64_t sum = 0;
    for (const MessageSizes& size : sizes) sum += size.response;
    const int64_t mean = sum / static_cast<int64_t>(sizes.size());
    stream_->loop = &loop_;
    stream_->call = stub_.PrepareCall(
        &stream_->context, absl::StrCat(kEchoStream, mean), loop_.queue());
    loop_.Begin(stream_);
    stream_->due = 1;
    stream_->call->StartCall(
        static_cast<internal::CqEvent*>(&stream_->started));
  }
  ~EchoStreamCaller() override {
    stream_->Cancel();
    loop_.Shutdown();
  }

  void Send(size_t index, Done done) override {
    core::MutexLock lock(stream_->mutex);
    stream_->waiting.emplace_back(sizes_[index], std::move(done));
    stream_->unsent.push_back(requests_[index]);
    stream_->WriteNext();
  }

 private:
  struct Stream : internal::Op {
    struct Event : internal::CqEvent {
      Event(Stream* stream_in, void (Stream::*handler_in)(bool))
          : stream(stream_in), handler(handler_in) {}
      void Proceed(bool ok) override { (stream->*handler)(ok); }
      Stream* const stream;
      void (Stream::*const handler)(bool);
    };

    void Cancel() override { context.TryCancel(); }

    void WriteNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
      if (!open || writing || unsent.empty()) return;
      grpc::WriteOptions options;
      const grpc::ByteBuffer message = std::move(unsent.front());
      unsent.pop_front();
      if (!unsent.empty()) options.set_buffer_hint();
      writing = true;
      ++due;
      call->Write(message, options, static_cast<internal::CqEvent*>(&written));
    }

    void OnStarted(bool ok) {
      {
        core::MutexLock lock(mutex);
        open = ok;
        if (ok) {
          ++due;
          call->Read(&response, static_cast<internal::CqEvent*>(&read));
        }
        WriteNext();
      }
      EventDone();
    }
    void OnWritten(bool ok) {
      {
        core::MutexLock lock(mutex);
        writing = false;
        open = open && ok;
        WriteNext();
      }
      EventDone();
    }
    void OnRead(bool ok) {
      if (ok) {
        std::pair<MessageSizes, Done> answered;
        CallEnd end;
        end.bytes_received = static_cast<int64_t>(response.Length());
        {
          core::MutexLock lock(mutex);
          answered = std::move(waiting.front());
          waiting.pop_front();
          ++due;
          call->Read(&response, static_cast<internal::CqEvent*>(&read));
        }
        end.bytes_sent = answered.first.request;
        answered.second(end);  // without the lock: it sends the next
      }
      EventDone();
    }
    void EventDone() {
      bool last = false;
      {
        core::MutexLock lock(mutex);
        last = --due == 0;
      }
      if (last) loop->End(this);
    }

    internal::CqLoop* loop = nullptr;
    grpc::ClientContext context;
    std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call;
    grpc::ByteBuffer response;
    Event started{this, &Stream::OnStarted};
    Event written{this, &Stream::OnWritten};
    Event read{this, &Stream::OnRead};

    core::Mutex mutex;
    bool open ABSL_GUARDED_BY(mutex) = false;
    bool writing ABSL_GUARDED_BY(mutex) = false;
    int due ABSL_GUARDED_BY(mutex) = 0;
    std::deque<grpc::ByteBuffer> unsent ABSL_GUARDED_BY(mutex);
    std::deque<std::pair<MessageSizes, Done>> waiting ABSL_GUARDED_BY(mutex);
  };

  const std::shared_ptr<Stream> stream_;
};

}  // namespace

std::unique_ptr<Caller> MakeEchoCaller(const std::string& address,
                                       CallMode mode,
                                       const std::vector<MessageSizes>& sizes) {
  if (mode == CallMode::kUnary) {
    return std::make_unique<EchoUnaryCaller>(address, sizes);
  }
  return std::make_unique<EchoStreamCaller>(address, sizes);
}

}  // namespace kiln::client
