#include "client/bench/load/arrival_schedule.h"

#include <cmath>

namespace kiln::client {
namespace {

constexpr double kNsPerSecond = 1e9;

// The sequence of seed + 1 is that of seed, one number on; connections need
// sequences that have nothing to do with each other.
uint64_t SeedOf(const ScheduleOptions& options) {
  return core::Random(options.seed).Next() ^
         core::Random(~static_cast<uint64_t>(options.index)).Next();
}

// In (0, 1], 53 bits: its logarithm is finite.
double Uniform(core::Random& random) {
  return static_cast<double>((random.Next() >> 11) + 1) * 0x1p-53;
}

}  // namespace

ArrivalSchedule::ArrivalSchedule(const ScheduleOptions& options)
    : arrival_(options.arrival),
      interval_ns_(kNsPerSecond * options.connections / options.rate),
      first_ns_(kNsPerSecond * options.index / options.rate),
      random_(SeedOf(options)) {}

std::chrono::nanoseconds ArrivalSchedule::Next() {
  double time = 0;
  if (arrival_ == Arrival::kConstant) {
    // From the count and not from the last time: rounding does not add up.
    time = first_ns_ + interval_ns_ * count_;
    count_ += 1;
  } else {
    now_ns_ -= interval_ns_ * std::log(Uniform(random_));
    time = now_ns_;
  }
  return std::chrono::nanoseconds(std::llround(time));
}

}  // namespace kiln::client
