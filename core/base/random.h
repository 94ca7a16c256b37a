// core/base/random.h
//
// A small seeded generator whose sequence is part of Kiln's results: equal
// seeds give equal numbers on every machine and in every release, which the
// distributions of <random> do not promise.

#ifndef KILN_CORE_BASE_RANDOM_H_
#define KILN_CORE_BASE_RANDOM_H_

#include <cstdint>

namespace kiln::core {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", 2014). Not for secrets. Not thread-safe.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // A number in [0, bound). Requires: bound >= 1. The bias of the multiply is
  // below bound / 2^32.
  uint32_t Below(uint32_t bound) {
    return static_cast<uint32_t>(((Next() >> 32) * bound) >> 32);
  }

 private:
  uint64_t state_;
};

}  // namespace kiln::core

#endif  // KILN_CORE_BASE_RANDOM_H_
