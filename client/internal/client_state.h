// client/internal/client_state.h
//
// What the copies of a client share.

#ifndef KILN_CLIENT_INTERNAL_CLIENT_STATE_H_
#define KILN_CLIENT_INTERNAL_CLIENT_STATE_H_

#include <memory>

#include "client/connection.h"
#include "client/internal/retry_policy.h"
#include "client/options.h"

namespace kiln::client::internal {

struct ClientState {
  ClientState(std::shared_ptr<Connection> connection_in,
              const ClientOptions& options_in, uint64_t seed)
      : connection(std::move(connection_in)),
        options(options_in),
        policy(std::make_shared<RetryPolicy>(options_in.retry, seed)) {}
  ~ClientState() { connection->Shutdown(); }

  const std::shared_ptr<Connection> connection;
  const ClientOptions options;
  const std::shared_ptr<RetryPolicy> policy;
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_CLIENT_STATE_H_
