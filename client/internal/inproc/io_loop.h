// client/internal/inproc/io_loop.h
//
// A thread that runs tasks one at a time, at once or at a time: the I/O thread
// of an "inproc:" client, which has no completion queue.

#ifndef KILN_CLIENT_INTERNAL_INPROC_IO_LOOP_H_
#define KILN_CLIENT_INTERNAL_INPROC_IO_LOOP_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "client/connection.h"

namespace kiln::client::internal {

// Threads: every method may be called from any thread.
class IoLoop {
 public:
  using TimerId = uint64_t;

  IoLoop();
  // Shuts down.
  ~IoLoop();
  IoLoop(const IoLoop&) = delete;
  IoLoop& operator=(const IoLoop&) = delete;

  // Tasks run in the order of their times; equal times in order of arrival.
  // After Shutdown tasks run at once: those that wait on the I/O thread, later
  // ones on the caller's.
  TimerId RunAt(Clock::time_point time, std::function<void()> task);
  void Post(std::function<void()> task);
  // Drops a task that has not started; else does nothing.
  void CancelTimer(TimerId id);

  bool OnThread() const;

  // Runs what waits and joins the thread, or leaves it to end by itself where
  // this is called on it.
  void Shutdown();

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::thread thread_;
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_INPROC_IO_LOOP_H_
