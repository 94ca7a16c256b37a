// client/bench/options/conflicts.h
//
// Options that do not go together, and those that need another: an option that
// would be ignored is a mistake that is better told before a long run.

#ifndef KILN_CLIENT_BENCH_OPTIONS_CONFLICTS_H_
#define KILN_CLIENT_BENCH_OPTIONS_CONFLICTS_H_

#include "absl/status/status.h"
#include "client/cli/arguments.h"

namespace kiln::client {

// A usage error for the first combination that makes no sense; its message says
// what to add or to leave out.
absl::Status CheckConflicts(const Arguments& arguments);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_OPTIONS_CONFLICTS_H_
