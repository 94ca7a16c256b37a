// client/bench/processes/load_order.h
//
// What a kiln-bench tells another that loads for it: a command line once, and
// then a line of JSON for each load.

#ifndef KILN_CLIENT_BENCH_PROCESSES_LOAD_ORDER_H_
#define KILN_CLIENT_BENCH_PROCESSES_LOAD_ORDER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/bench/load/load.h"
#include "client/bench/options/bench_options.h"

namespace kiln::client {

// The command line of worker `index`: it sends the workload of `options` in
// `mode` to `address`. What stands in a load order is not in it.
std::vector<std::string> WorkerWords(const BenchOptions& options,
                                     const std::string& address, CallMode mode,
                                     int index);

// One line without its end: all of `options` but `requests`, which the worker
// knows. LoadOrderFromText gives the same back.
std::string LoadOrderToText(const LoadOptions& options);
// Errors: kInvalidArgument naming what is missing.
absl::StatusOr<LoadOptions> LoadOrderFromText(absl::string_view text);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_PROCESSES_LOAD_ORDER_H_
