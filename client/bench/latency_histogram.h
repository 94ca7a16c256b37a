// client/bench/latency_histogram.h
//
// Counts of latencies in buckets that are narrow everywhere: three significant
// digits from a nanosecond to an hour. Sums of histograms are exact, so what
// several connections or processes measured can be added up.

#ifndef KILN_CLIENT_BENCH_LATENCY_HISTOGRAM_H_
#define KILN_CLIENT_BENCH_LATENCY_HISTOGRAM_H_

#include <chrono>
#include <cstdint>
#include <vector>

namespace kiln::client {

// Below 2048 ns a bucket is one nanosecond wide; from there on each doubling of
// the latency has 1024 buckets, so that a bucket is at most 1/1024 of its
// values wide. 264 KiB. Not thread-safe.
class LatencyHistogram {
 public:
  // About 73 minutes; what is longer counts as this in the percentiles.
  static constexpr std::chrono::nanoseconds kMax{(int64_t{1} << 42) - 1};

  LatencyHistogram();

  // A negative latency counts as 0.
  void Add(std::chrono::nanoseconds latency);
  // Adds everything that `other` has counted.
  void Merge(const LatencyHistogram& other);

  int64_t count() const { return count_; }
  // The smallest latency L such that at least `fraction` of all are <= L,
  // rounded up to its bucket's end but never above max(). 0 where nothing was
  // counted. Requires: 0 <= fraction <= 1.
  std::chrono::nanoseconds Percentile(double fraction) const;
  // These two are exact.
  std::chrono::nanoseconds max() const { return max_; }
  std::chrono::nanoseconds mean() const;

  friend bool operator==(const LatencyHistogram&,
                         const LatencyHistogram&) = default;

 private:
  std::vector<int64_t> buckets_;
  int64_t count_ = 0;
  std::chrono::nanoseconds sum_{0};
  std::chrono::nanoseconds max_{0};
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LATENCY_HISTOGRAM_H_
