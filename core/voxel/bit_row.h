// core/voxel/bit_row.h
//
// Runs of bits in a row of words (core/voxel/bit_grid.h): the few questions
// that exact box methods keep asking. A run is half-open, [from, to), and may
// cross words; one that does not takes the short way through each function.

#ifndef KILN_CORE_VOXEL_BIT_ROW_H_
#define KILN_CORE_VOXEL_BIT_ROW_H_

#include <bit>
#include <cstdint>

namespace kiln::core {

// Bits [from, to) of a word. Requires: 0 <= from < to <= 64.
constexpr uint64_t WordRun(int from, int to) {
  return (~uint64_t{0} >> (64 - (to - from))) << from;
}

// The bits [from, to) of any row: made once, used on many rows.
class BitRun {
 public:
  // Requires: 0 <= from < to.
  BitRun(int from, int to)
      : first_(from >> 6),
        last_((to - 1) >> 6),
        first_mask_(
            WordRun(from & 63, first_ == last_ ? ((to - 1) & 63) + 1 : 64)),
        last_mask_(WordRun(0, ((to - 1) & 63) + 1)) {}

  // Whether every bit of the run is set in `row`.
  bool IsSetIn(const uint64_t* row) const {
    if ((row[first_] & first_mask_) != first_mask_) return false;
    if (first_ == last_) return true;
    for (int word = first_ + 1; word < last_; ++word) {
      if (row[word] != ~uint64_t{0}) return false;
    }
    return (row[last_] & last_mask_) == last_mask_;
  }

  void SetIn(uint64_t* row) const {
    row[first_] |= first_mask_;
    if (first_ == last_) return;
    for (int word = first_ + 1; word < last_; ++word) row[word] = ~uint64_t{0};
    row[last_] |= last_mask_;
  }

  void ClearIn(uint64_t* row) const {
    row[first_] &= ~first_mask_;
    if (first_ == last_) return;
    for (int word = first_ + 1; word < last_; ++word) row[word] = 0;
    row[last_] &= ~last_mask_;
  }

 private:
  int first_;  // words
  int last_;
  uint64_t first_mask_;
  uint64_t last_mask_;  // where last_ != first_
};

inline void SetRun(uint64_t* row, int from, int to) {
  BitRun(from, to).SetIn(row);
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

// The start of the run of set bits that holds bit `at`. Requires: it is set.
inline int StartOfRun(const uint64_t* row, int at) {
  int word = at >> 6;
  int start = at + 1 - std::countl_one(row[word] << (63 - (at & 63)));
  while ((start & 63) == 0 && --word >= 0) {
    const int more = std::countl_one(row[word]);
    start -= more;
    if (more < 64) break;
  }
  return start;
}

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BIT_ROW_H_
