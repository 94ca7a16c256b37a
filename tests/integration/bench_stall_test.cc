// A server that is stopped while kiln-bench loads it. Coordinated omission, the
// classic fault of load testers, would leave the stall out of the percentiles.
// Two oracles: the times at which every message passed a relay between both,
// and a queue calculated from three moments: when the server was stopped, and
// when the first and the last answer of the backlog passed.
//
// KILN_STALL_LONG=1 stops it for 2 s in 20 s and wants agreement within 1 %,
// for a quiet machine; else it is 1 s in 6 s and ten times that bound.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/bench_program.h"
#include "tests/integration/bench_proxy.h"
#include "tests/integration/server_harness.h"

namespace kiln::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

constexpr double kRate = 200;
constexpr milliseconds kWarmUp{500};

struct StallPlan {
  milliseconds seconds{6000};
  milliseconds stall{1000};
  double tolerance = 0.1;
  // Where the tolerance is less than this (the p90 of a stall of a tenth is
  // that of its very end), this counts: what a thread waits for one of two busy
  // cores.
  double wake_up_ms = 20;
};

StallPlan PlanOfTheDay() {
  const char* value = std::getenv("KILN_STALL_LONG");
  if (value == nullptr || std::string(value) != "1") return {};
  return {milliseconds(20'000), milliseconds(2000), 0.01, 2};
}

// Number `count` from the start of the load, warm-up included, is due then.
nanoseconds DueAfter(size_t count) {
  return nanoseconds(std::llround(static_cast<double>(count) * 1e9 / kRate));
}

double Percentile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  const double rank =
      std::ceil(fraction * static_cast<double>(values.size()) - 1e-9);
  return values[static_cast<size_t>(std::max(rank, 1.0)) - 1];
}

// What one run has left behind.
struct StallRun {
  BenchOutcome outcome;
  BenchProxy::Log log;
  Clock::time_point stopped;
  nlohmann::json series;

  // The start of the load: no request is sent before it is due, and of
  // thousands one is sent on time.
  Clock::time_point Start() const {
    Clock::time_point start = Clock::time_point::max();
    for (size_t i = 0; i < log.requests.size(); ++i) {
      start = std::min(start, log.requests[i].time - DueAfter(i));
    }
    return start;
  }
};

// Stops the server `after` the first request has passed.
void Stall(const StallPlan& plan, BenchProxy& proxy, KilndProcess& kilnd,
           StallRun& run) {
  const auto warm = static_cast<size_t>(
      kRate *
      std::chrono::duration<double>(kWarmUp + plan.seconds / 4).count());
  ASSERT_TRUE(WaitUntil([&] { return proxy.Busiest().requests.size() >= warm; },
                        milliseconds(30'000)));
  run.stopped = Clock::now();
  kilnd.Signal(SIGSTOP);
  std::this_thread::sleep_until(run.stopped + plan.stall);
  kilnd.Signal(SIGCONT);
}

StallRun RunWithStall(const std::string& mode, const StallPlan& plan) {
  StallRun run;
  KilndProcess kilnd({"--log_level=warn"});
  BenchProxy proxy(kilnd.address());
  const std::string json = BenchFile("_stall.json");
  std::thread bench([&] {
    run.outcome = RunKilnBench(
        "--server " + proxy.address() + " --mode " + mode +
        " --inputs flat --edge 16 --rate " + std::to_string(kRate) +
        " --warmup 0.5 --seconds " +
        std::to_string(std::chrono::duration<double>(plan.seconds).count()) +
        " --max-lag 10s --json " + json);
  });
  Stall(plan, proxy, kilnd, run);
  bench.join();
  run.log = proxy.Busiest();
  std::ifstream file(json);
  const nlohmann::json report = nlohmann::json::parse(file, nullptr, false);
  if (report.is_object()) run.series = report[mode]["kiln"];
  return run;
}

// Milliseconds from when each measured request was due until its response had
// passed the relay. Calls have streams of their own; messages of one stream
// are answered in their order, but for neighbours.
std::vector<double> LatenciesOnTheWire(const StallRun& run) {
  std::vector<PassedMessage> responses = run.log.responses;
  std::stable_sort(responses.begin(), responses.end(),
                   [](const PassedMessage& a, const PassedMessage& b) {
                     return a.stream < b.stream;
                   });
  std::vector<double> latencies;
  for (size_t i = 0; i < responses.size(); ++i) {
    if (DueAfter(i) < kWarmUp) continue;
    const auto latency = responses[i].time - (run.Start() + DueAfter(i));
    latencies.push_back(
        std::chrono::duration<double, std::milli>(latency).count());
  }
  return latencies;
}

// The same for a server that answers at once but for the stall, and then its
// backlog one by one at an even pace.
std::vector<double> CalculatedLatencies(const StallRun& run, size_t count) {
  const Clock::time_point start = run.Start();
  size_t first = 0;  // that was due while it stood still
  while (start + DueAfter(first) < run.stopped) ++first;
  // Answers come in the order of requests here, or nearly.
  Clock::time_point free_at = run.log.responses[first].time;
  size_t last = first;  // that was due before the first answer
  while (last + 1 < count && start + DueAfter(last + 1) < free_at) ++last;
  const nanoseconds service =
      (run.log.responses[last].time - free_at) /
      static_cast<int64_t>(std::max<size_t>(last - first, 1));
  std::vector<double> latencies;
  for (size_t i = 0; i < count; ++i) {
    const Clock::time_point due = start + DueAfter(i);
    Clock::time_point answered = due;
    if (i >= first) {
      answered = std::max(due, free_at);
      free_at = answered + service;
    }
    if (DueAfter(i) < kWarmUp) continue;
    latencies.push_back(
        std::chrono::duration<double, std::milli>(answered - due).count());
  }
  return latencies;
}

// Says where what kiln-bench told differs from an oracle; nothing where it
// agrees.
std::string Disagreement(const StallPlan& plan, const char* oracle,
                         const std::string& percentile, double told,
                         double right) {
  const double off = std::abs(told - right);
  std::printf("  %-5s told %8.3f ms, %s %8.3f (%+.2f %%)\n", percentile.c_str(),
              told, oracle, right, 100 * (told / right - 1));
  if (off <= std::max(plan.tolerance * right, plan.wake_up_ms)) return "";
  return percentile + " is not what is " + oracle + "; ";
}

std::string DisagreementsOf(const StallRun& run, const StallPlan& plan,
                            size_t requests) {
  constexpr struct {
    const char* name;
    double fraction;
  } kAll[] = {{"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}};
  const std::vector<double> wire = LatenciesOnTheWire(run);
  const std::vector<double> calculated = CalculatedLatencies(run, requests);
  std::string all;
  for (const auto& percentile : kAll) {
    const double told =
        run.series["latency_us"][percentile.name].get<double>() / 1000;
    all += Disagreement(plan, "on the wire", percentile.name, told,
                        Percentile(wire, percentile.fraction));
    // A backlog is not answered at a pace quite even: the last of it are not
    // calculated.
    const double by_hand = Percentile(calculated, percentile.fraction);
    if (by_hand < 100) continue;
    all += Disagreement(plan, "calculated", percentile.name, told, by_hand);
  }
  return all;
}

class BenchStall : public testing::TestWithParam<const char*> {};

// A machine that others use stands still itself for half a second at times,
// between the relay and the load tester. A load tester that omits or adds
// something does so every time, so one run of three has to agree.
TEST_P(BenchStall, PercentilesAgreeWithBothOracles) {
  constexpr int kAttempts = 3;
  const StallPlan plan = PlanOfTheDay();
  const auto all = static_cast<size_t>(
      kRate * std::chrono::duration<double>(kWarmUp + plan.seconds).count());
  std::string disagreements = "not run";
  for (int i = 0; i < kAttempts && !disagreements.empty(); ++i) {
    const StallRun run = RunWithStall(GetParam(), plan);
    ASSERT_EQ(run.outcome.code, 0) << run.outcome.output;
    ASSERT_TRUE(run.series.is_object()) << run.outcome.output;
    ASSERT_EQ(run.log.requests.size(), all);
    ASSERT_EQ(run.log.responses.size(), all);
    EXPECT_EQ(run.series["requests"], kRate * plan.seconds.count() / 1000);
    std::printf("%s, run %d\n", GetParam(), i + 1);
    disagreements = DisagreementsOf(run, plan, all);
  }
  EXPECT_EQ(disagreements, "");
}

INSTANTIATE_TEST_SUITE_P(Modes, BenchStall, testing::Values("unary", "stream"));

}  // namespace
}  // namespace kiln::tests
