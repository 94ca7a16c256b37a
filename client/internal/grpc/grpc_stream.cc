#include "client/internal/grpc/grpc_stream.h"

#include <algorithm>
#include <utility>

#include "core/base/errors.h"

namespace kiln::client::internal {
namespace {

constexpr char kBakeVoxelStream[] = "/kiln.v1.BakeService/BakeVoxelStream";

// Time left, at least 1 ms (0 means "no limit" on the wire).
uint32_t TimeoutMs(Clock::time_point deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<uint32_t>(
      std::clamp<int64_t>(left.count(), 1, UINT32_MAX));
}

}  // namespace

GrpcStream::GrpcStream(CqLoop* loop, int64_t max_response_bytes,
                       const AttemptOptions& options, StreamEvents events)
    : loop_(loop),
      events_(std::move(events)),
      max_response_bytes_(max_response_bytes),
      deadline_(options.deadline) {
  if (options.deadline != Clock::time_point::max()) {
    context_.set_deadline(GrpcDeadline(options.deadline));
  }
  context_.set_wait_for_ready(options.wait_for_ready);
}

void GrpcStream::Start(grpc::GenericStub& stub) {
  call_ = stub.PrepareCall(&context_, kBakeVoxelStream, loop_->queue());
  if (!loop_->Begin(shared_from_this())) {
    events_.closed(core::CancelledError());
    return;
  }
  core::MutexLock lock(mutex_);
  events_due_ = 1;
  call_->StartCall(started_.Tag());
}

void GrpcStream::Send(uint64_t id, std::shared_ptr<const PreparedBake> request,
                      Clock::time_point deadline) {
  core::MutexLock lock(mutex_);
  if (half_closed_ || cancelled_) return;
  waiting_[id] = {
      std::static_pointer_cast<const EncodedBake>(std::move(request)),
      deadline};
  unsent_.push_back(id);
  WriteNext();
}

void GrpcStream::HalfClose() {
  core::MutexLock lock(mutex_);
  if (half_closed_) return;
  half_closed_ = true;
  WriteNext();
}

void GrpcStream::Cancel() {
  {
    core::MutexLock lock(mutex_);
    cancelled_ = true;
  }
  context_.TryCancel();
}

void GrpcStream::WriteNext() {
  if (!open_ || writing_) return;
  if (unsent_.empty()) {
    if (!half_closed_) return;
    open_ = false;
    call_->WritesDone(written_.Tag());
  } else {
    const uint64_t id = unsent_.front();
    unsent_.pop_front();
    const Waiting& waiting = waiting_[id];
    grpc::WriteOptions options;
    // More follows at once: let gRPC put both into one packet.
    if (!unsent_.empty()) options.set_buffer_hint();
    call_->Write(
        EncodeStreamRequest(id, *waiting.request, TimeoutMs(waiting.deadline)),
        options, written_.Tag());
  }
  writing_ = true;
  ++events_due_;
}

void GrpcStream::OnStarted(bool ok) {
  if (ok) {
    core::MutexLock lock(mutex_);
    open_ = true;
    ++events_due_;
    call_->Read(&read_buffer_, read_.Tag());
    WriteNext();
  } else {
    Finish();
  }
  EventDone();
}

void GrpcStream::OnWritten(bool ok) {
  {
    core::MutexLock lock(mutex_);
    writing_ = false;
    if (!ok) open_ = false;  // the reading side learns why
    WriteNext();
  }
  EventDone();
}

void GrpcStream::OnRead(bool ok) {
  if (ok && Answer()) {
    core::MutexLock lock(mutex_);
    ++events_due_;
    call_->Read(&read_buffer_, read_.Tag());
  } else {
    if (ok) context_.TryCancel();
    Finish();
  }
  EventDone();
}

bool GrpcStream::Answer() {
  const auto bytes = static_cast<int64_t>(read_buffer_.Length());
  auto answer = DecodeStreamResponse(
      read_buffer_, [this](uint64_t id) -> std::shared_ptr<const EncodedBake> {
        core::MutexLock lock(mutex_);
        const auto it = waiting_.find(id);
        return it == waiting_.end() ? nullptr : it->second.request;
      });
  if (!answer.ok()) {
    broken_ = answer.status();
    return false;
  }
  {
    core::MutexLock lock(mutex_);
    waiting_.erase(answer->id);
  }
  AttemptResult result;
  result.results = std::move(answer->results);
  result.bytes_received = bytes;
  events_.answer(answer->id, std::move(result));
  return true;
}

void GrpcStream::Finish() {
  core::MutexLock lock(mutex_);
  open_ = false;
  ++events_due_;
  call_->Finish(&status_, finished_.Tag());
}

void GrpcStream::OnFinished(bool) {
  CallFacts facts;
  facts.request_bytes = -1;
  facts.max_response_bytes = max_response_bytes_;
  facts.deadline = deadline_;
  {
    core::MutexLock lock(mutex_);
    facts.cancelled = cancelled_;
  }
  events_.closed(!broken_.ok() ? broken_ : EndOfCall(status_, context_, facts));
  EventDone();
}

void GrpcStream::EventDone() {
  bool last = false;
  {
    core::MutexLock lock(mutex_);
    last = --events_due_ == 0;
  }
  if (last) loop_->End(this);  // may destroy this
}

}  // namespace kiln::client::internal
