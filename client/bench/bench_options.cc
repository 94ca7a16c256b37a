#include "client/bench/bench_options.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/cli/arguments.h"
#include "client/cli/errors.h"
#include "core/base/errors.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/voxel/sample/sample_grids.h"

namespace kiln::client {
namespace {

constexpr OptionSpec kOptions[] = {
    {"server", "ADDR", "host:port of a server, or inproc: for none"},
    {"spawn", "",
     "start kilnd as a child on loopback (without --server the "
     "default)"},
    {"kilnd", "PATH", "the kilnd to start (default: beside kiln-bench)"},
    {"threads", "N", "its --threads, 0..1024 (0: its default)"},
    {"mode", "MODE", "unary, stream or both (both)"},
    {"inputs", "LIST",
     "of hills, caves, ball, flat, noise; sent in turns "
     "(hills)"},
    {"edge", "N", "voxels along an edge of a block, 1..256 (32)"},
    {"encoding", "NAME",
     "bitset, u8, u16, u32, packed, palette, runs, points,\n"
     "boxes or columns (bitset)"},
    {"vox", "FILE", "blocks of a .vox file instead of --inputs and --encoding"},
    {"blocks", "N", "blocks in each request, 1..4096 (1)"},
    {"method", "NAME", "partition, search, cover, tree or grow (partition)"},
    {"effort", "N", "of search, 0..3 (0)"},
    {"compression", "NAME", "none, zlib, zstd or lz4 (none)"},
    {"seconds", "N", "for each mode, 1..86400 (10)"},
    {"rounds", "N", "that they are cut into, 1..1000 (5)"},
    {"connections", "N", "each with a thread of its own, 1..1000 (1)"},
    {"in-flight", "N", "requests under way on each connection, 1..65536 (16)"},
    {"rate", "N",
     "requests a second over all connections, sent on schedule;\n"
     "0: closed loop (0)"},
    {"echo", "",
     "also load a bare gRPC echo server with the same bytes, round\n"
     "by round in turns, and compare"},
    {"json", "FILE", "write all figures there, - for standard output"},
    {"help", "", "this text"},
};

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

absl::Status ReadWorkload(const Arguments& arguments,
                          WorkloadOptions& workload) {
  workload.vox_file = arguments.Text("vox");
  if (!workload.vox_file.empty() &&
      (arguments.Has("inputs") || arguments.Has("encoding"))) {
    return UsageError("--vox does not go together with --inputs or --encoding");
  }
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

absl::Status ReadLoad(const Arguments& arguments, BenchOptions& options) {
  KILN_ASSIGN_OR_RETURN(const int64_t seconds,
                        arguments.Number("seconds", 10, 1, 86400));
  options.seconds = std::chrono::seconds(seconds);
  KILN_ASSIGN_OR_RETURN(const int64_t rounds,
                        arguments.Number("rounds", 5, 1, 1000));
  options.rounds = static_cast<int>(rounds);
  KILN_ASSIGN_OR_RETURN(const int64_t connections,
                        arguments.Number("connections", 1, 1, 1000));
  options.connections = static_cast<int>(connections);
  KILN_ASSIGN_OR_RETURN(const int64_t in_flight,
                        arguments.Number("in-flight", 16, 1, 65536));
  options.in_flight = static_cast<int>(in_flight);
  KILN_ASSIGN_OR_RETURN(const int64_t rate,
                        arguments.Number("rate", 0, 0, 10'000'000));
  options.rate = static_cast<double>(rate);
  KILN_ASSIGN_OR_RETURN(const int64_t threads,
                        arguments.Number("threads", 0, 0, 1024));
  options.threads = static_cast<int>(threads);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BenchOptions> ReadBenchOptions(
    const std::vector<std::string>& words) {
  KILN_ASSIGN_OR_RETURN(const Arguments arguments,
                        Arguments::Parse(words, kOptions));
  BenchOptions options;
  options.help = arguments.Has("help");
  KILN_RETURN_IF_ERROR(arguments.ExpectWords(0, 0, "argument"));
  options.server = arguments.Text("server");
  if (arguments.Has("server") && arguments.Has("spawn")) {
    return UsageError("--server does not go together with --spawn");
  }
  options.kilnd = arguments.Text("kilnd");
  constexpr absl::string_view kModes[] = {"unary", "stream", "both"};
  KILN_ASSIGN_OR_RETURN(const size_t mode,
                        IndexOf(arguments, "mode", kModes, "both"));
  if (mode != 1) options.modes.push_back(CallMode::kUnary);
  if (mode != 0) options.modes.push_back(CallMode::kStream);
  KILN_RETURN_IF_ERROR(ReadWorkload(arguments, options.workload));
  KILN_RETURN_IF_ERROR(ReadLoad(arguments, options));
  options.echo = arguments.Has("echo");
  options.json_file = arguments.Text("json");
  return options;
}

std::string BenchHelp() {
  constexpr size_t kColumn = 22;
  std::string text =
      "kiln-bench: loads a Kiln server and reports throughput and latencies\n\n"
      "usage: kiln-bench [--server ADDR] [OPTION...]\n\noptions:\n";
  for (const OptionSpec& option : kOptions) {
    std::string margin = absl::StrCat(
        "  --", option.name, option.value.empty() ? "" : " ", option.value);
    margin.resize(std::max(margin.size() + 1, kColumn), ' ');
    for (const absl::string_view line : absl::StrSplit(option.help, '\n')) {
      absl::StrAppend(&text, margin, line, "\n");
      margin.assign(kColumn, ' ');
    }
  }
  absl::StrAppend(
      &text,
      "\nIn a closed loop each answer sends the next request, and latencies "
      "count from\nthe sending; a server that stalls then also stops the load. "
      "With --rate they\ncount from the time each request was due, sent or "
      "not, and \"behind\" says how\nfar the load tester itself was late. "
      "Streams are measured message by message.\nA round of half a second "
      "before the others warms up and is not counted.\n\n"
      "exit codes: 0 done, 1 failed or some requests failed, 2 the command "
      "line is wrong\n");
  return text;
}

}  // namespace kiln::client
