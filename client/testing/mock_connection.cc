#include "client/testing/mock_connection.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "client/internal/inproc/owned_inputs.h"
#include "core/base/check.h"
#include "core/base/errors.h"

namespace kiln::client::testing {
namespace {

struct MockPrepared : PreparedBake {
  explicit MockPrepared(const BakeRequest& request_in)
      : request(request_in), inputs(request_in.blocks) {
    request.blocks = inputs.inputs();
  }
  int64_t bytes() const override { return 0; }

  BakeRequest request;
  internal::OwnedInputs inputs;
};

AttemptResult BakeForReal(const BakeRequest& request) {
  core::BakeOptions options;
  options.lower_bound = request.lower_bound;
  options.tree = request.tree;
  std::vector<core::BakeResult> results;
  for (const core::BakeInput& input : request.blocks) {
    auto result = core::Bake(input, request.recipe, options);
    if (!result.ok()) return {result.status()};
    results.push_back(*std::move(result));
  }
  return {std::move(results)};
}

}  // namespace

struct MockConnection::State {
  // One attempt that nobody has answered yet.
  struct Waiting : Attempt, std::enable_shared_from_this<Waiting> {
    void Cancel() override { End({core::CancelledError()}); }
    void End(AttemptResult result) {
      if (const AttemptDone to_call = std::exchange(done, nullptr)) {
        to_call(std::move(result));
      }
    }
    std::shared_ptr<const MockPrepared> request;
    AttemptDone done;
  };

  // A stream is its requests, each an attempt of its own.
  struct Stream : StreamAttempt, std::enable_shared_from_this<Stream> {
    Stream(State* state_in, StreamEvents events_in)
        : state(state_in), events(std::move(events_in)) {}
    void Send(uint64_t id, std::shared_ptr<const PreparedBake> request,
              Clock::time_point deadline) override {
      if (closed) return;
      AttemptOptions options;
      options.deadline = deadline;
      state->Start(std::move(request), options,
                   [self = shared_from_this(), id](AttemptResult result) {
                     if (self->closed) return;
                     // A copy: the stream may close while it runs.
                     const auto to_call = self->events.answer;
                     to_call(id, std::move(result));
                   });
    }
    void HalfClose() override { Close(absl::OkStatus()); }
    void Cancel() override { Close(core::CancelledError()); }
    void Close(const absl::Status& status) {
      if (std::exchange(closed, true)) return;
      // Let go of, for they hold the connection, which holds this.
      const StreamEvents last = std::exchange(events, {});
      last.closed(status);
    }
    State* const state;
    StreamEvents events;  // until it closes
    bool closed = false;
  };

  std::shared_ptr<Waiting> Start(std::shared_ptr<const PreparedBake> request,
                                 const AttemptOptions& options,
                                 AttemptDone done) {
    ++attempts;
    last_options = options;
    auto attempt = std::make_shared<Waiting>();
    attempt->request =
        std::static_pointer_cast<const MockPrepared>(std::move(request));
    attempt->done = std::move(done);
    if (shut_down) {
      attempt->Cancel();
    } else if (auto_advance) {
      attempt->End(Decide(*attempt));
    } else {
      waiting.push_back(attempt);
    }
    return attempt;
  }

  AttemptResult Decide(const Waiting& attempt) {
    if (failures.empty()) return answer(attempt.request->request);
    const absl::Status status = failures.front();
    failures.pop_front();
    return {status};
  }

  // Drops attempts that were cancelled meanwhile.
  void Tidy() {
    std::erase_if(waiting, [](const auto& w) { return w->done == nullptr; });
  }

  Answer answer;
  std::deque<absl::Status> failures;
  bool auto_advance = true;
  bool shut_down = false;
  Clock::time_point now = Clock::time_point(std::chrono::hours(1));
  std::multimap<Clock::time_point, std::function<void()>> tasks;
  std::deque<std::shared_ptr<Waiting>> waiting;
  std::shared_ptr<Stream> stream;
  int attempts = 0;
  int streams = 0;
  AttemptOptions last_options;
};

MockConnection::MockConnection() : MockConnection(BakeForReal) {}

MockConnection::MockConnection(Answer answer)
    : state_(std::make_shared<State>()) {
  state_->answer = std::move(answer);
}

MockConnection::~MockConnection() { MockConnection::Shutdown(); }

void MockConnection::FailNext(const absl::Status& status, int times) {
  for (int i = 0; i < times; ++i) state_->failures.push_back(status);
}

void MockConnection::set_auto_advance(bool on) { state_->auto_advance = on; }

void MockConnection::Advance(Clock::duration time) {
  const Clock::time_point until = state_->now + time;
  while (!state_->tasks.empty() && state_->tasks.begin()->first <= until) {
    const auto first = state_->tasks.begin();
    state_->now = std::max(state_->now, first->first);
    const std::function<void()> task = std::move(first->second);
    state_->tasks.erase(first);
    task();
  }
  state_->now = until;
}

void MockConnection::AnswerNext() {
  state_->Tidy();
  KILN_CHECK(!state_->waiting.empty());
  const std::shared_ptr<State::Waiting> attempt = state_->waiting.front();
  state_->waiting.pop_front();
  attempt->End(state_->Decide(*attempt));
}

void MockConnection::BreakStream(const absl::Status& status) {
  const std::shared_ptr<State::Stream> stream = state_->stream;
  KILN_CHECK(stream != nullptr && !stream->closed);
  stream->Close(status);
}

int MockConnection::attempts() const { return state_->attempts; }
int MockConnection::attempts_waiting() const {
  state_->Tidy();
  return static_cast<int>(state_->waiting.size());
}
int MockConnection::streams() const { return state_->streams; }
AttemptOptions MockConnection::last_options() const {
  return state_->last_options;
}

absl::StatusOr<std::shared_ptr<const PreparedBake>> MockConnection::Prepare(
    const BakeRequest& request) {
  return std::make_shared<const MockPrepared>(request);
}

std::shared_ptr<Attempt> MockConnection::StartBake(
    std::shared_ptr<const PreparedBake> request, const AttemptOptions& options,
    AttemptDone done) {
  return state_->Start(std::move(request), options, std::move(done));
}

std::shared_ptr<StreamAttempt> MockConnection::OpenStream(
    const AttemptOptions& options, StreamEvents events) {
  ++state_->streams;
  state_->last_options = options;
  state_->stream =
      std::make_shared<State::Stream>(state_.get(), std::move(events));
  return state_->stream;
}

absl::Status MockConnection::WaitUntilReady(Clock::time_point) {
  return absl::OkStatus();
}

Clock::time_point MockConnection::Now() const { return state_->now; }

void MockConnection::RunAfter(Clock::duration delay,
                              std::function<void()> task) {
  // A pause of nothing is not waited for in either mode.
  if (state_->shut_down || delay <= Clock::duration::zero()) {
    task();
  } else if (state_->auto_advance) {
    state_->now += delay;
    task();
  } else {
    state_->tasks.emplace(state_->now + delay, std::move(task));
  }
}

void MockConnection::Shutdown() {
  if (std::exchange(state_->shut_down, true)) return;
  if (state_->stream != nullptr) state_->stream->Cancel();
  while (!state_->waiting.empty()) {
    const std::shared_ptr<State::Waiting> attempt = state_->waiting.front();
    state_->waiting.pop_front();
    attempt->Cancel();
  }
  while (!state_->tasks.empty()) {
    const std::function<void()> task = std::move(state_->tasks.begin()->second);
    state_->tasks.erase(state_->tasks.begin());
    task();
  }
}

}  // namespace kiln::client::testing
