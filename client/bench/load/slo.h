// client/bench/load/slo.h
//
// A service level objective: how long requests may take, as "p99=5ms".

#ifndef KILN_CLIENT_BENCH_LOAD_SLO_H_
#define KILN_CLIENT_BENCH_LOAD_SLO_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/bench/measure/latency_histogram.h"

namespace kiln::client {

// One condition. Of a fraction of the requests, or of their mean.
struct SloBound {
  std::string name;                // "p99.9", "max" or "mean"
  std::optional<double> fraction;  // unset: the mean
  std::chrono::nanoseconds at_most{0};

  std::chrono::nanoseconds Measured(const LatencyHistogram& latencies) const;
};

// Met when every bound is.
struct Slo {
  std::vector<SloBound> bounds;

  bool IsMetBy(const LatencyHistogram& latencies) const;
  // "p99=5ms,max=20ms".
  std::string ToText() const;
};

// "NAME=TIME[,NAME=TIME...]": NAME is max, mean or p and a percentage above 0
// and up to 100; TIME as in duration_text.h.
// Errors: kInvalidArgument naming the part that is wrong and what is allowed.
absl::StatusOr<Slo> ParseSlo(absl::string_view text);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LOAD_SLO_H_
