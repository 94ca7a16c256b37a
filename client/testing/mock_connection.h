// client/testing/mock_connection.h
//
// A connection for tests of applications: no server, no thread and no waiting.
// Time is the mock's own: it stands still until the test moves it, or leaps
// over every pause where auto-advance is on (the default).

#ifndef KILN_CLIENT_TESTING_MOCK_CONNECTION_H_
#define KILN_CLIENT_TESTING_MOCK_CONNECTION_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "client/connection.h"

namespace kiln::client::testing {

// Callbacks run on the thread that starts a call, answers it or advances time;
// so a blocking Bake works where an answer comes at once.
//
// Threads: for one thread at a time.
class MockConnection : public Connection {
 public:
  // Decides how an attempt ends. The request's spans are valid in the call.
  using Answer = std::function<AttemptResult(const BakeRequest& request)>;

  // Bakes for real, with the core.
  MockConnection();
  explicit MockConnection(Answer answer);
  ~MockConnection() override;

  // What the next attempts end with, in order; then `answer` speaks again.
  void FailNext(const absl::Status& status, int times = 1);

  // On: attempts are answered and pauses are leapt over at once. Off: attempts
  // wait for AnswerNext, pauses for Advance.
  void set_auto_advance(bool on);
  void Advance(Clock::duration time);
  // Answers the oldest attempt that waits. Requires: there is one.
  void AnswerNext();
  // Breaks the open stream. Requires: there is one.
  void BreakStream(const absl::Status& status);

  int attempts() const;          // started so far, those of streams included
  int attempts_waiting() const;  // for AnswerNext
  int streams() const;           // opened so far
  // Deadline and wait_for_ready of the latest attempt.
  AttemptOptions last_options() const;

  absl::StatusOr<std::shared_ptr<const PreparedBake>> Prepare(
      const BakeRequest& request) override;
  std::shared_ptr<Attempt> StartBake(
      std::shared_ptr<const PreparedBake> request,
      const AttemptOptions& options, AttemptDone done) override;
  std::shared_ptr<StreamAttempt> OpenStream(const AttemptOptions& options,
                                            StreamEvents events) override;
  absl::Status WaitUntilReady(Clock::time_point deadline) override;
  Clock::time_point Now() const override;
  void RunAfter(Clock::duration delay, std::function<void()> task) override;
  bool OnIoThread() const override { return false; }
  void Shutdown() override;

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace kiln::client::testing

#endif  // KILN_CLIENT_TESTING_MOCK_CONNECTION_H_
