// server/rpc/completion.h
//
// One I/O thread: a gRPC completion queue, the thread that serves it, and the
// tags that come out of it. All gRPC objects of a call are touched by the one
// thread its queue belongs to, so calls need no locks; workers hand back what
// they have done with Post.

#ifndef KILN_SERVER_RPC_COMPLETION_H_
#define KILN_SERVER_RPC_COMPLETION_H_

#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "grpcpp/alarm.h"
#include "grpcpp/completion_queue.h"

namespace kiln::server {

// What a completion queue hands back when an operation is over.
class Tag {
 public:
  // `ok` is gRPC's word: false when the operation could not be done.
  virtual void OnComplete(bool ok) = 0;

 protected:
  ~Tag() = default;
};

// The tag of one kind of operation of a call: keeps the call alive while the
// operation is under way, then calls one of its methods.
template <typename Call>
class CallTag final : public Tag {
 public:
  using Method = void (Call::*)(bool ok);
  explicit CallTag(Method method) : method_(method) {}

  // What to give to gRPC. Requires: the operation is not under way already.
  void* For(std::shared_ptr<Call> call) {
    call_ = std::move(call);
    return name();
  }
  // The same without keeping the call alive.
  void* name() { return static_cast<Tag*>(this); }
  bool under_way() const { return call_ != nullptr; }

  void OnComplete(bool ok) override {
    const std::shared_ptr<Call> call = std::move(call_);
    (call.get()->*method_)(ok);
  }

 private:
  const Method method_;
  std::shared_ptr<Call> call_;
};

// Threads: Post from any; all else from the thread that owns the server.
class IoThread {
 public:
  // Requires: `queue` is registered with a server that is not yet shut down.
  explicit IoThread(std::unique_ptr<grpc::ServerCompletionQueue> queue);
  // Requires: Stop has been called, or Start has not.
  ~IoThread();
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;

  void Start();
  // Ends the thread after all that was posted and is under way.
  // Requires: the server has been shut down; nothing is posted any more.
  void Stop();

  // Runs `task` on the thread, soon, in order of posting; what the thread posts
  // itself at the end of its turn, after the operations that are over already.
  // `task` must not throw.
  void Post(std::function<void()> task);

  grpc::ServerCompletionQueue* queue() const { return queue_.get(); }
  // On the thread itself: no operation may be started any more.
  bool closed() const { return closed_; }

 private:
  // Wakes the thread; delivered through its own queue.
  class Wakeup final : public Tag {
   public:
    explicit Wakeup(IoThread& owner) : owner_(owner) {}
    void OnComplete(bool) override { owner_.RunPosted(); }

   private:
    IoThread& owner_;
  };

  void Run();
  bool RunTurn();
  void RunPosted();
  void RunPostedHere();

  const std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  Wakeup wakeup_{*this};
  core::Mutex mutex_;
  std::vector<std::function<void()>> posted_ ABSL_GUARDED_BY(mutex_);
  grpc::Alarm alarm_;  // set when `posted_` stops being empty
  // Used on the thread only. What it posted itself needs no waking.
  std::vector<std::function<void()>> posted_here_;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_RPC_COMPLETION_H_
