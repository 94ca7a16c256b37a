// client/bench/load/rate_search.h
//
// The highest rate that a server takes within an objective, by bisection.

#ifndef KILN_CLIENT_BENCH_LOAD_RATE_SEARCH_H_
#define KILN_CLIENT_BENCH_LOAD_RATE_SEARCH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace kiln::client {

enum class ProbeEnd : uint8_t {
  kMet,     // the objective was met
  kMissed,  // it was not, or requests failed
  kBehind,  // the generator did not keep up: says nothing about the server
};

struct Probe {
  double rate = 0;  // requests a second
  ProbeEnd end = ProbeEnd::kMissed;
  std::string figures;  // what was measured, for people
};

struct RateSearchOptions {
  double first = 100;  // the rate tried first
  double lowest = 1;
  double highest = 1e7;
  // The rate that is found is within this fraction below one that was missed.
  // Requires: > 0.
  double resolution = 0.05;
};

struct RateSearchResult {
  // The highest rate that met the objective in two probes; 0: none did.
  double rate = 0;
  double missed = 0;  // the lowest rate that did not; 0: none
  // What ended the search at `missed` was the generator.
  bool limited_by_generator = false;
  std::vector<Probe> probes;  // in their order
};

// Doubles (or halves) the rate until one is met and one is not, bisects the
// ratio between both, and probes the rate it has found once more; when that is
// missed, it goes down in steps of the resolution until a rate is met again.
//
// Errors: those of `probe`.
// Guarantees: where every rate up to some limit is met and every one above it
//             is not, the result is at most the limit and at least
//             limit / (1 + resolution).
// Cost:       log2(limit / first) + log2(1 / resolution) + 3 probes there.
absl::StatusOr<RateSearchResult> FindMaxRate(
    const RateSearchOptions& options,
    const std::function<absl::StatusOr<Probe>(double rate)>& probe);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LOAD_RATE_SEARCH_H_
