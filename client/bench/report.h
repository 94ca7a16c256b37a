// client/bench/report.h
//
// What kiln-bench has found out, as a table for people and as JSON.

#ifndef KILN_CLIENT_BENCH_REPORT_H_
#define KILN_CLIENT_BENCH_REPORT_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "client/bench/bench_options.h"
#include "client/bench/load.h"

namespace kiln::client {

// All rounds of one kind of call against one server.
struct Series {
  std::string name;                // "kiln unary", "echo stream" ...
  LoadResult total;                // `time` is the sum of the rounds'
  std::vector<double> per_second;  // of each round
  // Of the server's process, a request; unset where it is not our child.
  std::optional<std::chrono::nanoseconds> server_cpu;

  void Add(const LoadResult& round);
};

struct ModeReport {
  CallMode mode = CallMode::kUnary;
  Series kiln;
  std::optional<Series> echo;

  // Median over the rounds of kiln's throughput by the echo's.
  double ThroughputRatio() const;
  // (server CPU of a request - that of an echo) / CPU of the same bake inside
  // the process; unset where a part is not known.
  std::optional<double> CpuFactor(std::chrono::nanoseconds inproc_cpu) const;
};

struct BenchReport {
  std::vector<ModeReport> modes;
  // Of one request: mean bytes, and CPU when it is baked by a plain call.
  MessageSizes mean_sizes;
  std::chrono::nanoseconds inproc_cpu{0};
  size_t requests = 0;  // in the workload
};

std::string ReportTable(const BenchOptions& options, const BenchReport& report);
std::string ReportJson(const BenchOptions& options, const BenchReport& report);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_H_
