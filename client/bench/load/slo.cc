#include "client/bench/load/slo.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/bench/measure/duration_text.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr char kAllowedNames[] = "p50 ... p99.99, max, mean, each with =TIME";

absl::StatusOr<SloBound> ParseBound(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  SloBound bound;
  bound.name = std::string(parts.first);
  double percent = 0;
  if (parts.first == "max") {
    bound.fraction = 1;
  } else if (absl::StartsWith(parts.first, "p") &&
             absl::SimpleAtod(parts.first.substr(1), &percent) && percent > 0 &&
             percent <= 100) {
    bound.fraction = percent / 100;
  } else if (parts.first != "mean") {
    return core::FieldError("--slo", text, kAllowedNames);
  }
  const auto time = ParseDuration(parts.second);
  if (!time.ok() || time->count() == 0) {
    return core::FieldError(absl::StrCat("--slo ", bound.name), parts.second,
                            kAllowedDurations);
  }
  bound.at_most = *time;
  return bound;
}

}  // namespace

std::chrono::nanoseconds SloBound::Measured(
    const LatencyHistogram& latencies) const {
  return fraction ? latencies.Percentile(*fraction) : latencies.mean();
}

bool Slo::IsMetBy(const LatencyHistogram& latencies) const {
  for (const SloBound& bound : bounds) {
    if (bound.Measured(latencies) > bound.at_most) return false;
  }
  return true;
}

std::string Slo::ToText() const {
  return absl::StrJoin(
      bounds, ",", [](std::string* out, const SloBound& bound) {
        absl::StrAppend(out, bound.name, "=", DurationText(bound.at_most));
      });
}

absl::StatusOr<Slo> ParseSlo(absl::string_view text) {
  Slo slo;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    KILN_ASSIGN_OR_RETURN(SloBound bound, ParseBound(part));
    slo.bounds.push_back(std::move(bound));
  }
  return slo;
}

}  // namespace kiln::client
