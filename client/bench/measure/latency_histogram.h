// client/bench/measure/latency_histogram.h
//
// Counts of latencies in buckets that are narrow everywhere: three significant
// digits from a nanosecond to an hour. Sums of histograms are exact, so what
// several connections or processes measured can be added up.

#ifndef KILN_CLIENT_BENCH_MEASURE_LATENCY_HISTOGRAM_H_
#define KILN_CLIENT_BENCH_MEASURE_LATENCY_HISTOGRAM_H_

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace kiln::client {

// What a histogram holds, in a form that can be written down.
struct HistogramParts {
  // Number of a bucket and its count, by rising numbers, counts above 0.
  std::vector<std::pair<uint32_t, int64_t>> buckets;
  // Exact, of all latencies; 0 where nothing was counted.
  std::chrono::nanoseconds sum{0};
  std::chrono::nanoseconds min{0};
  std::chrono::nanoseconds max{0};
};

// Below 2048 ns a bucket is one nanosecond wide; from there on each doubling of
// the latency has 1024 buckets, so that a bucket is at most 1/1024 of its
// values wide. Memory grows with the longest latency: 160 KiB up to a second,
// 264 KiB at most. Not thread-safe.
class LatencyHistogram {
 public:
  // About 73 minutes; what is longer counts as this in the percentiles.
  static constexpr std::chrono::nanoseconds kMax{(int64_t{1} << 42) - 1};

  // The bucket that counts `latency`; a negative one counts as 0.
  static uint32_t BucketOf(std::chrono::nanoseconds latency);

  // Errors: kInvalidArgument naming the first part that no histogram has.
  static absl::StatusOr<LatencyHistogram> FromParts(
      const HistogramParts& parts);
  // FromParts(ToParts()) is this histogram.
  HistogramParts ToParts() const;

  void Add(std::chrono::nanoseconds latency);
  // Adds everything that `other` has counted.
  void Merge(const LatencyHistogram& other);

  int64_t count() const { return count_; }
  // The smallest latency L such that at least `fraction` of all are <= L,
  // rounded up to its bucket's end but never above max(). 0 where nothing was
  // counted. Requires: 0 <= fraction <= 1.
  std::chrono::nanoseconds Percentile(double fraction) const;
  // The latency that is number `rank` of count(), rounded in the same way; a
  // rank out of 1..count() is brought into it.
  std::chrono::nanoseconds AtRank(int64_t rank) const;
  // These are exact; 0 where nothing was counted.
  std::chrono::nanoseconds min() const { return min_; }
  std::chrono::nanoseconds max() const { return max_; }
  std::chrono::nanoseconds mean() const;

  friend bool operator==(const LatencyHistogram&,
                         const LatencyHistogram&) = default;

 private:
  // Makes room for a bucket. Whole doublings, so that equal counts are equal
  // vectors in whatever order they came.
  void Reserve(uint32_t bucket);

  std::vector<int64_t> buckets_;
  int64_t count_ = 0;
  std::chrono::nanoseconds sum_{0};
  std::chrono::nanoseconds min_{0};
  std::chrono::nanoseconds max_{0};
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_MEASURE_LATENCY_HISTOGRAM_H_
