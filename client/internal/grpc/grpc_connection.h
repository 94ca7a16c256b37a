// client/internal/grpc/grpc_connection.h
//
// A connection to a server.

#ifndef KILN_CLIENT_INTERNAL_GRPC_GRPC_CONNECTION_H_
#define KILN_CLIENT_INTERNAL_GRPC_GRPC_CONNECTION_H_

#include <memory>
#include <string>

#include "client/connection.h"
#include "client/options.h"

namespace kiln::client::internal {

// Connects lazily. Requires: CheckOptions and CheckHostPort are OK.
std::shared_ptr<Connection> MakeGrpcConnection(const std::string& address,
                                               const ClientOptions& options);

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_GRPC_GRPC_CONNECTION_H_
