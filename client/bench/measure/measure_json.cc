#include "client/bench/measure/measure_json.h"

#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "nlohmann/json.hpp"

namespace kiln::client {
namespace {

using std::chrono::nanoseconds;
using Json = nlohmann::ordered_json;

// The integer of that name in an object.
absl::StatusOr<int64_t> Integer(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number_integer()) {
    return core::FieldError(name, "missing", "an integer");
  }
  return found->get<int64_t>();
}

absl::StatusOr<const Json*> Part(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) {
    return core::FieldError(name, "missing", "a part of a measurement");
  }
  return &*found;
}

Json RowToJson(const TimeRow& row) {
  return {{"requests", row.requests},
          {"answers", row.answers},
          {"errors", row.errors},
          {"latencies", HistogramToJson(row.latencies)}};
}

absl::StatusOr<TimeRow> RowFromJson(const Json& json) {
  TimeRow row;
  KILN_ASSIGN_OR_RETURN(row.requests, Integer(json, "requests"));
  KILN_ASSIGN_OR_RETURN(row.answers, Integer(json, "answers"));
  KILN_ASSIGN_OR_RETURN(row.errors, Integer(json, "errors"));
  KILN_ASSIGN_OR_RETURN(const Json* latencies, Part(json, "latencies"));
  KILN_ASSIGN_OR_RETURN(row.latencies, HistogramFromJson(*latencies));
  return row;
}

absl::StatusOr<TimeSeries> SeriesFromJson(const Json& json) {
  std::vector<TimeRow> rows;
  for (const Json& entry : json) {
    KILN_ASSIGN_OR_RETURN(TimeRow row, RowFromJson(entry));
    rows.push_back(std::move(row));
  }
  return TimeSeries::FromRows(rows);
}

absl::StatusOr<std::map<std::string, int64_t>> ErrorsFromJson(
    const Json& json) {
  std::map<std::string, int64_t> errors;
  for (const auto& entry : json.items()) {
    if (!entry.value().is_number_integer()) {
      return core::FieldError("errors", entry.key(), "an integer");
    }
    errors[entry.key()] = entry.value().get<int64_t>();
  }
  return errors;
}

}  // namespace

Json HistogramToJson(const LatencyHistogram& histogram) {
  const HistogramParts parts = histogram.ToParts();
  Json buckets = Json::array();
  for (const auto& [bucket, count] : parts.buckets) {
    buckets.push_back(Json::array({bucket, count}));
  }
  return {{"unit", "ns"},
          {"min", parts.min.count()},
          {"max", parts.max.count()},
          {"sum", parts.sum.count()},
          {"buckets", std::move(buckets)}};
}

absl::StatusOr<LatencyHistogram> HistogramFromJson(const Json& json) {
  HistogramParts parts;
  KILN_ASSIGN_OR_RETURN(const int64_t min, Integer(json, "min"));
  KILN_ASSIGN_OR_RETURN(const int64_t max, Integer(json, "max"));
  KILN_ASSIGN_OR_RETURN(const int64_t sum, Integer(json, "sum"));
  parts.min = nanoseconds(min);
  parts.max = nanoseconds(max);
  parts.sum = nanoseconds(sum);
  KILN_ASSIGN_OR_RETURN(const Json* buckets, Part(json, "buckets"));
  for (const Json& pair : *buckets) {
    if (pair.size() != 2 || !pair[0].is_number_unsigned() ||
        !pair[1].is_number_integer()) {
      return core::FieldError("histogram.buckets", pair.dump(),
                              "pairs of a number and a count");
    }
    parts.buckets.emplace_back(pair[0].get<uint32_t>(), pair[1].get<int64_t>());
  }
  return LatencyHistogram::FromParts(parts);
}

std::string LoadResultToText(const LoadResult& result) {
  Json rows = Json::array();
  for (size_t i = 0; i < result.series.size(); ++i) {
    rows.push_back(RowToJson(result.series.Row(i)));
  }
  const Json json = {{"latencies", HistogramToJson(result.latencies)},
                     {"send_lag", HistogramToJson(result.send_lag)},
                     {"good", result.good},
                     {"warm_up_good", result.warm_up_good},
                     {"retries", result.retries},
                     {"held_back", result.held_back},
                     {"bytes_sent", result.bytes_sent},
                     {"bytes_received", result.bytes_received},
                     {"errors", Json(result.errors)},
                     {"time", result.time.count()},
                     {"cpu", result.cpu.count()},
                     {"series", std::move(rows)}};
  // Messages of errors may hold any bytes.
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

absl::StatusOr<LoadResult> LoadResultFromText(absl::string_view text) {
  const Json json = Json::parse(text.begin(), text.end(), nullptr,
                                /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return core::FieldError("measurement", text.substr(0, 60), "JSON");
  }
  LoadResult result;
  KILN_ASSIGN_OR_RETURN(const Json* latencies, Part(json, "latencies"));
  KILN_ASSIGN_OR_RETURN(result.latencies, HistogramFromJson(*latencies));
  KILN_ASSIGN_OR_RETURN(const Json* send_lag, Part(json, "send_lag"));
  KILN_ASSIGN_OR_RETURN(result.send_lag, HistogramFromJson(*send_lag));
  KILN_ASSIGN_OR_RETURN(result.good, Integer(json, "good"));
  KILN_ASSIGN_OR_RETURN(result.warm_up_good, Integer(json, "warm_up_good"));
  KILN_ASSIGN_OR_RETURN(result.retries, Integer(json, "retries"));
  KILN_ASSIGN_OR_RETURN(result.held_back, Integer(json, "held_back"));
  KILN_ASSIGN_OR_RETURN(result.bytes_sent, Integer(json, "bytes_sent"));
  KILN_ASSIGN_OR_RETURN(result.bytes_received, Integer(json, "bytes_received"));
  KILN_ASSIGN_OR_RETURN(const Json* errors, Part(json, "errors"));
  KILN_ASSIGN_OR_RETURN(result.errors, ErrorsFromJson(*errors));
  KILN_ASSIGN_OR_RETURN(const int64_t time, Integer(json, "time"));
  KILN_ASSIGN_OR_RETURN(const int64_t cpu, Integer(json, "cpu"));
  result.time = nanoseconds(time);
  result.cpu = nanoseconds(cpu);
  KILN_ASSIGN_OR_RETURN(const Json* series, Part(json, "series"));
  KILN_ASSIGN_OR_RETURN(result.series, SeriesFromJson(*series));
  return result;
}

}  // namespace kiln::client
