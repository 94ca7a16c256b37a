#include "client/bench/report/table_report.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/bench/measure/duration_text.h"
#include "client/bench/report/percentiles.h"

namespace kiln::client {
namespace {

constexpr double kHighestPercentile = 0.9999;
constexpr int64_t kEnoughForHighest = 10'000;  // one of them lies beyond

std::string LoadText(const BenchOptions& options) {
  std::string text =
      options.processes > 1
          ? absl::StrFormat("%d processes of %d connection(s)",
                            options.processes, options.connections)
          : absl::StrFormat("%d connection(s)", options.connections);
  if (options.slo) {
    absl::StrAppend(&text, ", the highest rate with ", options.slo->ToText());
  } else if (options.rate > 0) {
    absl::StrAppendFormat(
        &text, ", %g requests/s due (%s)", options.rate,
        options.arrival == Arrival::kPoisson ? "poisson" : "constant");
  } else {
    absl::StrAppendFormat(&text, ", %d under way on each (closed loop)",
                          options.in_flight);
  }
  return text;
}

std::string Head(const BenchOptions& options, const BenchReport& report) {
  std::string text = absl::StrFormat(
      "%d requests in turns, %d block(s) each; %d bytes out, %d bytes back; "
      "%.1f us of CPU\nwhen baked inside the process; %s\n\n",
      report.requests, options.workload.blocks_per_request,
      report.mean_sizes.request, report.mean_sizes.response,
      Microseconds(report.inproc_cpu), LoadText(options));
  absl::StrAppendFormat(&text, "%-12s %10s", "", "requests/s");
  for (const NamedPercentile& percentile : kPercentiles) {
    absl::StrAppendFormat(
        &text, " %8s",
        absl::StrCat(percentile.name,
                     &percentile == &kPercentiles[0] ? " us" : ""));
  }
  absl::StrAppendFormat(&text, " %8s %9s %6s\n", "max", "server us", "failed");
  return text;
}

std::string Row(const Series& series) {
  const LatencyHistogram& latencies = series.total.latencies;
  std::string row =
      absl::StrFormat("%-12s %10.0f", series.name, series.total.PerSecond());
  for (const NamedPercentile& percentile : kPercentiles) {
    absl::StrAppendFormat(
        &row, " %8.0f",
        Microseconds(latencies.Percentile(percentile.fraction)));
  }
  absl::StrAppendFormat(&row, " %8.0f", Microseconds(latencies.max()));
  if (series.server_cpu) {
    absl::StrAppendFormat(&row, " %9.1f", Microseconds(*series.server_cpu));
  } else {
    absl::StrAppendFormat(&row, " %9s", "-");
  }
  absl::StrAppendFormat(&row, " %6d\n", series.total.failed());
  for (const auto& error : series.total.errors) {
    absl::StrAppendFormat(&row, "  %d x %s\n", error.second, error.first);
  }
  return row;
}

// What a reader must know to trust the row.
std::string Notes(const BenchOptions& options, const Series& series) {
  const LoadResult& total = series.total;
  std::string text;
  if (total.send_lag.count() > 0) {
    absl::StrAppendFormat(&text, "%s: send lag p99 %s, at most %s\n",
                          series.name,
                          DurationText(total.send_lag.Percentile(0.99)),
                          DurationText(total.send_lag.max()));
  }
  if (total.held_back > 0) {
    absl::StrAppendFormat(
        &text,
        "%s: %d requests waited because --in-flight %d were under way; they "
        "count from\nwhen they were due, but the server did not see them "
        "then\n",
        series.name, total.held_back, options.in_flight);
  }
  if (total.failed() > 0) {
    absl::StrAppendFormat(&text,
                          "%s: the %d failed requests are in no percentile\n",
                          series.name, total.failed());
  }
  if (total.latencies.count() < kEnoughForHighest) {
    absl::StrAppendFormat(
        &text, "%s: %d requests are too few for p%g, which is their maximum\n",
        series.name, total.latencies.count(), 100 * kHighestPercentile);
  }
  return text;
}

std::string EchoText(const ModeReport& mode,
                     std::chrono::nanoseconds inproc_cpu) {
  if (!mode.echo) return "";
  std::string text =
      absl::StrFormat("%s: %.3f of the echo's throughput (median of %d rounds)",
                      ModeName(mode.mode), mode.ThroughputRatio(),
                      mode.echo->per_second.size());
  if (const auto factor = mode.CpuFactor(inproc_cpu)) {
    absl::StrAppendFormat(
        &text, "; server CPU = the echo's + %.2f x the plain call", *factor);
  }
  return text + "\n";
}

std::string SearchText(const BenchOptions& options, const ModeReport& mode) {
  if (!mode.search) return "";
  const RateSearchResult& search = *mode.search;
  if (search.rate == 0) {
    return absl::StrFormat(
        "%s: no rate meets %s; %.0f/s was the lowest tried\n",
        ModeName(mode.mode), options.slo->ToText(), search.missed);
  }
  std::string text =
      absl::StrFormat("%s: %.0f requests/s meet %s", ModeName(mode.mode),
                      search.rate, options.slo->ToText());
  if (search.missed == 0) {
    return absl::StrCat(text, "; it is the highest rate there is\n");
  }
  absl::StrAppendFormat(&text, ", %.0f do not (resolution %g %%)\n",
                        search.missed, 100 * options.search.resolution);
  return text;
}

const char* EndText(ProbeEnd end) {
  switch (end) {
    case ProbeEnd::kMet:
      return "met";
    case ProbeEnd::kMissed:
      return "missed";
    case ProbeEnd::kBehind:
      break;
  }
  return "the load tester fell behind";
}

}  // namespace

std::string ReportTable(const BenchOptions& options,
                        const BenchReport& report) {
  std::string text = Head(options, report);
  for (const Series* series : report.AllSeries()) text += Row(*series);
  text += "\n";
  for (const Series* series : report.AllSeries()) {
    text += Notes(options, *series);
  }
  for (const ModeReport& mode : report.modes) {
    text += EchoText(mode, report.inproc_cpu) + SearchText(options, mode);
  }
  return text;
}

std::string ProbeLine(CallMode mode, const Probe& probe) {
  return absl::StrFormat("%-6s %10.1f/s  %s: %s\n", ModeName(mode), probe.rate,
                         probe.figures, EndText(probe.end));
}

}  // namespace kiln::client
