// server/rpc/boundary.h
//
// The only place that catches: at the rpc boundary an exception becomes a
// status. Everything below returns statuses and does not throw on purpose; what
// remains is memory that is not there and libraries' own surprises.

#ifndef KILN_SERVER_RPC_BOUNDARY_H_
#define KILN_SERVER_RPC_BOUNDARY_H_

#include <exception>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "server/limits.h"

namespace kiln::server {

// body(), which returns a status; or, where it throws, busy for std::bad_alloc
// (memory comes back when other requests end) and kInternal for the rest.
template <typename Body>
absl::Status CatchAll(const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return core::BusyError("out of memory for this request", kMaxRetryAfter);
  } catch (const std::exception& error) {
    return core::InternalError(absl::StrCat("exception: ", error.what()));
  } catch (...) {
    return core::InternalError("unknown exception");
  }
}

}  // namespace kiln::server

#endif  // KILN_SERVER_RPC_BOUNDARY_H_
