// client/internal/grpc/grpc_status.h
//
// How a finished gRPC call ends for its caller: what the server said
// (proto/wire/status_wire.h), and what gRPC itself said, in Kiln's words.

#ifndef KILN_CLIENT_INTERNAL_GRPC_GRPC_STATUS_H_
#define KILN_CLIENT_INTERNAL_GRPC_GRPC_STATUS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/status.h"
#include "grpcpp/support/time.h"

#include "client/connection.h"

namespace kiln::client::internal {

struct CallFacts {
  int64_t request_bytes = 0;  // of the message that was sent; -1: of several
  int64_t max_response_bytes = 0;
  Clock::time_point deadline;
  bool cancelled = false;  // by us
};

// `context` is of the finished call: its trailers may hold the pushback.
absl::Status EndOfCall(const grpc::Status& status,
                       const grpc::ClientContext& context,
                       const CallFacts& facts);

// A deadline as gRPC takes it. The steady clock is gRPC's monotonic one.
gpr_timespec GrpcDeadline(Clock::time_point deadline);

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_GRPC_GRPC_STATUS_H_
