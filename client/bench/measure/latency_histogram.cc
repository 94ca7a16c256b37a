#include "client/bench/measure/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/errors.h"

namespace kiln::client {
namespace {

using std::chrono::nanoseconds;

constexpr int kSubBits = 10;  // 1024 buckets a doubling
constexpr int kMaxBits = 42;  // of kMax
// Values of up to kSubBits + 1 bits have a bucket each; every further bit of
// the value shifts it once more and adds 2^kSubBits buckets.
constexpr size_t kBuckets = size_t{kMaxBits - kSubBits + 1} << kSubBits;

// Rounding must not push a product such as 0.07 * 100 over the next integer.
constexpr double kRounding = 1e-12;

// The largest value in a bucket.
int64_t EndOf(size_t bucket) {
  const size_t doubling = bucket >> kSubBits;
  if (doubling <= 1) return static_cast<int64_t>(bucket);
  const size_t shift = doubling - 1;
  const uint64_t value = bucket - (shift << kSubBits);
  return static_cast<int64_t>(((value + 1) << shift) - 1);
}

// Whether these could be the exact figures of what the buckets counted.
bool FitTheBuckets(const HistogramParts& parts) {
  if (parts.buckets.empty()) {
    return parts.sum.count() == 0 && parts.min.count() == 0 &&
           parts.max.count() == 0;
  }
  return parts.min.count() >= 0 && parts.min <= parts.max &&
         parts.sum >= parts.max &&
         LatencyHistogram::BucketOf(parts.min) == parts.buckets.front().first &&
         LatencyHistogram::BucketOf(parts.max) == parts.buckets.back().first;
}

}  // namespace

uint32_t LatencyHistogram::BucketOf(nanoseconds latency) {
  const auto value =
      static_cast<uint64_t>(std::clamp(latency, nanoseconds(0), kMax).count());
  const int bits = static_cast<int>(std::bit_width(value));
  const int shift = std::max(0, bits - (kSubBits + 1));
  return (static_cast<uint32_t>(shift) << kSubBits) +
         static_cast<uint32_t>(value >> shift);
}

absl::StatusOr<LatencyHistogram> LatencyHistogram::FromParts(
    const HistogramParts& parts) {
  LatencyHistogram histogram;
  int64_t previous = -1;
  for (const auto& [bucket, count] : parts.buckets) {
    if (bucket <= previous || bucket >= kBuckets) {
      return core::FieldError("histogram.bucket", bucket,
                              "rising numbers below 33792");
    }
    if (count <= 0) {
      return core::FieldError("histogram.count", count, "1 and more");
    }
    previous = bucket;
    histogram.Reserve(bucket);
    histogram.buckets_[bucket] = count;
    histogram.count_ += count;
  }
  if (!FitTheBuckets(parts)) {
    return core::FieldError("histogram.min, max, sum", parts.max.count(),
                            "values that lie in the buckets' ends");
  }
  histogram.sum_ = parts.sum;
  histogram.min_ = parts.min;
  histogram.max_ = parts.max;
  return histogram;
}

HistogramParts LatencyHistogram::ToParts() const {
  HistogramParts parts{.sum = sum_, .min = min_, .max = max_};
  for (size_t i = 0; i < buckets_.size(); ++i) {
    if (buckets_[i] == 0) continue;
    parts.buckets.emplace_back(static_cast<uint32_t>(i), buckets_[i]);
  }
  return parts;
}

void LatencyHistogram::Add(nanoseconds latency) {
  latency = std::max(latency, nanoseconds(0));
  const uint32_t bucket = BucketOf(latency);
  Reserve(bucket);
  ++buckets_[bucket];
  min_ = count_ == 0 ? latency : std::min(min_, latency);
  max_ = std::max(max_, latency);
  sum_ += latency;
  ++count_;
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  if (other.count_ == 0) return;
  if (buckets_.size() < other.buckets_.size()) {
    buckets_.resize(other.buckets_.size());
  }
  for (size_t i = 0; i < other.buckets_.size(); ++i) {
    buckets_[i] += other.buckets_[i];
  }
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
  count_ += other.count_;
}

void LatencyHistogram::Reserve(uint32_t bucket) {
  const size_t needed = size_t{(bucket >> kSubBits) + 1} << kSubBits;
  if (buckets_.size() < needed) buckets_.resize(needed);
}

nanoseconds LatencyHistogram::Percentile(double fraction) const {
  return AtRank(static_cast<int64_t>(
      std::ceil(fraction * static_cast<double>(count_) * (1 - kRounding))));
}

nanoseconds LatencyHistogram::AtRank(int64_t rank) const {
  if (count_ == 0) return nanoseconds(0);
  rank = std::clamp<int64_t>(rank, 1, count_);
  int64_t seen = 0;
  size_t bucket = 0;
  while ((seen += buckets_[bucket]) < rank) ++bucket;
  return std::min(nanoseconds(EndOf(bucket)), max_);
}

nanoseconds LatencyHistogram::mean() const {
  return count_ == 0 ? nanoseconds(0) : sum_ / count_;
}

}  // namespace kiln::client
