#include "client/bench/processes/load_order.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/bench/options/option_table.h"
#include "core/base/errors.h"
#include "nlohmann/json.hpp"

namespace kiln::client {
namespace {

using std::chrono::nanoseconds;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr const char* kIntegers[] = {
    "warm_up", "duration",         "patience",        "in_flight", "arrival",
    "seed",    "first_connection", "all_connections", "start"};

const char* CompressionName(Compression compression) {
  switch (compression) {
    case Compression::kZlib:
      return "zlib";
    case Compression::kZstd:
      return "zstd";
    case Compression::kLz4:
      return "lz4";
    case Compression::kNone:
      break;
  }
  return "none";
}

}  // namespace

std::vector<std::string> WorkerWords(const BenchOptions& options,
                                     const std::string& address, CallMode mode,
                                     int index) {
  const WorkloadOptions& workload = options.workload;
  std::vector<std::string> words = {
      absl::StrCat("--", kWorkerOption, "=", index),
      absl::StrCat("--server=", address),
      absl::StrCat("--mode=", mode == CallMode::kUnary ? "unary" : "stream"),
      absl::StrCat("--connections=", options.connections),
      absl::StrCat("--in-flight=", options.in_flight),
      absl::StrCat("--edge=", workload.edge),
      absl::StrCat("--blocks=", workload.blocks_per_request),
      absl::StrCat("--effort=", workload.recipe.effort),
      absl::StrCat("--compression=", CompressionName(workload.compression))};
  const absl::string_view method = core::MethodName(workload.recipe.method);
  words.push_back(absl::StrCat("--method=", method));
  if (workload.vox_file.empty()) {
    words.push_back(
        absl::StrCat("--inputs=", absl::StrJoin(workload.grids, ",")));
    words.push_back(absl::StrCat("--encoding=", workload.encoding));
  } else {
    words.push_back(absl::StrCat("--vox=", workload.vox_file));
  }
  return words;
}

std::string LoadOrderToText(const LoadOptions& options) {
  Json json = {{"warm_up", options.warm_up.count()},
               {"duration", options.duration.count()},
               {"patience", options.patience.count()},
               {"in_flight", options.in_flight},
               {"rate", options.rate},
               {"arrival", static_cast<int>(options.arrival)},
               {"seed", static_cast<int64_t>(options.seed)},
               {"first_connection", options.first_connection},
               {"all_connections", options.all_connections}};
  const Clock::time_point start = options.start.value_or(Clock::time_point());
  json["start"] = nanoseconds(start.time_since_epoch()).count();
  return json.dump();
}

absl::StatusOr<LoadOptions> LoadOrderFromText(absl::string_view text) {
  const Json json = Json::parse(text.begin(), text.end(), nullptr,
                                /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("rate") ||
      !json["rate"].is_number()) {
    return core::FieldError("load order", text, "JSON with a rate");
  }
  for (const char* name : kIntegers) {
    if (!json.contains(name) || !json[name].is_number_integer()) {
      return core::FieldError(name, "missing", "an integer");
    }
  }
  LoadOptions options;
  options.warm_up = nanoseconds(json["warm_up"].get<int64_t>());
  options.duration = nanoseconds(json["duration"].get<int64_t>());
  options.patience = nanoseconds(json["patience"].get<int64_t>());
  options.in_flight = json["in_flight"].get<int>();
  options.rate = json["rate"].get<double>();
  options.arrival = static_cast<Arrival>(json["arrival"].get<int>());
  options.seed = static_cast<uint64_t>(json["seed"].get<int64_t>());
  options.first_connection = json["first_connection"].get<int>();
  options.all_connections = json["all_connections"].get<int>();
  const nanoseconds start(json["start"].get<int64_t>());
  if (start.count() != 0) options.start = Clock::time_point(start);
  return options;
}

}  // namespace kiln::client
