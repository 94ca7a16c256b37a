// client/bench/options/bench_options.h
//
// The command line of kiln-bench.

#ifndef KILN_CLIENT_BENCH_OPTIONS_BENCH_OPTIONS_H_
#define KILN_CLIENT_BENCH_OPTIONS_BENCH_OPTIONS_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/callers/caller.h"
#include "client/bench/load/arrival_schedule.h"
#include "client/bench/load/rate_search.h"
#include "client/bench/load/slo.h"
#include "client/bench/workload.h"

namespace kiln::client {

// Two reports to compare instead of a run.
struct CompareOptions {
  std::string before;
  std::string after;
  double noise = 0.05;  // ratios this near to 1 are called the same
};

// The hidden form in which kiln-bench starts itself (processes/).
struct WorkerOptions {
  int index = 0;
};

struct BenchOptions {
  bool help = false;
  std::optional<CompareOptions> compare;
  std::optional<WorkerOptions> worker;

  std::string server;  // empty: kilnd is started as a child
  std::string kilnd;   // its path; empty: beside this program
  int threads = 0;     // its --threads; 0: its default
  std::vector<CallMode> modes;
  WorkloadOptions workload;

  std::chrono::nanoseconds duration{0};  // measured, of each mode
  std::chrono::nanoseconds warm_up{0};   // before it
  int rounds = 1;
  int processes = 1;
  int connections = 1;  // of each process
  int in_flight = 1;    // on each connection
  double rate = 0;      // of all processes; 0: closed loop
  Arrival arrival = Arrival::kConstant;
  uint64_t seed = 1;
  // Of the generator; unset: the default of generator_check.h.
  std::optional<std::chrono::nanoseconds> max_lag;
  bool echo = false;

  std::optional<Slo> slo;  // set: the highest rate within it is looked for
  RateSearchOptions search;

  std::string json_file;
  std::string csv_file;
  std::string html_file;
};

// Errors: usage errors (client/cli/errors.h) that name the option and say what
//         to do, for values out of range and options that do not go together.
absl::StatusOr<BenchOptions> ReadBenchOptions(
    const std::vector<std::string>& words);

std::string BenchHelp();

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_OPTIONS_BENCH_OPTIONS_H_
