#include "client/bench/report/bench_report.h"

#include <algorithm>

#include "client/bench/measure/duration_text.h"

namespace kiln::client {

void Series::Add(const LoadResult& round) {
  total.Append(round);
  per_second.push_back(round.PerSecond());
}

double ModeReport::ThroughputRatio() const {
  std::vector<double> ratios;
  for (size_t i = 0; i < echo->per_second.size(); ++i) {
    if (echo->per_second[i] > 0) {
      ratios.push_back(kiln.per_second[i] / echo->per_second[i]);
    }
  }
  if (ratios.empty()) return 0;
  std::sort(ratios.begin(), ratios.end());
  return ratios[ratios.size() / 2];
}

std::optional<double> ModeReport::CpuFactor(
    std::chrono::nanoseconds inproc_cpu) const {
  if (!echo || !echo->server_cpu || !kiln.server_cpu ||
      inproc_cpu.count() <= 0) {
    return std::nullopt;
  }
  return Microseconds(*kiln.server_cpu - *echo->server_cpu) /
         Microseconds(inproc_cpu);
}

std::vector<const Series*> ModeReport::AllSeries() const {
  std::vector<const Series*> all = {&kiln};
  if (echo) all.push_back(&*echo);
  return all;
}

std::vector<const Series*> BenchReport::AllSeries() const {
  std::vector<const Series*> all;
  for (const ModeReport& mode : modes) {
    const std::vector<const Series*> some = mode.AllSeries();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

const char* ModeName(CallMode mode) {
  return mode == CallMode::kUnary ? "unary" : "stream";
}

}  // namespace kiln::client
