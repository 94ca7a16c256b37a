#include "server/rpc/completion.h"

#include "core/base/check.h"
#include "server/limits.h"

namespace kiln::server {
namespace {

// The I/O thread that this thread is, if it is one.
thread_local const IoThread* current_thread_io = nullptr;

}  // namespace

IoThread::IoThread(std::unique_ptr<grpc::ServerCompletionQueue> queue)
    : queue_(std::move(queue)) {}

IoThread::~IoThread() {
  KILN_CHECK(!thread_.joinable());
  if (closed_) return;
  // Never started: gRPC wants a queue shut down and emptied all the same.
  queue_->Shutdown();
  void* tag = nullptr;
  bool ok = false;
  while (queue_->Next(&tag, &ok)) {
  }
}

void IoThread::Start() {
  thread_ = std::thread([this] { Run(); });
}

void IoThread::Stop() {
  if (!thread_.joinable()) return;
  // On the thread itself, so that no call is about to start an operation on a
  // queue that has been shut down: gRPC would abort.
  Post([this] {
    closed_ = true;
    queue_->Shutdown();
  });
  thread_.join();
}

void IoThread::Run() {
  current_thread_io = this;
  while (RunTurn()) RunPostedHere();
}

// Waits for an operation to be over, then takes those that are over as well.
bool IoThread::RunTurn() {
  void* tag = nullptr;
  bool ok = false;
  if (!queue_->Next(&tag, &ok)) return false;
  static_cast<Tag*>(tag)->OnComplete(ok);
  const gpr_timespec now = gpr_inf_past(GPR_CLOCK_MONOTONIC);
  for (int more = 1; more < kOperationsPerTurn; ++more) {
    if (queue_->AsyncNext(&tag, &ok, now) != grpc::CompletionQueue::GOT_EVENT) {
      break;
    }
    static_cast<Tag*>(tag)->OnComplete(ok);
  }
  return true;
}

void IoThread::Post(std::function<void()> task) {
  if (current_thread_io == this) {
    posted_here_.push_back(std::move(task));
    return;
  }
  bool wake = false;
  {
    core::MutexLock lock(mutex_);
    wake = posted_.empty();
    posted_.push_back(std::move(task));
  }
  // The alarm has rung and RunPosted has emptied the list, or it was never set:
  // so it may be set. A time long past rings at once.
  if (wake) {
    alarm_.Set(queue_.get(), gpr_inf_past(GPR_CLOCK_MONOTONIC),
               static_cast<Tag*>(&wakeup_));
  }
}

void IoThread::RunPosted() {
  std::vector<std::function<void()>> tasks;
  {
    core::MutexLock lock(mutex_);
    tasks.swap(posted_);
  }
  for (const std::function<void()>& task : tasks) task();
}

void IoThread::RunPostedHere() {
  // A task may post another.
  while (!posted_here_.empty()) {
    std::vector<std::function<void()>> tasks;
    tasks.swap(posted_here_);
    for (const std::function<void()>& task : tasks) task();
  }
}

}  // namespace kiln::server
