#include "client/bench/report/compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/bench/measure/duration_text.h"
#include "client/bench/measure/latency_histogram.h"
#include "client/bench/measure/measure_json.h"
#include "client/bench/report/percentiles.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "nlohmann/json.hpp"

namespace kiln::client {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kStandardDeviations = 1.96;  // of 95 %

constexpr const char* kSettings[] = {"inputs",
                                     "vox",
                                     "edge",
                                     "encoding",
                                     "method",
                                     "effort",
                                     "processes",
                                     "in_flight",
                                     "rate",
                                     "arrival",
                                     "slo",
                                     "connections",
                                     "blocks_per_request"};

struct Interval {
  double low = 0;
  double high = 0;
};

struct Figures {
  double per_second = 0;
  int64_t failed = 0;
  std::vector<double> rounds;
  LatencyHistogram latencies;
};

absl::StatusOr<Json> ParseReport(absl::string_view text, const char* which) {
  Json json = Json::parse(text.begin(), text.end(), nullptr,
                          /*allow_exceptions=*/false);
  if (!json.is_object() ||
      !(json.contains("unary") || json.contains("stream"))) {
    return core::FieldError(absl::StrCat("--compare, ", which),
                            "no report of kiln-bench",
                            "what --json has written");
  }
  return json;
}

// The series of that mode and side; null where it is in there not.
const Json* FindSeries(const Json& report, const char* mode, const char* side) {
  const auto found = report.find(mode);
  if (found == report.end() || !found->is_object()) return nullptr;
  const auto series = found->find(side);
  return series == found->end() ? nullptr : &*series;
}

absl::StatusOr<Figures> ReadFigures(const Json& series) {
  if (!series.contains("latency_histogram") ||
      !series.contains("requests_per_second") ||
      !series["requests_per_second"].is_number() ||
      !series.contains("failed") || !series["failed"].is_number_integer()) {
    return core::FieldError("--compare", "a series without its figures",
                            "what --json of this version has written");
  }
  Figures figures;
  figures.per_second = series["requests_per_second"].get<double>();
  figures.failed = series["failed"].get<int64_t>();
  if (series.contains("rounds_per_second")) {
    for (const Json& round : series["rounds_per_second"]) {
      if (round.is_number()) figures.rounds.push_back(round.get<double>());
    }
  }
  KILN_ASSIGN_OR_RETURN(figures.latencies,
                        HistogramFromJson(series["latency_histogram"]));
  return figures;
}

// The ranks between which the true percentile lies, if requests are
// independent: how many lie below it is binomial.
Interval IntervalOf(const LatencyHistogram& latencies, double fraction) {
  const auto count = static_cast<double>(latencies.count());
  const double rank = fraction * count;
  const double spread =
      kStandardDeviations * std::sqrt(count * fraction * (1 - fraction));
  // A rank beyond the last request: nothing is known but that it is no less.
  Interval interval;
  interval.low = Microseconds(
      latencies.AtRank(static_cast<int64_t>(std::floor(rank - spread))));
  interval.high = rank + spread > count
                      ? std::numeric_limits<double>::infinity()
                      : Microseconds(latencies.AtRank(
                            static_cast<int64_t>(std::ceil(rank + spread))));
  return interval;
}

// What rounds say of themselves; a single one says nothing, and counts as
// exact.
Interval IntervalOf(const Figures& figures) {
  Interval interval = {figures.per_second, figures.per_second};
  if (figures.rounds.size() > 1) {
    const auto ends =
        std::minmax_element(figures.rounds.begin(), figures.rounds.end());
    interval = {*ends.first, *ends.second};
  }
  return interval;
}

bool Overlap(const Interval& a, const Interval& b) {
  return a.low <= b.high && b.low <= a.high;
}

Verdict Judge(double ratio, bool overlap, bool more_is_better, double noise) {
  // The same distance in both directions: half is as far as double.
  if (ratio <= 1 + noise && ratio >= 1 / (1 + noise)) return Verdict::kSame;
  if (overlap) return Verdict::kUnclear;
  return (ratio > 1) == more_is_better ? Verdict::kBetter : Verdict::kWorse;
}

double RatioOf(double before, double after) {
  if (before > 0) return after / before;
  return after > 0 ? std::numeric_limits<double>::infinity() : 1;
}

void AddRows(const std::string& name, const Figures& before,
             const Figures& after, double noise, Comparison& comparison) {
  const auto add = [&](const char* figure, double a, double b, bool overlap,
                       bool more_is_better) {
    const double ratio = RatioOf(a, b);
    comparison.rows.push_back({name, figure, a, b, ratio,
                               Judge(ratio, overlap, more_is_better, noise)});
  };
  add("requests/s", before.per_second, after.per_second,
      Overlap(IntervalOf(before), IntervalOf(after)), true);
  for (const NamedPercentile& percentile : kPercentiles) {
    const double fraction = percentile.fraction;
    add(percentile.name, Microseconds(before.latencies.Percentile(fraction)),
        Microseconds(after.latencies.Percentile(fraction)),
        Overlap(IntervalOf(before.latencies, fraction),
                IntervalOf(after.latencies, fraction)),
        false);
  }
  // One request makes a maximum: it never proves anything.
  add("max", Microseconds(before.latencies.max()),
      Microseconds(after.latencies.max()), true, false);
  add("failed", static_cast<double>(before.failed),
      static_cast<double>(after.failed), false, false);
}

void WarnOfSettings(const Json& before, const Json& after,
                    std::vector<std::string>& warnings) {
  for (const char* name : kSettings) {
    const std::string a = before.contains(name) ? before[name].dump() : "none";
    const std::string b = after.contains(name) ? after[name].dump() : "none";
    if (a == b) continue;
    warnings.push_back(absl::StrCat(name, " differs: ", a, " and ", b));
  }
}

void WarnOfGenerator(const Json& series, const std::string& name,
                     const char* which, std::vector<std::string>& warnings) {
  if (!series.contains("generator_fell_behind") ||
      series["generator_fell_behind"] != true) {
    return;
  }
  warnings.push_back(absl::StrCat(name, ": the load tester fell behind in the ",
                                  which, " report"));
}

const char* VerdictText(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "same";
    case Verdict::kBetter:
      return "better";
    case Verdict::kWorse:
      return "WORSE";
    case Verdict::kUnclear:
      break;
  }
  return "unclear (too few requests)";
}

}  // namespace

bool Comparison::AnyWorse() const {
  return std::any_of(rows.begin(), rows.end(), [](const CompareRow& row) {
    return row.verdict == Verdict::kWorse;
  });
}

absl::StatusOr<Comparison> CompareReports(absl::string_view before,
                                          absl::string_view after,
                                          double noise) {
  KILN_ASSIGN_OR_RETURN(const Json a, ParseReport(before, "first file"));
  KILN_ASSIGN_OR_RETURN(const Json b, ParseReport(after, "second file"));
  Comparison comparison;
  WarnOfSettings(a, b, comparison.warnings);
  for (const char* mode : {"unary", "stream"}) {
    for (const char* side : {"kiln", "echo"}) {
      const std::string name = absl::StrCat(side, " ", mode);
      const Json* const left = FindSeries(a, mode, side);
      const Json* const right = FindSeries(b, mode, side);
      if (left == nullptr && right == nullptr) continue;
      if (left == nullptr || right == nullptr) {
        comparison.warnings.push_back(
            absl::StrCat(name, " is only in the ",
                         left == nullptr ? "second" : "first", " report"));
        continue;
      }
      KILN_ASSIGN_OR_RETURN(const Figures left_figures, ReadFigures(*left));
      KILN_ASSIGN_OR_RETURN(const Figures right_figures, ReadFigures(*right));
      WarnOfGenerator(*left, name, "first", comparison.warnings);
      WarnOfGenerator(*right, name, "second", comparison.warnings);
      AddRows(name, left_figures, right_figures, noise, comparison);
    }
  }
  return comparison;
}

std::string ComparisonTable(const Comparison& comparison) {
  std::string text =
      absl::StrFormat("%-12s %-11s %12s %12s %7s  %s\n", "", "", "before",
                      "after", "ratio", "latencies in us");
  for (const CompareRow& row : comparison.rows) {
    absl::StrAppendFormat(&text, "%-12s %-11s %12.1f %12.1f %7.3f  %s\n",
                          row.series, row.figure, row.before, row.after,
                          row.ratio, VerdictText(row.verdict));
  }
  for (const std::string& warning : comparison.warnings) {
    absl::StrAppend(&text, "warning: ", warning, "\n");
  }
  return text;
}

}  // namespace kiln::client
