#include "client/bench/options/bench_options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/bench/measure/duration_text.h"
#include "client/bench/options/conflicts.h"
#include "client/bench/options/option_table.h"
#include "client/cli/arguments.h"
#include "client/cli/errors.h"
#include "core/base/errors.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/voxel/sample/sample_grids.h"

namespace kiln::client {
namespace {

constexpr double kMaxRate = 1e7;  // requests a second

// The index of `value` among `names`.
template <typename Names>
absl::StatusOr<size_t> IndexOf(const Arguments& arguments,
                               absl::string_view option, const Names& names,
                               absl::string_view otherwise) {
  const std::string value = arguments.Text(option, otherwise);
  for (size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == value) return i;
  }
  return UsageError(core::FieldError(absl::StrCat("--", option), value,
                                     absl::StrJoin(names, ", ")));
}

// A number that may have a fraction.
absl::StatusOr<double> Decimal(const Arguments& arguments,
                               absl::string_view option, double otherwise,
                               double min, double max) {
  if (!arguments.Has(option)) return otherwise;
  const std::string text = arguments.Text(option);
  double value = 0;
  // SimpleAtod also takes "nan", which no range holds.
  if (!absl::SimpleAtod(text, &value) || !(value >= min && value <= max)) {
    return UsageError(core::FieldError(absl::StrCat("--", option), text,
                                       absl::StrCat(min, "..", max)));
  }
  return value;
}

absl::Status ReadWorkload(const Arguments& arguments,
                          WorkloadOptions& workload) {
  workload.vox_file = arguments.Text("vox");
  workload.grids =
      absl::StrSplit(arguments.Text("inputs", "hills"), ',', absl::SkipEmpty());
  for (const std::string& grid : workload.grids) {
    if (std::find(std::begin(core::kSampleGridNames),
                  std::end(core::kSampleGridNames),
                  grid) == std::end(core::kSampleGridNames)) {
      return UsageError(core::FieldError(
          "--inputs", grid, absl::StrJoin(core::kSampleGridNames, ", ")));
    }
  }
  if (workload.grids.empty()) return UsageError("--inputs names nothing");
  KILN_ASSIGN_OR_RETURN(
      const size_t encoding,
      IndexOf(arguments, "encoding", kEncodingNames, "bitset"));
  workload.encoding = std::string(kEncodingNames[encoding]);
  KILN_ASSIGN_OR_RETURN(const int64_t edge,
                        arguments.Number("edge", 32, 1, 256));
  workload.edge = static_cast<int>(edge);
  KILN_ASSIGN_OR_RETURN(const int64_t blocks,
                        arguments.Number("blocks", 1, 1, 4096));
  workload.blocks_per_request = static_cast<int>(blocks);
  constexpr absl::string_view kCompressions[] = {"none", "zlib", "zstd", "lz4"};
  KILN_ASSIGN_OR_RETURN(
      const size_t compression,
      IndexOf(arguments, "compression", kCompressions, "none"));
  workload.compression = static_cast<Compression>(compression);
  std::vector<absl::string_view> methods;
  for (const core::Method method : core::kAllMethods) {
    methods.push_back(core::MethodName(method));
  }
  KILN_ASSIGN_OR_RETURN(const size_t method,
                        IndexOf(arguments, "method", methods, "partition"));
  workload.recipe.method = core::kAllMethods[method];
  KILN_ASSIGN_OR_RETURN(
      const int64_t effort,
      arguments.Number("effort", 0, 0, core::kMaxSearchEffort));
  workload.recipe.effort = static_cast<int>(effort);
  const absl::Status recipe = core::CheckRecipe(workload.recipe, {});
  return recipe.ok() ? recipe : UsageError(recipe);
}

// Seconds with a fraction.
absl::StatusOr<std::chrono::nanoseconds> TimeOf(const Arguments& arguments,
                                                absl::string_view option,
                                                double otherwise, double min,
                                                double max) {
  KILN_ASSIGN_OR_RETURN(const double seconds,
                        Decimal(arguments, option, otherwise, min, max));
  return std::chrono::nanoseconds(std::llround(seconds * 1e9));
}

absl::Status ReadLoad(const Arguments& arguments, BenchOptions& options) {
  KILN_ASSIGN_OR_RETURN(options.duration,
                        TimeOf(arguments, "seconds", 10, 0.1, 86400));
  KILN_ASSIGN_OR_RETURN(options.warm_up,
                        TimeOf(arguments, "warmup", 0.5, 0, 3600));
  KILN_ASSIGN_OR_RETURN(
      const int64_t rounds,
      arguments.Number("rounds", arguments.Has("echo") ? 5 : 1, 1, 1000));
  options.rounds = static_cast<int>(rounds);
  KILN_ASSIGN_OR_RETURN(const int64_t connections,
                        arguments.Number("connections", 1, 1, 1000));
  options.connections = static_cast<int>(connections);
  KILN_ASSIGN_OR_RETURN(const int64_t processes,
                        arguments.Number("processes", 1, 1, 64));
  options.processes = static_cast<int>(processes);
  if (processes > 1 && absl::StartsWith(options.server, "inproc:")) {
    return UsageError(
        "--processes needs a server that all of them can reach; inproc: is "
        "inside each: leave out one of them");
  }
  KILN_ASSIGN_OR_RETURN(const int64_t threads,
                        arguments.Number("threads", 0, 0, 1024));
  options.threads = static_cast<int>(threads);
  return absl::OkStatus();
}

absl::Status ReadSchedule(const Arguments& arguments, BenchOptions& options) {
  KILN_ASSIGN_OR_RETURN(options.rate,
                        Decimal(arguments, "rate", 0, 0, kMaxRate));
  const bool open = options.rate > 0 || arguments.Has("find-max-rate");
  KILN_ASSIGN_OR_RETURN(
      const int64_t in_flight,
      arguments.Number("in-flight", open ? 4096 : 16, 1, 65536));
  options.in_flight = static_cast<int>(in_flight);
  constexpr absl::string_view kArrivals[] = {"constant", "poisson"};
  KILN_ASSIGN_OR_RETURN(const size_t arrival,
                        IndexOf(arguments, "arrival", kArrivals, "constant"));
  options.arrival = static_cast<Arrival>(arrival);
  KILN_ASSIGN_OR_RETURN(
      const int64_t seed,
      arguments.Number("seed", 1, 0, std::numeric_limits<int64_t>::max()));
  options.seed = static_cast<uint64_t>(seed);
  if (arguments.Has("max-lag")) {
    const auto lag = ParseDuration(arguments.Text("max-lag"));
    if (!lag.ok()) {
      return UsageError(core::FieldError("--max-lag", arguments.Text("max-lag"),
                                         kAllowedDurations));
    }
    options.max_lag = *lag;
  }
  return absl::OkStatus();
}

absl::Status ReadSearch(const Arguments& arguments, BenchOptions& options) {
  if (!arguments.Has("find-max-rate")) return absl::OkStatus();
  auto slo = ParseSlo(arguments.Text("slo"));
  if (!slo.ok()) return UsageError(slo.status());
  options.slo = *std::move(slo);
  KILN_ASSIGN_OR_RETURN(const double percent,
                        Decimal(arguments, "resolution", 5, 0.1, 100));
  options.search.resolution = percent / 100;
  options.search.highest = kMaxRate;
  if (options.rate > 0) options.search.first = options.rate;
  return absl::OkStatus();
}

absl::Status ReadCompare(const Arguments& arguments, BenchOptions& options) {
  if (!arguments.Has("compare")) {
    return arguments.ExpectWords(0, 0, "argument");
  }
  CompareOptions& compare = options.compare.emplace();
  compare.before = arguments.words()[0];
  compare.after = arguments.words()[1];
  KILN_ASSIGN_OR_RETURN(const double percent,
                        Decimal(arguments, "noise", 5, 0, 100));
  compare.noise = percent / 100;
  return absl::OkStatus();
}

absl::Status ReadWorker(const Arguments& arguments, BenchOptions& options) {
  if (!arguments.Has(kWorkerOption)) return absl::OkStatus();
  KILN_ASSIGN_OR_RETURN(const int64_t index,
                        arguments.Number(kWorkerOption, 0, 0, 63));
  options.worker = WorkerOptions{.index = static_cast<int>(index)};
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BenchOptions> ReadBenchOptions(
    const std::vector<std::string>& words) {
  KILN_ASSIGN_OR_RETURN(const Arguments arguments,
                        Arguments::Parse(words, AllBenchOptions()));
  BenchOptions options;
  options.help = arguments.Has("help");
  if (options.help) return options;
  KILN_RETURN_IF_ERROR(CheckConflicts(arguments));
  KILN_RETURN_IF_ERROR(ReadCompare(arguments, options));
  options.server = arguments.Text("server");
  options.kilnd = arguments.Text("kilnd");
  constexpr absl::string_view kModes[] = {"unary", "stream", "both"};
  KILN_ASSIGN_OR_RETURN(const size_t mode,
                        IndexOf(arguments, "mode", kModes, "both"));
  if (mode != 1) options.modes.push_back(CallMode::kUnary);
  if (mode != 0) options.modes.push_back(CallMode::kStream);
  KILN_RETURN_IF_ERROR(ReadWorkload(arguments, options.workload));
  KILN_RETURN_IF_ERROR(ReadLoad(arguments, options));
  KILN_RETURN_IF_ERROR(ReadSchedule(arguments, options));
  KILN_RETURN_IF_ERROR(ReadSearch(arguments, options));
  KILN_RETURN_IF_ERROR(ReadWorker(arguments, options));
  options.echo = arguments.Has("echo");
  options.json_file = arguments.Text("json");
  options.csv_file = arguments.Text("csv");
  options.html_file = arguments.Text("html");
  return options;
}

}  // namespace kiln::client
