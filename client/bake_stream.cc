#include "client/bake_stream.h"

#include <algorithm>
#include <utility>

#include "client/connection.h"
#include "client/internal/client_state.h"
#include "client/internal/errors.h"
#include "client/internal/stream_engine.h"

namespace kiln::client {
namespace {

constexpr int kMaxInFlight = 65536;

Clock::time_point DeadlineOf(const internal::ClientState& state,
                             const CallOptions& options) {
  return state.connection->Now() +
         options.timeout.value_or(state.options.timeout);
}

}  // namespace

BakeStream::BakeStream(const BakeClient& client, const StreamOptions& options,
                       Callback callback)
    : state_(client.state_),
      engine_(std::make_shared<internal::StreamEngine>(
          state_->connection, state_->policy,
          std::clamp(options.max_in_flight, 1, kMaxInFlight),
          std::move(callback))) {}

BakeStream::~BakeStream() {
  engine_->Cancel();
  if (!state_->connection->OnIoThread()) engine_->WaitUntilIdle();
}

Submitted BakeStream::TrySubmit(uint64_t id, const BakeRequest& request,
                                const CallOptions& options) {
  return engine_->TrySubmit(id, request, DeadlineOf(*state_, options));
}

absl::Status BakeStream::Submit(uint64_t id, const BakeRequest& request,
                                const CallOptions& options) {
  if (state_->connection->OnIoThread()) {
    return internal::BlockingCallError("Submit");
  }
  return engine_->Submit(id, request, DeadlineOf(*state_, options));
}

absl::Status BakeStream::Finish() {
  if (state_->connection->OnIoThread()) {
    return internal::BlockingCallError("Finish");
  }
  return engine_->Finish();
}

void BakeStream::Cancel() { engine_->Cancel(); }

int BakeStream::in_flight() const { return engine_->in_flight(); }

}  // namespace kiln::client
