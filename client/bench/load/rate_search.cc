#include "client/bench/load/rate_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

class RateSearch {
 public:
  RateSearch(const RateSearchOptions& options,
             const std::function<absl::StatusOr<Probe>(double)>& probe)
      : options_(options), probe_(probe) {}

  absl::StatusOr<RateSearchResult> Run() {
    KILN_RETURN_IF_ERROR(FindBothEnds());
    if (result_.rate > 0 && result_.missed > 0) {
      KILN_RETURN_IF_ERROR(Bisect());
    }
    KILN_RETURN_IF_ERROR(Confirm());
    return std::move(result_);
  }

 private:
  absl::Status FindBothEnds() {
    double rate = std::clamp(options_.first, options_.lowest, options_.highest);
    for (;;) {
      KILN_ASSIGN_OR_RETURN(const bool met, Try(rate));
      const double next = met ? rate * 2 : rate / 2;
      const bool both = result_.rate > 0 && result_.missed > 0;
      const bool at_end =
          met ? rate >= options_.highest : rate <= options_.lowest;
      if (both || at_end) return absl::OkStatus();
      rate = std::clamp(next, options_.lowest, options_.highest);
    }
  }

  // Halves the ratio, not the difference: the resolution is a ratio.
  absl::Status Bisect() {
    while (result_.missed > result_.rate * (1 + options_.resolution)) {
      KILN_RETURN_IF_ERROR(
          Try(std::sqrt(result_.rate * result_.missed)).status());
    }
    return absl::OkStatus();
  }

  // A rate near the limit is met by luck sometimes.
  absl::Status Confirm() {
    while (result_.rate > 0) {
      const double rate = result_.rate;
      KILN_ASSIGN_OR_RETURN(const bool met, Try(rate));
      if (met) return absl::OkStatus();
      const double lower = rate / (1 + options_.resolution);
      result_.rate = lower >= options_.lowest ? lower : 0;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<bool> Try(double rate) {
    KILN_ASSIGN_OR_RETURN(Probe probe, probe_(rate));
    const bool met = probe.end == ProbeEnd::kMet;
    if (met) {
      result_.rate = rate;
    } else {
      result_.missed = rate;
      result_.limited_by_generator = probe.end == ProbeEnd::kBehind;
    }
    result_.probes.push_back(std::move(probe));
    return met;
  }

  const RateSearchOptions& options_;
  const std::function<absl::StatusOr<Probe>(double)>& probe_;
  RateSearchResult result_;
};

}  // namespace

absl::StatusOr<RateSearchResult> FindMaxRate(
    const RateSearchOptions& options,
    const std::function<absl::StatusOr<Probe>(double rate)>& probe) {
  return RateSearch(options, probe).Run();
}

}  // namespace kiln::client
