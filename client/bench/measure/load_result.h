// client/bench/measure/load_result.h
//
// What one load has measured. Results of connections and of processes that
// loaded at the same time add up exactly.

#ifndef KILN_CLIENT_BENCH_MEASURE_LOAD_RESULT_H_
#define KILN_CLIENT_BENCH_MEASURE_LOAD_RESULT_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "client/bench/measure/latency_histogram.h"
#include "client/bench/measure/time_series.h"

namespace kiln::client {

// Warm-up is in none of these but `cpu` and `warm_up_good`.
struct LoadResult {
  // Closed loop: from the sending of a request to its answer. With a schedule:
  // from the time it was due, so that a server that stalls is seen in every
  // request that it kept waiting, sent or not.
  LatencyHistogram latencies;  // of requests that succeeded
  // With a schedule: how long after the moment it could have been sent (it was
  // due, and fewer than the bound were under way) each request was sent. What
  // is here is the generator's own delay, never the server's.
  LatencyHistogram send_lag;
  int64_t good = 0;
  int64_t warm_up_good = 0;  // sent in the warm-up: for costs per request
  int64_t retries = 0;
  // Requests that were due while as many as allowed were under way. They count
  // from when they were due all the same, but the server did not see them then.
  int64_t held_back = 0;
  int64_t bytes_sent = 0;
  int64_t bytes_received = 0;
  std::map<std::string, int64_t> errors;  // message -> how often
  std::chrono::nanoseconds time{0};       // to the last answer, at least the
                                          // time that was asked for
  std::chrono::nanoseconds cpu{0};        // of the generator's process
  TimeSeries series;

  // Adds what was measured at the same time; `time` is the longer one.
  void Merge(const LoadResult& other);
  // Adds what was measured later; `time` is the sum.
  void Append(const LoadResult& other);
  double PerSecond() const;
  int64_t failed() const;

 private:
  void AddCounts(const LoadResult& other);
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_MEASURE_LOAD_RESULT_H_
