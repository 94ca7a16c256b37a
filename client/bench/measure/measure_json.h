// client/bench/measure/measure_json.h
//
// Measurements as JSON: what processes of one run tell each other, and what a
// report keeps. Nothing is rounded, so merging after reading is exact.

#ifndef KILN_CLIENT_BENCH_MEASURE_MEASURE_JSON_H_
#define KILN_CLIENT_BENCH_MEASURE_MEASURE_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/bench/measure/latency_histogram.h"
#include "client/bench/measure/load_result.h"
#include "nlohmann/json_fwd.hpp"

namespace kiln::client {

// {"unit": "ns", "min", "max", "sum", "buckets": [[number, count], ...]}; the
// numbers are those of LatencyHistogram::BucketOf.
nlohmann::ordered_json HistogramToJson(const LatencyHistogram& histogram);
// Errors: kInvalidArgument naming what is missing or no histogram's.
absl::StatusOr<LatencyHistogram> HistogramFromJson(
    const nlohmann::ordered_json& json);

// One line without its end. LoadResultFromText gives the same result back.
std::string LoadResultToText(const LoadResult& result);
// Errors: kInvalidArgument naming what is missing.
absl::StatusOr<LoadResult> LoadResultFromText(absl::string_view text);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_MEASURE_MEASURE_JSON_H_
