#include "client/internal/grpc/cq_loop.h"

#include <atomic>
#include <utility>

#include "grpcpp/alarm.h"
#include "grpcpp/support/time.h"

namespace kiln::client::internal {

// Held by the thread too: it may outlive the loop, when the loop is destroyed
// in a callback.
struct CqLoop::State {
  grpc::CompletionQueue queue;
  OpRegistry ops;
  std::atomic<std::thread::id> thread_id;

  void End(Op* op) {
    if (ops.End(op)) queue.Shutdown();
  }

  void Serve() {
    thread_id = std::this_thread::get_id();
    void* tag = nullptr;
    bool ok = false;
    while (queue.Next(&tag, &ok)) CqEvent::Of(tag).Proceed(ok);
  }
};

namespace {

gpr_timespec After(Clock::duration delay) {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(delay);
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                      gpr_time_from_nanos(ns.count(), GPR_TIMESPAN));
}

}  // namespace

// A task that waits for its time.
class CqTimer : public Op, public CqEvent {
 public:
  CqTimer(std::function<void(Op*)> end, std::function<void()> task)
      : end_(std::move(end)), task_(std::move(task)) {}

  void Start(grpc::CompletionQueue* queue, Clock::duration delay) {
    alarm_.Set(queue, After(delay), Tag());
    started_ = true;
    // A cancel that came before there was an alarm has done nothing.
    if (cancelled_) alarm_.Cancel();
  }

  void Cancel() override {
    cancelled_ = true;
    if (started_) alarm_.Cancel();
  }

  void Proceed(bool) override {
    task_();
    end_(this);  // destroys this
  }

 private:
  const std::function<void(Op*)> end_;
  const std::function<void()> task_;
  grpc::Alarm alarm_;
  std::atomic<bool> started_{false};
  std::atomic<bool> cancelled_{false};
};

CqLoop::CqLoop() : state_(std::make_shared<State>()) {
  thread_ = std::thread([state = state_] { state->Serve(); });
}

CqLoop::~CqLoop() { Shutdown(); }

bool CqLoop::Begin(std::shared_ptr<Op> op) {
  return state_->ops.Begin(std::move(op));
}

void CqLoop::End(Op* op) { state_->End(op); }

grpc::CompletionQueue* CqLoop::queue() { return &state_->queue; }

void CqLoop::RunAfter(Clock::duration delay, std::function<void()> task) {
  auto timer = std::make_shared<CqTimer>(
      [state = state_.get()](Op* op) { state->End(op); }, task);
  if (state_->ops.Begin(timer)) {
    timer->Start(&state_->queue, delay);
  } else {
    task();
  }
}

bool CqLoop::OnThread() const {
  return state_->thread_id.load() == std::this_thread::get_id();
}

void CqLoop::Shutdown() {
  if (state_->ops.Close()) state_->queue.Shutdown();
  if (!thread_.joinable()) return;
  if (OnThread()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

}  // namespace kiln::client::internal
