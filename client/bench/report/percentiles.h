// client/bench/report/percentiles.h
//
// The percentiles that every report shows.

#ifndef KILN_CLIENT_BENCH_REPORT_PERCENTILES_H_
#define KILN_CLIENT_BENCH_REPORT_PERCENTILES_H_

namespace kiln::client {

struct NamedPercentile {
  const char* name;
  double fraction;
};

inline constexpr NamedPercentile kPercentiles[] = {
    {"p50", 0.5},  {"p90", 0.9},     {"p95", 0.95},
    {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999},
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_PERCENTILES_H_
