#include "client/bench/measure/load_result.h"

#include <algorithm>

namespace kiln::client {

void LoadResult::AddCounts(const LoadResult& other) {
  latencies.Merge(other.latencies);
  send_lag.Merge(other.send_lag);
  good += other.good;
  warm_up_good += other.warm_up_good;
  retries += other.retries;
  held_back += other.held_back;
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
  for (const auto& error : other.errors) errors[error.first] += error.second;
  cpu += other.cpu;
}

void LoadResult::Merge(const LoadResult& other) {
  AddCounts(other);
  time = std::max(time, other.time);
  series.Merge(other.series);
}

void LoadResult::Append(const LoadResult& other) {
  AddCounts(other);
  time += other.time;
  series.Append(other.series);
}

double LoadResult::PerSecond() const {
  const double seconds = std::chrono::duration<double>(time).count();
  return seconds > 0 ? static_cast<double>(good) / seconds : 0;
}

int64_t LoadResult::failed() const {
  int64_t sum = 0;
  for (const auto& error : errors) sum += error.second;
  return sum;
}

}  // namespace kiln::client
