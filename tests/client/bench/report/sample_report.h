// tests/client/bench/report/sample_report.h
//
// A report with everything in it, for the tests of its writers.

#ifndef KILN_TESTS_CLIENT_BENCH_REPORT_SAMPLE_REPORT_H_
#define KILN_TESTS_CLIENT_BENCH_REPORT_SAMPLE_REPORT_H_

#include <chrono>
#include <string>

#include "client/bench/options/bench_options.h"
#include "client/bench/report/bench_report.h"

namespace kiln::tests {

// 3 seconds of 100 requests that took 1 ms, 2 ms ... 100 ms, one of them
// failed with a message that is hostile to HTML, CSV and JSON.
inline client::Series SampleSeries(const std::string& name) {
  client::LoadResult round;
  for (int second = 0; second < 3; ++second) {
    for (int i = 1; i <= 100; ++i) {
      const std::chrono::milliseconds latency(i);
      round.latencies.Add(latency);
      round.send_lag.Add(std::chrono::microseconds(i));
      round.series.Add(std::chrono::seconds(second), latency, true);
      ++round.good;
    }
  }
  round.errors["<script src=\"http://x/\">, & \"\xff\""] = 1;
  round.series.Add(std::chrono::seconds(1), std::chrono::milliseconds(1),
                   false);
  round.time = std::chrono::seconds(3);
  client::Series series;
  series.name = name;
  series.Add(round);
  return series;
}

inline client::BenchReport SampleReport() {
  client::BenchReport report;
  report.requests = 1;
  report.mean_sizes = {100, 200};
  report.inproc_cpu = std::chrono::microseconds(50);
  client::ModeReport& mode = report.modes.emplace_back();
  mode.rate = 100;
  mode.kiln = SampleSeries("kiln unary");
  mode.kiln.complaint = "fell behind <a>";
  mode.echo = SampleSeries("echo unary");
  client::RateSearchResult& search = mode.search.emplace();
  search.rate = 100;
  search.missed = 105;
  search.probes.push_back({100, client::ProbeEnd::kMet, "p99 1ms"});
  search.probes.push_back({105, client::ProbeEnd::kMissed, "p99 7ms"});
  return report;
}

inline client::BenchOptions SampleOptions() {
  client::BenchOptions options;
  options.rate = 100;
  options.duration = std::chrono::seconds(3);
  options.slo = *client::ParseSlo("p99=5ms");
  return options;
}

}  // namespace kiln::tests

#endif  // KILN_TESTS_CLIENT_BENCH_REPORT_SAMPLE_REPORT_H_
