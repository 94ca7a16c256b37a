// client/bench/baseline.h
//
// What a workload costs without load: bytes of its messages, and processor time
// of the same bakes by plain calls.

#ifndef KILN_CLIENT_BENCH_BASELINE_H_
#define KILN_CLIENT_BENCH_BASELINE_H_

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/callers/caller.h"
#include "client/bench/workload.h"

namespace kiln::client {

// Sends each request once. Errors: that of the first that fails.
absl::StatusOr<std::vector<MessageSizes>> MeasureSizes(
    const std::string& address, const Workload& workload);

// Requires: not empty.
MessageSizes MeanOf(const std::vector<MessageSizes>& sizes);

// Processor time of one request baked on this thread, in the mean. Takes about
// 0.3 s.
std::chrono::nanoseconds MeasureInproc(const Workload& workload);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_BASELINE_H_
