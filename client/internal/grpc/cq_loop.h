// client/internal/grpc/cq_loop.h
//
// A gRPC completion queue with the one thread that serves it: the I/O thread of
// a client. Timers come through the same queue. (gRPC's callback API would
// bring threads of its own that go to sleep after a second of quiet.)

#ifndef KILN_CLIENT_INTERNAL_GRPC_CQ_LOOP_H_
#define KILN_CLIENT_INTERNAL_GRPC_CQ_LOOP_H_

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "client/connection.h"
#include "client/internal/op_registry.h"
#include "grpcpp/completion_queue.h"

namespace kiln::client::internal {

// What a tag of the queue points to.
class CqEvent {
 public:
  virtual ~CqEvent() = default;

  // What to hand to gRPC for an operation.
  void* Tag() {
    handed_over_.store(true, std::memory_order_release);
    return this;
  }
  // For the thread that got `tag` out of the queue. gRPC orders the two threads
  // as well, but in a library that ThreadSanitizer cannot look into.
  static CqEvent& Of(void* tag) {
    auto* event = static_cast<CqEvent*>(tag);
    (void)event->handed_over_.load(std::memory_order_acquire);
    return *event;
  }

  // Runs on the I/O thread. `ok` as gRPC means it.
  virtual void Proceed(bool ok) = 0;

 private:
  std::atomic<bool> handed_over_{false};
};

// Threads: every method may be called from any thread.
class CqLoop {
 public:
  CqLoop();
  // Shuts down.
  ~CqLoop();
  CqLoop(const CqLoop&) = delete;
  CqLoop& operator=(const CqLoop&) = delete;

  // Brackets an operation that puts tags into the queue; refused (false) after
  // Shutdown. The queue lives until every operation has ended.
  bool Begin(std::shared_ptr<Op> op);
  void End(Op* op);

  grpc::CompletionQueue* queue();

  // Runs `task` on the I/O thread after `delay`. After Shutdown tasks run at
  // once: those that wait on the I/O thread, later ones on the caller's.
  void RunAfter(Clock::duration delay, std::function<void()> task);

  bool OnThread() const;

  // Cancels all operations and timers, and joins the thread, or leaves it to
  // end by itself where this is called on it.
  void Shutdown();

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::thread thread_;
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_GRPC_CQ_LOOP_H_
