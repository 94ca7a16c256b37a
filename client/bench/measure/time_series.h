// client/bench/measure/time_series.h
//
// What happened in each second of a run. A request belongs to the second in
// which its latency begins (it was due), its answer also to the second in which
// it came: a server that stalls shows as answers missing and as latencies high.

#ifndef KILN_CLIENT_BENCH_MEASURE_TIME_SERIES_H_
#define KILN_CLIENT_BENCH_MEASURE_TIME_SERIES_H_

#include <chrono>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "client/bench/measure/latency_histogram.h"

namespace kiln::client {

// One second.
struct TimeRow {
  int64_t requests = 0;        // begun in it, failed ones included
  int64_t answers = 0;         // of success that came in it
  int64_t errors = 0;          // of the requests begun in it
  LatencyHistogram latencies;  // of those begun in it that succeeded

  friend bool operator==(const TimeRow&, const TimeRow&) = default;
};

// Sums of series are exact. Not thread-safe.
class TimeSeries {
 public:
  static constexpr std::chrono::seconds kRowTime{1};
  // A day of load and what is answered late.
  static constexpr size_t kMaxRows = 100'000;

  // A request that began `begin` after the start of the measurement and ended
  // `latency` later. Times before the start or after kMaxRows are brought into
  // the first and last row.
  void Add(std::chrono::nanoseconds begin, std::chrono::nanoseconds latency,
           bool ok);
  // Row by row: what others measured at the same time.
  void Merge(const TimeSeries& other);
  // After the last row: what was measured later.
  void Append(const TimeSeries& other);

  size_t size() const { return cells_.size(); }
  bool empty() const { return cells_.empty(); }
  // Requires: index < size(). Cost: that of its histogram.
  TimeRow Row(size_t index) const;
  // The series of these rows. Rows beyond kMaxRows are dropped.
  static TimeSeries FromRows(const std::vector<TimeRow>& rows);

 private:
  // Sparse: a dense histogram for each second of each connection would be
  // gigabytes.
  struct Cell {
    void Merge(const Cell& other);

    int64_t requests = 0;
    int64_t answers = 0;
    int64_t errors = 0;
    absl::flat_hash_map<uint32_t, int64_t> buckets;
    std::chrono::nanoseconds sum{0};
    std::chrono::nanoseconds min{std::chrono::nanoseconds::max()};
    std::chrono::nanoseconds max{0};
  };

  Cell& At(std::chrono::nanoseconds time);

  std::vector<Cell> cells_;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_MEASURE_TIME_SERIES_H_
