#include "client/bench/measure/time_series.h"

#include <algorithm>

namespace kiln::client {

using std::chrono::nanoseconds;

void TimeSeries::Cell::Merge(const Cell& other) {
  requests += other.requests;
  answers += other.answers;
  errors += other.errors;
  for (const auto& [bucket, count] : other.buckets) buckets[bucket] += count;
  sum += other.sum;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
}

TimeSeries::Cell& TimeSeries::At(nanoseconds time) {
  const int64_t row = std::clamp<int64_t>(time / kRowTime, 0, kMaxRows - 1);
  const auto index = static_cast<size_t>(row);
  if (cells_.size() <= index) cells_.resize(index + 1);
  return cells_[index];
}

void TimeSeries::Add(nanoseconds begin, nanoseconds latency, bool ok) {
  latency = std::max(latency, nanoseconds(0));
  if (ok) ++At(begin + latency).answers;
  Cell& cell = At(begin);
  ++cell.requests;
  if (!ok) {
    ++cell.errors;
    return;
  }
  ++cell.buckets[LatencyHistogram::BucketOf(latency)];
  cell.sum += latency;
  cell.min = std::min(cell.min, latency);
  cell.max = std::max(cell.max, latency);
}

void TimeSeries::Merge(const TimeSeries& other) {
  cells_.resize(std::max(cells_.size(), other.cells_.size()));
  for (size_t i = 0; i < other.cells_.size(); ++i) {
    cells_[i].Merge(other.cells_[i]);
  }
}

void TimeSeries::Append(const TimeSeries& other) {
  const size_t room = kMaxRows - std::min(kMaxRows, cells_.size());
  const size_t rows = std::min(room, other.cells_.size());
  cells_.insert(cells_.end(), other.cells_.begin(),
                other.cells_.begin() + static_cast<std::ptrdiff_t>(rows));
}

TimeRow TimeSeries::Row(size_t index) const {
  const Cell& cell = cells_[index];
  TimeRow row{.requests = cell.requests,
              .answers = cell.answers,
              .errors = cell.errors};
  if (cell.buckets.empty()) return row;
  HistogramParts parts{.sum = cell.sum, .min = cell.min, .max = cell.max};
  parts.buckets.assign(cell.buckets.begin(), cell.buckets.end());
  std::sort(parts.buckets.begin(), parts.buckets.end());
  row.latencies = *LatencyHistogram::FromParts(parts);
  return row;
}

TimeSeries TimeSeries::FromRows(const std::vector<TimeRow>& rows) {
  TimeSeries series;
  for (const TimeRow& row : rows) {
    if (series.cells_.size() == kMaxRows) break;
    Cell& cell = series.cells_.emplace_back();
    cell.requests = row.requests;
    cell.answers = row.answers;
    cell.errors = row.errors;
    if (row.latencies.count() == 0) continue;
    const HistogramParts parts = row.latencies.ToParts();
    cell.buckets.insert(parts.buckets.begin(), parts.buckets.end());
    cell.sum = parts.sum;
    cell.min = parts.min;
    cell.max = parts.max;
  }
  return series;
}

}  // namespace kiln::client
