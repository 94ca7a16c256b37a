// core/voxel/bit_row.h
//
// Runs of bits in one row of words (core/voxel/bit_grid.h): the few questions
// that exact box methods keep asking. A run is half-open, [from, to), and may
// cross words; a row of one word takes the short way through each function.

#ifndef KILN_CORE_VOXEL_BIT_ROW_H_
#define KILN_CORE_VOXEL_BIT_ROW_H_

#include <bit>
#include <cstdint>

namespace kiln::core {

// Bits [from, to) of a word. Requires: 0 <= from < to <= 64.
constexpr uint64_t WordRun(int from, int to) {
  return (~uint64_t{0} >> (64 - (to - from))) << from;
}

// Calls visit(word index, mask) for each word that [from, to) touches, while
// it returns true; returns whether all of them did.
// Requires: 0 <= from < to.
template <typename Visit>
bool ForEachWordOfRun(int from, int to, Visit visit) {
  const int first = from >> 6;
  const int last = (to - 1) >> 6;
  if (first == last) {
    return visit(first, WordRun(from & 63, to - (first << 6)));
  }
  if (!visit(first, WordRun(from & 63, 64))) return false;
  for (int word = first + 1; word < last; ++word) {
    if (!visit(word, ~uint64_t{0})) return false;
  }
  return visit(last, WordRun(0, to - (last << 6)));
}

// Whether every bit of [from, to) is set.
inline bool HasRun(const uint64_t* row, int from, int to) {
  return ForEachWordOfRun(from, to, [row](int word, uint64_t mask) {
    return (row[word] & mask) == mask;
  });
}

inline void SetRun(uint64_t* row, int from, int to) {
  ForEachWordOfRun(from, to, [row](int word, uint64_t mask) {
    row[word] |= mask;
    return true;
  });
}

inline void ClearRun(uint64_t* row, int from, int to) {
  ForEachWordOfRun(from, to, [row](int word, uint64_t mask) {
    row[word] &= ~mask;
    return true;
  });
}

// The first set bit at or after `from`, or 64 * words if there is none.
// Requires: 0 <= from <= 64 * words.
inline int FirstSetBit(const uint64_t* row, int words, int from) {
  for (int word = from >> 6; word < words; ++word, from = word << 6) {
    const uint64_t rest = row[word] >> (from & 63);
    if (rest != 0) return from + std::countr_zero(rest);
  }
  return words << 6;
}

// The first clear bit at or after `from`, or 64 * words if there is none.
// Requires: 0 <= from <= 64 * words.
inline int FirstClearBit(const uint64_t* row, int words, int from) {
  for (int word = from >> 6; word < words; ++word, from = word << 6) {
    const uint64_t rest = ~row[word] >> (from & 63);
    if (rest != 0) return from + std::countr_zero(rest);
  }
  return words << 6;
}

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BIT_ROW_H_
