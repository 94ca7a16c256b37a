#include "client/bench/load/generator_check.h"

#include "absl/strings/str_cat.h"
#include "client/bench/measure/duration_text.h"

namespace kiln::client {
namespace {

constexpr double kShare = 0.99;

}  // namespace

std::optional<std::string> GeneratorComplaint(
    const LoadResult& result, std::chrono::nanoseconds max_lag) {
  const std::chrono::nanoseconds lag = result.send_lag.Percentile(kShare);
  if (lag <= max_lag) return std::nullopt;
  return absl::StrCat(
      "the load tester itself fell behind: 1 % of the requests were sent ",
      DurationText(lag), " or more (at most ",
      DurationText(result.send_lag.max()),
      ") after they were due while the server was not the cause, more than "
      "--max-lag ",
      DurationText(max_lag),
      ". These latencies hold that delay. Lower --rate; spread it over more "
      "--connections or --processes; give the load tester cores of its own, "
      "away from the server's (taskset); or raise --max-lag where this delay "
      "is small against the latencies that matter.");
}

}  // namespace kiln::client
