// core/voxel/bit_run.h
//
// A run of voxels along x, as masks over the words of a bit row: what the box
// methods test and clear row by row.

#ifndef KILN_CORE_VOXEL_BIT_RUN_H_
#define KILN_CORE_VOXEL_BIT_RUN_H_

#include <bit>
#include <cstdint>

namespace kiln::core::internal {

class BitRun {
 public:
  // Bits [x0, x1). Requires: 0 <= x0 < x1.
  BitRun(int x0, int x1)
      : x0_(x0),
        x1_(x1),
        first_word_(x0 >> 6),
        last_word_((x1 - 1) >> 6),
        first_mask_(~uint64_t{0} << (x0 & 63)),
        last_mask_(~uint64_t{0} >> (63 - ((x1 - 1) & 63))) {
    if (first_word_ == last_word_) first_mask_ &= last_mask_;
  }

  int x0() const { return x0_; }
  int x1() const { return x1_; }

  // Whether all bits of the run are ones in `row`.
  bool IsIn(const uint64_t* row) const {
    if ((row[first_word_] & first_mask_) != first_mask_) return false;
    if (first_word_ == last_word_) return true;
    for (int w = first_word_ + 1; w < last_word_; ++w) {
      if (row[w] != ~uint64_t{0}) return false;
    }
    return (row[last_word_] & last_mask_) == last_mask_;
  }

  void ClearIn(uint64_t* row) const {
    row[first_word_] &= ~first_mask_;
    if (first_word_ == last_word_) return;
    for (int w = first_word_ + 1; w < last_word_; ++w) row[w] = 0;
    row[last_word_] &= ~last_mask_;
  }

  // Sets the run in `once`, and in `twice` what was set already.
  void CountIn(uint64_t* once, uint64_t* twice) const {
    CountWord(once, twice, first_word_, first_mask_);
    if (first_word_ == last_word_) return;
    for (int w = first_word_ + 1; w < last_word_; ++w) {
      CountWord(once, twice, w, ~uint64_t{0});
    }
    CountWord(once, twice, last_word_, last_mask_);
  }

 private:
  static void CountWord(uint64_t* once, uint64_t* twice, int w, uint64_t mask) {
    twice[w] |= once[w] & mask;
    once[w] |= mask;
  }

  int x0_;
  int x1_;
  int first_word_;
  int last_word_;
  uint64_t first_mask_;
  uint64_t last_mask_;
};

// The end of the run of ones of `row` that holds bit `x`, which is one.
inline int EndOfOnes(const uint64_t* row, int words, int x) {
  int w = x >> 6;
  int end = x + std::countr_one(row[w] >> (x & 63));
  while ((end & 63) == 0 && ++w < words) {
    const int more = std::countr_one(row[w]);
    end += more;
    if (more < 64) break;
  }
  return end;
}

// The start of the run of ones of `row` that holds bit `x`, which is one.
inline int StartOfOnes(const uint64_t* row, int x) {
  int w = x >> 6;
  int start = x + 1 - std::countl_one(row[w] << (63 - (x & 63)));
  while ((start & 63) == 0 && --w >= 0) {
    const int more = std::countl_one(row[w]);
    start -= more;
    if (more < 64) break;
  }
  return start;
}

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_BIT_RUN_H_
