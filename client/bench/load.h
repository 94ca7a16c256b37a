// client/bench/load.h
//
// The generator of the load: keeps a number of requests under way on each
// connection (closed loop), or sends at set times whatever comes back (a
// schedule), and counts.

#ifndef KILN_CLIENT_BENCH_LOAD_H_
#define KILN_CLIENT_BENCH_LOAD_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/bench/callers/caller.h"
#include "client/bench/latency_histogram.h"

namespace kiln::client {

struct LoadOptions {
  std::chrono::nanoseconds duration{0};
  int in_flight = 1;  // on each connection
  // Requests a second over all connections; 0: closed loop.
  double rate = 0;
  size_t requests = 1;  // of the workload, sent in turns
};

// What was measured; sums of several loads are exact.
struct LoadResult {
  // Closed loop: from the sending of a request to its answer. With a schedule:
  // from the time it was due, so that a server that stalls is seen in every
  // request that it kept waiting, sent or not.
  LatencyHistogram latencies;  // of requests that succeeded
  int64_t good = 0;
  int64_t retries = 0;
  int64_t bytes_sent = 0;
  int64_t bytes_received = 0;
  std::map<std::string, int64_t> errors;  // message -> how often
  std::chrono::nanoseconds time{0};       // until the last answer
  // The most that a request was sent after it was due. Well above a timer's
  // inaccuracy it says that the generator, not the server, fell behind.
  std::chrono::nanoseconds behind{0};

  void Merge(const LoadResult& other);
  double PerSecond() const;
  int64_t failed() const;
};

// Loads all connections at once and returns when every answer is there.
LoadResult RunLoad(const std::vector<std::unique_ptr<Caller>>& callers,
                   const LoadOptions& options);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LOAD_H_
