// client/bench/report/compare.h
//
// Two reports of kiln-bench side by side: ratios, and whether each means
// something.

#ifndef KILN_CLIENT_BENCH_REPORT_COMPARE_H_
#define KILN_CLIENT_BENCH_REPORT_COMPARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kiln::client {

enum class Verdict : uint8_t {
  kSame,     // the ratio is within the noise
  kBetter,   // beyond the noise, and beyond what the counts leave open
  kWorse,    // the same in the other direction
  kUnclear,  // beyond the noise, but too few requests to tell
};

struct CompareRow {
  std::string series;  // "kiln unary"
  std::string figure;  // "requests/s", "p99" (us), "failed" ...
  double before = 0;
  double after = 0;
  double ratio = 0;  // after / before
  Verdict verdict = Verdict::kSame;
};

struct Comparison {
  std::vector<CompareRow> rows;
  std::vector<std::string>
      warnings;  // settings that differ, series not in both

  bool AnyWorse() const;
};

// `before` and `after` are what ReportJson wrote. `noise` is the fraction that
// ratios may differ from 1 and still be called the same.
//
// A percentile is better or worse when its ratio is beyond the noise and the
// 95 % confidence intervals of both, by the ranks that a binomial count allows,
// do not overlap. That holds for independent requests; in one run they are not
// quite, so it is the least that noise can be.
// Errors: kInvalidArgument for what is no report.
absl::StatusOr<Comparison> CompareReports(absl::string_view before,
                                          absl::string_view after,
                                          double noise);

std::string ComparisonTable(const Comparison& comparison);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_COMPARE_H_
