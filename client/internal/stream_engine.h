// client/internal/stream_engine.h
//
// What a BakeStream does: keeps every request until it is answered, over as
// many streams one after another as it takes.

#ifndef KILN_CLIENT_INTERNAL_STREAM_ENGINE_H_
#define KILN_CLIENT_INTERNAL_STREAM_ENGINE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "client/bake_stream.h"
#include "client/connection.h"
#include "client/internal/retry_policy.h"
#include "core/base/mutex.h"

namespace kiln::client::internal {

// Threads: every method may be called from any thread; On... run on the I/O
// thread only.
class StreamEngine : public std::enable_shared_from_this<StreamEngine> {
 public:
  StreamEngine(std::shared_ptr<Connection> connection,
               std::shared_ptr<RetryPolicy> policy, int max_in_flight,
               BakeStream::Callback callback);

  Submitted TrySubmit(uint64_t id, const BakeRequest& request,
                      Clock::time_point deadline);
  absl::Status Submit(uint64_t id, const BakeRequest& request,
                      Clock::time_point deadline);
  absl::Status Finish();
  void Cancel();
  // Waits until no callback is due or running. Not on the I/O thread.
  void WaitUntilIdle();
  int in_flight() const;

 private:
  using Results = absl::StatusOr<std::vector<core::BakeResult>>;

  enum class State : uint8_t {
    kUnsent,   // waits for a stream
    kSent,     // on the current stream, or in a call of its own
    kPausing,  // was refused as busy; a timer makes it kUnsent
  };
  struct Pending {
    uint64_t caller_id = 0;
    std::shared_ptr<const PreparedBake> request;
    Clock::time_point start;
    Clock::time_point deadline;
    State state = State::kUnsent;
    CallStats stats;
    absl::Status last_error;
  };
  // Requests that the caller sends once it has released the lock: a connection
  // may call back.
  struct Batch {
    std::shared_ptr<StreamAttempt> stream;
    struct Entry {
      uint64_t key;
      std::shared_ptr<const PreparedBake> request;
      Clock::time_point deadline;
    };
    std::vector<Entry> entries;
  };

  void Accept(uint64_t id, const BakeRequest& request,
              Clock::time_point deadline);
  // Sends what is unsent, on a new stream where there is none.
  void Pump();
  void Open(bool wait_for_ready);
  Batch TakeUnsent() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void SendAll(const Batch& batch);

  void OnAnswer(uint64_t generation, uint64_t key, AttemptResult result);
  void OnClosed(uint64_t generation, const absl::Status& status);
  void OnDeadline(Clock::time_point armed);
  // After a stream broke for a reason that may lie in one of its requests.
  void CallOneByOne(const Batch& batch);
  void Retry(uint64_t key, Clock::duration delay);
  // For the earliest deadline, where no timer is due before it.
  void ArmTimer();

  // On the I/O thread. Nothing where `key` has been completed already.
  void Complete(uint64_t key, Results results);
  void CompleteAll(const absl::Status& status);

  const std::shared_ptr<Connection> connection_;
  const std::shared_ptr<RetryPolicy> policy_;
  const int max_in_flight_;
  const BakeStream::Callback callback_;

  mutable core::Mutex mutex_;
  core::CondVar changed_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  int reserved_ ABSL_GUARDED_BY(mutex_) = 0;   // being encoded
  int callbacks_ ABSL_GUARDED_BY(mutex_) = 0;  // running
  uint64_t last_key_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, Pending> pending_ ABSL_GUARDED_BY(mutex_);
  std::set<std::pair<Clock::time_point, uint64_t>> deadlines_
      ABSL_GUARDED_BY(mutex_);
  Clock::time_point timer_ ABSL_GUARDED_BY(mutex_) = Clock::time_point::max();

  // Streams are numbered, so that what an old one still says is told apart.
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
  bool opening_ ABSL_GUARDED_BY(mutex_) = false;  // or a reopening is planned
  int breaks_ ABSL_GUARDED_BY(mutex_) = 0;        // since the last answer
  std::shared_ptr<StreamAttempt> stream_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_STREAM_ENGINE_H_
