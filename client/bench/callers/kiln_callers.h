// client/bench/callers/kiln_callers.h
//
// Several connections to one Kiln server.

#ifndef KILN_CLIENT_BENCH_CALLERS_KILN_CALLERS_H_
#define KILN_CLIENT_BENCH_CALLERS_KILN_CALLERS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/callers/caller.h"
#include "core/base/status_macros.h"

namespace kiln::client {

// Each connection as of MakeKilnCaller; all are connected.
inline absl::StatusOr<std::vector<std::unique_ptr<Caller>>> MakeKilnCallers(
    const std::string& address, CallMode mode, int connections, int in_flight,
    const Workload& workload) {
  std::vector<std::unique_ptr<Caller>> callers;
  for (int i = 0; i < connections; ++i) {
    KILN_ASSIGN_OR_RETURN(std::unique_ptr<Caller> caller,
                          MakeKilnCaller(address, mode, in_flight, workload));
    callers.push_back(std::move(caller));
  }
  return callers;
}

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_CALLERS_KILN_CALLERS_H_
