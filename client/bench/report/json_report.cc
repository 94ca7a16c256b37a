#include "client/bench/report/json_report.h"

#include "client/bench/measure/duration_text.h"
#include "client/bench/measure/measure_json.h"
#include "client/bench/report/percentiles.h"
#include "nlohmann/json.hpp"

namespace kiln::client {
namespace {

using Json = nlohmann::ordered_json;

Json LatencyJson(const LatencyHistogram& latencies) {
  Json json = {{"min", Microseconds(latencies.min())},
               {"mean", Microseconds(latencies.mean())}};
  for (const NamedPercentile& percentile : kPercentiles) {
    json[percentile.name] =
        Microseconds(latencies.Percentile(percentile.fraction));
  }
  json["max"] = Microseconds(latencies.max());
  return json;
}

Json RowsJson(const TimeSeries& series) {
  Json rows = Json::array();
  for (size_t i = 0; i < series.size(); ++i) {
    const TimeRow row = series.Row(i);
    rows.push_back({{"second", i},
                    {"requests", row.requests},
                    {"answers", row.answers},
                    {"errors", row.errors},
                    {"p50_us", Microseconds(row.latencies.Percentile(0.5))},
                    {"p99_us", Microseconds(row.latencies.Percentile(0.99))},
                    {"max_us", Microseconds(row.latencies.max())}});
  }
  return rows;
}

Json SeriesJson(const Series& series) {
  const LoadResult& total = series.total;
  Json json = {{"requests", total.good},
               {"failed", total.failed()},
               {"retries", total.retries},
               {"held_back", total.held_back},
               {"seconds", Seconds(total.time)},
               {"requests_per_second", total.PerSecond()},
               {"rounds_per_second", series.per_second},
               {"bytes_sent", total.bytes_sent},
               {"bytes_received", total.bytes_received},
               {"latency_us", LatencyJson(total.latencies)},
               {"send_lag_us", LatencyJson(total.send_lag)},
               {"generator_fell_behind", series.complaint.has_value()},
               {"generator_cpu_seconds", Seconds(total.cpu)},
               {"errors", total.errors}};
  if (series.server_cpu) {
    json["server_cpu_us_per_request"] = Microseconds(*series.server_cpu);
  }
  json["rows"] = RowsJson(total.series);
  json["latency_histogram"] = HistogramToJson(total.latencies);
  json["send_lag_histogram"] = HistogramToJson(total.send_lag);
  return json;
}

Json SearchJson(const RateSearchResult& search) {
  Json probes = Json::array();
  for (const Probe& probe : search.probes) {
    probes.push_back({{"rate", probe.rate},
                      {"met", probe.end == ProbeEnd::kMet},
                      {"fell_behind", probe.end == ProbeEnd::kBehind},
                      {"figures", probe.figures}});
  }
  return {{"rate", search.rate},
          {"missed", search.missed},
          {"limited_by_generator", search.limited_by_generator},
          {"probes", std::move(probes)}};
}

Json ModeJson(const ModeReport& mode, std::chrono::nanoseconds inproc_cpu) {
  Json json = {{"rate", mode.rate}, {"kiln", SeriesJson(mode.kiln)}};
  if (mode.echo) {
    json["echo"] = SeriesJson(*mode.echo);
    json["throughput_ratio"] = mode.ThroughputRatio();
    if (const auto factor = mode.CpuFactor(inproc_cpu)) {
      json["cpu_factor"] = *factor;
    }
  }
  if (mode.search) json["search"] = SearchJson(*mode.search);
  return json;
}

Json SettingsJson(const BenchOptions& options) {
  const WorkloadOptions& workload = options.workload;
  Json json = {
      {"inputs", workload.grids},
      {"vox", workload.vox_file},
      {"edge", workload.edge},
      {"encoding", workload.encoding},
      {"method", std::string(core::MethodName(workload.recipe.method))},
      {"effort", workload.recipe.effort},
      {"blocks_per_request", workload.blocks_per_request},
      {"processes", options.processes},
      {"connections", options.connections},
      {"in_flight", options.in_flight},
      {"rate", options.rate},
      {"arrival",
       options.arrival == Arrival::kPoisson ? "poisson" : "constant"},
      {"seed", options.seed},
      {"warm_up_seconds", Seconds(options.warm_up)},
      {"measured_seconds", Seconds(options.duration)},
      {"rounds", options.rounds}};
  if (options.slo) {
    json["slo"] = options.slo->ToText();
    json["resolution"] = options.search.resolution;
  }
  return json;
}

}  // namespace

std::string ReportJson(const BenchOptions& options, const BenchReport& report) {
  Json json = SettingsJson(options);
  json["request_bytes"] = report.mean_sizes.request;
  json["response_bytes"] = report.mean_sizes.response;
  json["inproc_cpu_us"] = Microseconds(report.inproc_cpu);
  for (const ModeReport& mode : report.modes) {
    json[ModeName(mode.mode)] = ModeJson(mode, report.inproc_cpu);
  }
  // Messages of errors and names of files may hold any bytes.
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace kiln::client
