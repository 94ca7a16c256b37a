// proto/wire/status_wire.h
//
// absl::Status <-> grpc::Status and kiln.v1.Status: the one place that maps
// codes. A retry hint (core BusyError) travels as google.rpc.RetryInfo inside
// `grpc-status-details-bin`; whoever ends a call adds the trailer below, which
// grpc::Status cannot carry.

#ifndef KILN_PROTO_WIRE_STATUS_WIRE_H_
#define KILN_PROTO_WIRE_STATUS_WIRE_H_

#include <chrono>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "grpcpp/support/status.h"
#include "kiln/v1/status.pb.h"

namespace kiln::wire {

// Trailing metadata by which gRPC's own retries wait, and its value. gRPC reads
// a number of milliseconds, or a negative one as "do not retry".
inline constexpr char kRetryPushbackTrailer[] = "grpc-retry-pushback-ms";

// Value of kRetryPushbackTrailer for `status`; nullopt where it has no hint.
std::optional<std::string> RetryPushback(const absl::Status& status);

// A hint read from the wire is brought into 0 ms .. this: a server's mistake
// must not put a client to sleep for years.
inline constexpr std::chrono::milliseconds kMaxRetryAfter =
    std::chrono::hours(1);

// Longest message that is sent, in bytes; what is longer is cut. gRPC clients
// accept 8 KiB of trailers by default, and the message travels twice.
inline constexpr int kMaxStatusMessageBytes = 2048;

// Threads (all): pure functions.
grpc::Status ToGrpcStatus(const absl::Status& status);

// Guarantees: not OK exactly where `status` is not OK; a code that does not
// exist becomes kUnknown; details that cannot be read are dropped.
absl::Status FromGrpcStatus(const grpc::Status& status);

v1::Status StatusToProto(const absl::Status& status);

// Guarantees: as FromGrpcStatus.
absl::Status StatusFromProto(const v1::Status& status);

}  // namespace kiln::wire

#endif  // KILN_PROTO_WIRE_STATUS_WIRE_H_
