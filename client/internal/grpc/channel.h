// client/internal/grpc/channel.h
//
// The channel of a client: every argument that differs from gRPC's defaults,
// with its reason.

#ifndef KILN_CLIENT_INTERNAL_GRPC_CHANNEL_H_
#define KILN_CLIENT_INTERNAL_GRPC_CHANNEL_H_

#include <memory>
#include <string>

#include "client/options.h"
#include "grpcpp/channel.h"

namespace kiln::client::internal {

// Does not connect yet. Requires: CheckOptions(options) is OK.
std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address,
                                           const ClientOptions& options);

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_GRPC_CHANNEL_H_
