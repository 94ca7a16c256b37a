// client/internal/connect.h
//
// From an address and options to a connection.

#ifndef KILN_CLIENT_INTERNAL_CONNECT_H_
#define KILN_CLIENT_INTERNAL_CONNECT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/connection.h"
#include "client/options.h"

namespace kiln::client::internal {

// kInvalidArgument naming the option, its value and the allowed range.
absl::Status CheckOptions(const ClientOptions& options);

// kInvalidArgument unless `address` is "host:port" with a port of 1..65535; a
// host with colons stands in brackets.
absl::Status CheckHostPort(absl::string_view address);

// Errors: those of the two above.
absl::StatusOr<std::shared_ptr<Connection>> MakeConnection(
    absl::string_view address, const ClientOptions& options);

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_CONNECT_H_
