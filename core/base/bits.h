// core/base/bits.h
//
// Arithmetic on words of bits where the standard library is slow.

#ifndef KILN_CORE_BASE_BITS_H_
#define KILN_CORE_BASE_BITS_H_

#include <cstdint>

namespace kiln::core {

// Ones in `bits`. std::popcount is a library call on plain x86-64, and slower.
constexpr int CountBits(uint64_t bits) {
  bits -= (bits >> 1) & 0x5555555555555555u;
  bits = (bits & 0x3333333333333333u) + ((bits >> 2) & 0x3333333333333333u);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<int>((bits * 0x0101010101010101u) >> 56);
}

}  // namespace kiln::core

#endif  // KILN_CORE_BASE_BITS_H_
