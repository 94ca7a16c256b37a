// server/rpc/call_util.h
//
// What calls of both kinds need of gRPC's context.

#ifndef KILN_SERVER_RPC_CALL_UTIL_H_
#define KILN_SERVER_RPC_CALL_UTIL_H_

#include <chrono>

#include "absl/status/status.h"
#include "grpcpp/server_context.h"

namespace kiln::server {

// The call's deadline on the clock that cancel tokens use; max() if it has
// none.
std::chrono::steady_clock::time_point DeadlineOf(
    const grpc::ServerContext& context);

// Adds the trailer by which gRPC's own retries wait, where `status` is busy.
// Requires: the call is not finished yet.
void AddPushback(grpc::ServerContext& context, const absl::Status& status);

}  // namespace kiln::server

#endif  // KILN_SERVER_RPC_CALL_UTIL_H_
