// client/bench/report/bench_report.h
//
// What kiln-bench has found out; the writers of reports beside this file turn
// it into text.

#ifndef KILN_CLIENT_BENCH_REPORT_BENCH_REPORT_H_
#define KILN_CLIENT_BENCH_REPORT_BENCH_REPORT_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "client/bench/callers/caller.h"
#include "client/bench/load/rate_search.h"
#include "client/bench/measure/load_result.h"

namespace kiln::client {

// All rounds of one kind of call against one server.
struct Series {
  std::string name;                // "kiln unary", "echo stream" ...
  LoadResult total;                // `time` is the sum of the rounds'
  std::vector<double> per_second;  // of each round
  // Of the server's process, a request; unset where it is not our child.
  std::optional<std::chrono::nanoseconds> server_cpu;
  // Set where the generator fell behind: what to change.
  std::optional<std::string> complaint;

  void Add(const LoadResult& round);
};

struct ModeReport {
  CallMode mode = CallMode::kUnary;
  double rate = 0;  // that was asked for; 0: closed loop
  Series kiln;
  std::optional<Series> echo;
  std::optional<RateSearchResult> search;

  // Median over the rounds of kiln's throughput by the echo's.
  double ThroughputRatio() const;
  // (server CPU of a request - that of an echo) / CPU of the same bake inside
  // the process; unset where a part is not known.
  std::optional<double> CpuFactor(std::chrono::nanoseconds inproc_cpu) const;

  // kiln's, then the echo's.
  std::vector<const Series*> AllSeries() const;
};

struct BenchReport {
  std::vector<ModeReport> modes;
  // Of one request: mean bytes, and CPU when it is baked by a plain call.
  MessageSizes mean_sizes;
  std::chrono::nanoseconds inproc_cpu{0};
  size_t requests = 0;  // in the workload

  std::vector<const Series*> AllSeries() const;
};

// "unary" or "stream".
const char* ModeName(CallMode mode);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_BENCH_REPORT_H_
