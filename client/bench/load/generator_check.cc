#include "client/bench/load/generator_check.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/bench/measure/duration_text.h"

namespace kiln::client {
namespace {

constexpr double kFraction = 0.99;

std::chrono::nanoseconds DefaultBound(const LatencyHistogram& latencies) {
  const std::chrono::duration<double, std::nano> share =
      kDefaultMaxLagShare * latencies.Percentile(kFraction);
  return std::max<std::chrono::nanoseconds>(
      kDefaultMaxLag,
      std::chrono::duration_cast<std::chrono::nanoseconds>(share));
}

}  // namespace

std::optional<std::string> GeneratorComplaint(
    const LoadResult& result, std::optional<std::chrono::nanoseconds> max_lag) {
  const std::chrono::nanoseconds bound =
      max_lag.value_or(DefaultBound(result.latencies));
  const std::chrono::nanoseconds lag = result.send_lag.Percentile(kFraction);
  if (lag <= bound) return std::nullopt;
  return absl::StrCat(
      "the load tester itself fell behind: 1 % of the requests were sent ",
      DurationText(lag), " or more (at most ",
      DurationText(result.send_lag.max()),
      ") after they could have been, and --max-lag is ", DurationText(bound),
      ". These latencies hold that delay. Lower --rate; spread it over more "
      "--connections or --processes; give the load tester cores of its own, "
      "away from the server's (taskset); or raise --max-lag where this delay "
      "is small against the latencies that matter.");
}

}  // namespace kiln::client
