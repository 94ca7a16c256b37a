#include "client/bench/report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

namespace kiln::client {
namespace {

using Json = nlohmann::ordered_json;

constexpr struct {
  const char* name;
  double fraction;
} kPercentiles[] = {
    {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}};

double Us(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count()) / 1000.0;
}

const char* ModeName(CallMode mode) {
  return mode == CallMode::kUnary ? "unary" : "stream";
}

std::string Row(const Series& series) {
  const LatencyHistogram& latencies = series.total.latencies;
  std::string row =
      absl::StrFormat("%-12s %10.0f", series.name, series.total.PerSecond());
  for (const auto& percentile : kPercentiles) {
    absl::StrAppendFormat(&row, " %9.0f",
                          Us(latencies.Percentile(percentile.fraction)));
  }
  absl::StrAppendFormat(&row, " %9.0f", Us(latencies.max()));
  if (series.server_cpu) {
    absl::StrAppendFormat(&row, " %10.1f", Us(*series.server_cpu));
  } else {
    absl::StrAppendFormat(&row, " %10s", "-");
  }
  absl::StrAppendFormat(&row, " %7d\n", series.total.failed());
  for (const auto& error : series.total.errors) {
    absl::StrAppendFormat(&row, "  %d x %s\n", error.second, error.first);
  }
  return row;
}

Json SeriesJson(const Series& series) {
  const LoadResult& total = series.total;
  Json latency;
  for (const auto& percentile : kPercentiles) {
    latency[percentile.name] =
        Us(total.latencies.Percentile(percentile.fraction));
  }
  latency["max"] = Us(total.latencies.max());
  latency["mean"] = Us(total.latencies.mean());
  Json json = {{"requests", total.good},
               {"failed", total.failed()},
               {"retries", total.retries},
               {"seconds", std::chrono::duration<double>(total.time).count()},
               {"requests_per_second", total.PerSecond()},
               {"rounds_per_second", series.per_second},
               {"bytes_sent", total.bytes_sent},
               {"bytes_received", total.bytes_received},
               {"latency_us", latency},
               {"behind_us", Us(total.behind)},
               {"errors", total.errors}};
  if (series.server_cpu) {
    json["server_cpu_us_per_request"] = Us(*series.server_cpu);
  }
  return json;
}

}  // namespace

void Series::Add(const LoadResult& round) {
  total.Merge(round);
  total.time += round.time;
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
  return Us(*kiln.server_cpu - *echo->server_cpu) / Us(inproc_cpu);
}

std::string ReportTable(const BenchOptions& options,
                        const BenchReport& report) {
  std::string text = absl::StrFormat(
      "%d requests in turns, %d block(s) each; %d bytes out, %d bytes back; "
      "%.1f us of CPU\nwhen baked inside the process; %d connection(s), %s\n\n",
      report.requests, options.workload.blocks_per_request,
      report.mean_sizes.request, report.mean_sizes.response,
      Us(report.inproc_cpu), options.connections,
      options.rate > 0
          ? absl::StrFormat("%.0f requests/s on schedule", options.rate)
          : absl::StrFormat("%d under way on each", options.in_flight));
  absl::StrAppendFormat(&text, "%-12s %10s %9s %9s %9s %9s %9s %10s %7s\n", "",
                        "requests/s", "p50 us", "p90", "p99", "p99.9", "max",
                        "server us", "failed");
  for (const ModeReport& mode : report.modes) {
    text += Row(mode.kiln);
    if (mode.echo) text += Row(*mode.echo);
  }
  for (const ModeReport& mode : report.modes) {
    if (options.rate > 0) {
      absl::StrAppendFormat(&text, "\n%s: behind schedule at most %.0f us",
                            ModeName(mode.mode), Us(mode.kiln.total.behind));
    }
    if (!mode.echo) continue;
    absl::StrAppendFormat(&text,
                          "\n%s: %.3f of the echo's throughput (median of %d "
                          "rounds)",
                          ModeName(mode.mode), mode.ThroughputRatio(),
                          mode.echo->per_second.size());
    if (const auto factor = mode.CpuFactor(report.inproc_cpu)) {
      absl::StrAppendFormat(
          &text, "; server CPU = the echo's + %.2f x the plain call", *factor);
    }
  }
  return absl::StrCat(text, "\n");
}

std::string ReportJson(const BenchOptions& options, const BenchReport& report) {
  const WorkloadOptions& workload = options.workload;
  Json json = {
      {"inputs", workload.grids},
      {"vox", workload.vox_file},
      {"edge", workload.edge},
      {"encoding", workload.encoding},
      {"method", std::string(core::MethodName(workload.recipe.method))},
      {"effort", workload.recipe.effort},
      {"blocks_per_request", workload.blocks_per_request},
      {"connections", options.connections},
      {"in_flight", options.in_flight},
      {"rate", options.rate},
      {"request_bytes", report.mean_sizes.request},
      {"response_bytes", report.mean_sizes.response},
      {"inproc_cpu_us", Us(report.inproc_cpu)}};
  for (const ModeReport& mode : report.modes) {
    Json entry = {{"kiln", SeriesJson(mode.kiln)}};
    if (mode.echo) {
      entry["echo"] = SeriesJson(*mode.echo);
      entry["throughput_ratio"] = mode.ThroughputRatio();
      if (const auto factor = mode.CpuFactor(report.inproc_cpu)) {
        entry["cpu_factor"] = *factor;
      }
    }
    json[ModeName(mode.mode)] = entry;
  }
  return json.dump(2) + "\n";
}

}  // namespace kiln::client
