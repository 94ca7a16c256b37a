#include "client/bench/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kiln::client {
namespace {

constexpr int kSubBits = 10;  // 1024 buckets a doubling
constexpr int kMaxBits = 42;  // of kMax
// Values of up to kSubBits + 1 bits have a bucket each; every further bit of
// the value shifts it once more and adds 2^kSubBits buckets.
constexpr size_t kBuckets = size_t{kMaxBits - kSubBits + 1} << kSubBits;

size_t BucketOf(uint64_t value) {
  const int bits = static_cast<int>(std::bit_width(value));
  const int shift = std::max(0, bits - (kSubBits + 1));
  return (static_cast<size_t>(shift) << kSubBits) +
         static_cast<size_t>(value >> shift);
}

// The largest value in a bucket.
int64_t EndOf(size_t bucket) {
  const size_t doubling = bucket >> kSubBits;
  if (doubling <= 1) return static_cast<int64_t>(bucket);
  const size_t shift = doubling - 1;
  const uint64_t value = bucket - (shift << kSubBits);
  return static_cast<int64_t>(((value + 1) << shift) - 1);
}

}  // namespace

LatencyHistogram::LatencyHistogram() : buckets_(kBuckets, 0) {}

void LatencyHistogram::Add(std::chrono::nanoseconds latency) {
  latency = std::max(latency, std::chrono::nanoseconds(0));
  ++buckets_[BucketOf(static_cast<uint64_t>(std::min(latency, kMax).count()))];
  ++count_;
  sum_ += latency;
  max_ = std::max(max_, latency);
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  for (size_t i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
}

std::chrono::nanoseconds LatencyHistogram::Percentile(double fraction) const {
  if (count_ == 0) return std::chrono::nanoseconds(0);
  const auto rank = std::clamp<int64_t>(
      static_cast<int64_t>(std::ceil(fraction * static_cast<double>(count_))),
      1, count_);
  int64_t seen = 0;
  size_t bucket = 0;
  while ((seen += buckets_[bucket]) < rank) ++bucket;
  return std::min(max_, std::chrono::nanoseconds(EndOf(bucket)));
}

std::chrono::nanoseconds LatencyHistogram::mean() const {
  return count_ == 0 ? std::chrono::nanoseconds(0) : sum_ / count_;
}

}  // namespace kiln::client
