// client/bench/load/load.h
//
// The generator of the load: keeps a number of requests under way on each
// connection (closed loop), or sends at set times whatever comes back (a
// schedule), and counts.

#ifndef KILN_CLIENT_BENCH_LOAD_LOAD_H_
#define KILN_CLIENT_BENCH_LOAD_LOAD_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "client/bench/callers/caller.h"
#include "client/bench/load/arrival_schedule.h"
#include "client/bench/measure/load_result.h"

namespace kiln::client {

struct LoadOptions {
  // Loaded but not measured, before `duration`. There is no gap between both:
  // what is under way at the border stays under way, but is not counted.
  std::chrono::nanoseconds warm_up{0};
  std::chrono::nanoseconds duration{0};  // measured
  int in_flight = 1;                     // at most, on each connection
  // Requests a second over all connections; 0: closed loop.
  double rate = 0;
  Arrival arrival = Arrival::kConstant;
  uint64_t seed = 1;
  size_t requests = 1;  // of the workload, sent in turns
  // With a schedule: what could not be sent so long after the end, because
  // there was no room or the generator is slow, is given up and counted as
  // failed. A rate of many times what the server takes would else run for as
  // many times the duration. As long as a call's own deadline.
  std::chrono::nanoseconds patience = std::chrono::seconds(10);

  // When several processes load together: the number of the first connection
  // here, of how many in all (0: those here are all), and when to start (unset:
  // now). The clock is the machine's, the same in every process.
  int first_connection = 0;
  int all_connections = 0;
  std::optional<std::chrono::steady_clock::time_point> start;
};

// Loads all connections at once and returns when every answer is there.
LoadResult RunLoad(const std::vector<std::unique_ptr<Caller>>& callers,
                   const LoadOptions& options);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LOAD_LOAD_H_
