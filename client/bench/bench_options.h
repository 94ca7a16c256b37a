// client/bench/bench_options.h
//
// The command line of kiln-bench.

#ifndef KILN_CLIENT_BENCH_BENCH_OPTIONS_H_
#define KILN_CLIENT_BENCH_BENCH_OPTIONS_H_

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/callers/caller.h"
#include "client/bench/workload.h"

namespace kiln::client {

struct BenchOptions {
  bool help = false;
  std::string server;  // empty: kilnd is started as a child
  std::string kilnd;   // its path; empty: beside this program
  int threads = 0;     // its --threads; 0: its default
  std::vector<CallMode> modes;
  WorkloadOptions workload;
  std::chrono::seconds seconds{10};
  int rounds = 5;
  int connections = 1;
  int in_flight = 16;
  double rate = 0;
  bool echo = false;
  std::string json_file;
};

// Errors: usage errors (client/cli/errors.h) naming the option.
absl::StatusOr<BenchOptions> ReadBenchOptions(
    const std::vector<std::string>& words);

std::string BenchHelp();

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_BENCH_OPTIONS_H_
