#include "client/bake_client.h"

#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "client/connection.h"
#include "client/internal/bake_call.h"
#include "client/internal/client_state.h"
#include "client/internal/connect.h"
#include "client/internal/errors.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

// Jitter must differ between processes that start together.
uint64_t RandomSeed() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

// Where a waiting call's result arrives.
struct Waiter {
  core::Mutex mutex;
  core::CondVar arrived;
  std::optional<absl::StatusOr<BakeReply>> reply ABSL_GUARDED_BY(mutex);
};

}  // namespace

CallHandle::CallHandle(std::shared_ptr<internal::BakeCall> call)
    : call_(std::move(call)) {}

void CallHandle::Cancel() const {
  if (call_ != nullptr) call_->Cancel();
}

absl::StatusOr<BakeClient> BakeClient::Connect(absl::string_view address,
                                               const ClientOptions& options) {
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<Connection> connection,
                        internal::MakeConnection(address, options));
  return BakeClient(std::move(connection), options);
}

BakeClient::BakeClient(std::shared_ptr<Connection> connection,
                       const ClientOptions& options)
    : state_(std::make_shared<internal::ClientState>(std::move(connection),
                                                     options, RandomSeed())) {}

absl::StatusOr<BakeReply> BakeClient::Bake(const BakeRequest& request,
                                           const CallOptions& options) const {
  if (state_->connection->OnIoThread()) {
    return internal::BlockingCallError("Bake");
  }
  Waiter waiter;
  BakeAsync(request, options, [&waiter](absl::StatusOr<BakeReply> reply) {
    core::MutexLock lock(waiter.mutex);
    waiter.reply = std::move(reply);
    waiter.arrived.NotifyOne();
  });
  core::MutexLock lock(waiter.mutex);
  while (!waiter.reply) waiter.arrived.Wait(waiter.mutex);
  return *std::move(waiter.reply);
}

CallHandle BakeClient::BakeAsync(const BakeRequest& request,
                                 const CallOptions& options,
                                 BakeCallback callback) const {
  Connection& connection = *state_->connection;
  const Clock::time_point deadline =
      connection.Now() + options.timeout.value_or(state_->options.timeout);
  auto call = std::make_shared<internal::BakeCall>(
      state_->connection, state_->policy, deadline, std::move(callback));
  call->Start(connection.Prepare(request));
  return CallHandle(std::move(call));
}

absl::Status BakeClient::WaitUntilReady(
    std::chrono::milliseconds timeout) const {
  if (state_->connection->OnIoThread()) {
    return internal::BlockingCallError("WaitUntilReady");
  }
  return state_->connection->WaitUntilReady(state_->connection->Now() +
                                            timeout);
}

}  // namespace kiln::client
