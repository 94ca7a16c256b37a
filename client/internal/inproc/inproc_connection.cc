#include "client/internal/inproc/inproc_connection.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/internal/inproc/owned_inputs.h"
#include "client/internal/inproc/stream_over_calls.h"
#include "core/base/errors.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"

namespace kiln::client::internal {
namespace {

struct PreparedInputs : PreparedBake {
  explicit PreparedInputs(const BakeRequest& request)
      : recipe(request.recipe), inputs(request.blocks) {
    options.lower_bound = request.lower_bound;
    options.tree = request.tree;
  }
  int64_t bytes() const override { return 0; }

  core::Recipe recipe;
  core::BakeOptions options;
  OwnedInputs inputs;
};

// What the server checks of a request before it looks at the blocks, in the
// same order and words (proto/wire/bake_wire.cc).
absl::Status CheckHead(const BakeRequest& request) {
  if (request.priority < 0 || request.priority > core::kMaxPriority) {
    return core::RangeError("priority", request.priority, 0,
                            core::kMaxPriority);
  }
  core::BakeOptions options;
  options.tree = request.tree;
  KILN_RETURN_IF_ERROR(core::CheckRecipe(request.recipe, options));
  if (request.blocks.empty()) {
    return core::FieldError("blocks", "length 0", "at least 1");
  }
  return absl::OkStatus();
}

// One attempt: its blocks are taken one after another by up to as many workers
// as there are. It ends by its result, its deadline or a cancel, whichever is
// first; work that is then still queued finds its token stopped.
class InprocBake : public Attempt,
                   public Op,
                   public std::enable_shared_from_this<InprocBake> {
 public:
  InprocBake(std::shared_ptr<const PreparedInputs> request,
             Clock::time_point deadline, OpRegistry* ops, IoLoop* loop,
             AttemptDone done)
      : request_(std::move(request)),
        source_(deadline),
        options_(request_->options),
        ops_(ops),
        loop_(loop),
        done_(std::move(done)),
        results_(request_->inputs.inputs().size()),
        statuses_(results_.size()) {
    options_.cancel = source_.token();
  }

  void Start(core::TaskArena& arena) {
    {
      core::MutexLock lock(mutex_);
      timer_ =
          loop_->RunAt(source_.token().deadline(), [self = shared_from_this()] {
            self->Complete(core::DeadlineError());
          });
    }
    const auto runners = static_cast<int>(std::min<size_t>(
        results_.size(), static_cast<size_t>(arena.threads())));
    running_ = runners;
    for (int i = 0; i < runners; ++i) {
      arena.Enqueue([self = shared_from_this()] { self->Run(); });
    }
  }

  void Cancel() override {
    source_.Cancel();
    Complete(core::CancelledError());
  }

 private:
  void Run() {
    const auto& inputs = request_->inputs.inputs();
    for (size_t i; (i = next_.fetch_add(1)) < inputs.size();) {
      auto result = core::Bake(inputs[i], request_->recipe, options_);
      if (result.ok()) {
        results_[i] = *std::move(result);
      } else {
        statuses_[i] = std::move(result).status();
      }
    }
    if (running_.fetch_sub(1) == 1) Complete(Outcome());
  }

  // As core::BakeAll: the first error by index; a stop belongs to the call.
  absl::StatusOr<std::vector<core::BakeResult>> Outcome() {
    for (size_t i = 0; i < statuses_.size(); ++i) {
      if (statuses_[i].ok()) continue;
      if (!absl::IsInvalidArgument(statuses_[i])) return statuses_[i];
      return core::WithContext(absl::StrCat("blocks[", i, "]."), statuses_[i]);
    }
    return std::move(results_);
  }

  void Complete(absl::StatusOr<std::vector<core::BakeResult>> results) {
    IoLoop::TimerId timer;
    {
      core::MutexLock lock(mutex_);
      if (complete_) return;
      complete_ = true;
      timer = timer_;
    }
    loop_->CancelTimer(timer);
    auto result = std::make_shared<AttemptResult>();
    result->results = std::move(results);
    loop_->Post([self = shared_from_this(), result] {
      const AttemptDone done = std::move(self->done_);
      done(std::move(*result));
      self->ops_->End(self.get());
    });
  }

  const std::shared_ptr<const PreparedInputs> request_;
  core::CancelSource source_;
  core::BakeOptions options_;
  OpRegistry* const ops_;
  IoLoop* const loop_;
  AttemptDone done_;  // used once, by the task that Complete posts

  std::vector<core::BakeResult> results_;  // each by the worker that took it
  std::vector<absl::Status> statuses_;
  std::atomic<size_t> next_{0};
  std::atomic<int> running_{0};

  core::Mutex mutex_;
  bool complete_ ABSL_GUARDED_BY(mutex_) = false;
  IoLoop::TimerId timer_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const PreparedBake>> InprocConnection::Prepare(
    const BakeRequest& request) {
  KILN_RETURN_IF_ERROR(CheckHead(request));
  return std::make_shared<const PreparedInputs>(request);
}

std::shared_ptr<Attempt> InprocConnection::StartBake(
    std::shared_ptr<const PreparedBake> request, const AttemptOptions& options,
    AttemptDone done) {
  auto bake = std::make_shared<InprocBake>(
      std::static_pointer_cast<const PreparedInputs>(std::move(request)),
      options.deadline, &ops_, &loop_, done);
  if (ops_.Begin(bake)) {
    bake->Start(arena_);
  } else {
    done({core::CancelledError()});
  }
  return bake;
}

std::shared_ptr<StreamAttempt> InprocConnection::OpenStream(
    const AttemptOptions& options, StreamEvents events) {
  (void)options;  // there is no stream that could outlive its requests
  return std::make_shared<StreamOverCalls>(this, std::move(events));
}

absl::Status InprocConnection::WaitUntilReady(Clock::time_point) {
  return absl::OkStatus();
}

void InprocConnection::RunAfter(Clock::duration delay,
                                std::function<void()> task) {
  loop_.RunAt(Clock::now() + delay, std::move(task));
}

void InprocConnection::Shutdown() {
  ops_.Close();
  loop_.Shutdown();
}

}  // namespace kiln::client::internal
