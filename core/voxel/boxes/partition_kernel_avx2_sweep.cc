// The sweep of the partition for machines with AVX2 and BMI2: blocks of up to
// 64 voxels in height, so that a column is one word.
//
// Boxes are not grown one by one. Instead the slices are swept upwards, with
// all the boxes that are still growing ("living") at once: together they cover
// the solid voxels of a slice, each with a rectangle. A box of the slice before
// lives on where all of its rectangle is solid here too; that does not depend
// on other boxes, since rectangles are disjoint. What is solid and not in a
// living box is fresh, and is cut into new rectangles by a sweep along x that
// treats the runs of a column as the sweep along z treats rectangles. Work is
// thus spent where something begins or ends, not on what goes on.

#include "core/voxel/boxes/partition_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/limits.h"
#include "core/voxel/boxes/partition_kernel_avx2_pack.h"

namespace kiln::core::internal {
namespace {

// A column of 64 voxels; four of them are a register.
using Column = uint64_t;

// Lane i becomes the exclusive or of `carry`, whose lanes are all alike, and of
// lanes 0..i; `carry` that of all lanes.
KILN_AVX2_INLINE __m256i PrefixXor(__m256i lanes, __m256i& carry) {
  lanes = _mm256_xor_si256(lanes, _mm256_slli_si256(lanes, 8));
  // So far each half for itself: the last lane of the low half is missing in
  // the high one.
  const __m256i low = _mm256_permute2x128_si256(lanes, lanes, 0x08);
  lanes = _mm256_xor_si256(lanes, _mm256_unpackhi_epi64(low, low));
  const __m256i all = _mm256_permute4x64_epi64(lanes, 0xff);
  lanes = _mm256_xor_si256(lanes, carry);
  carry = _mm256_xor_si256(carry, all);
  return lanes;
}

// Each of `counts`, a whole number of registers, becomes the sum of those
// before it.
KILN_AVX2 void CountsToPlaces(std::vector<uint32_t>& counts) {
  __m256i before = _mm256_setzero_si256();
  for (size_t i = 0; i < counts.size(); i += kLanes<uint32_t>) {
    const __m256i count = Load(&counts[i]);
    __m256i sum = _mm256_add_epi32(count, _mm256_slli_si256(count, 4));
    sum = _mm256_add_epi32(sum, _mm256_slli_si256(sum, 8));
    const __m256i low = _mm256_permute2x128_si256(sum, sum, 0x08);
    sum = _mm256_add_epi32(sum, _mm256_shuffle_epi32(low, 0xff));
    const __m256i all = _mm256_permutevar8x32_epi32(sum, _mm256_set1_epi32(7));
    Store(&counts[i], _mm256_add_epi32(before, _mm256_sub_epi32(sum, count)));
    before = _mm256_add_epi32(before, all);
  }
}

// Lanes moved up by one; lane 0 becomes the last one of `before`.
KILN_AVX2_INLINE __m256i MoveUp(__m256i before, __m256i lanes) {
  const __m256i middle = _mm256_permute2x128_si256(before, lanes, 0x21);
  return _mm256_alignr_epi8(lanes, middle, 16 - sizeof(Column));
}

// The run from the lowest bit of `starts` to the lowest of `ends`.
KILN_AVX2_INLINE Column RunUpTo(Column starts, Column ends) {
  return ((ends ^ (ends - 1)) & ~((starts & (Column{0} - starts)) - 1));
}

// The ends of the runs that hold a bit of `missing`. `ends` are the last bits
// of runs that side by side make up `all`: below each end a run is all ones, so
// that adding anything there carries into the end.
KILN_AVX2_INLINE Column EndsOfHitRuns(Column all, Column ends, Column missing) {
  const Column carried = (all & ~ends) + (missing & ~ends);
  return (carried | missing) & ends;
}

KILN_AVX2_INLINE __m256i EndsOfHitRuns(__m256i all, __m256i ends,
                                       __m256i missing) {
  const __m256i carried = _mm256_add_epi64(_mm256_andnot_si256(ends, all),
                                           _mm256_andnot_si256(ends, missing));
  return _mm256_and_si256(_mm256_or_si256(carried, missing), ends);
}

// --- Sweeping ---------------------------------------------------------------

constexpr int kMaxHeight = 64;

// A thread keeps room for this many boxes (2 MiB) between two bakes.
constexpr size_t kMaxKeptBoxes = 262144;

// Room behind the columns of a slice for a register, and for what is packed
// beyond the last column.
constexpr int kColumns = kMaxBlockEdgeVoxels + kPackedColumns;
constexpr int kWords = kMaxBlockEdgeVoxels / 64;

// A slice of the block: bit y of column x.
struct Slice {
  alignas(32) Column solid[kColumns];
  // By axis, where boxes are made by class: voxels of the same class as their
  // neighbour one below on that axis.
  alignas(32) Column joined[3][kColumns];
};

// Where the runs of one column start and end.
struct ColumnRuns {
  Column starts;
  Column ends;
  int x;
};

// What the end of a living box has to know.
struct Living {
  Column run;      // of its rectangle
  uint32_t index;  // in Scratch::boxes
  uint32_t max_x;
};

// A bit of Scratch::first_columns.
struct FirstColumn {
  uint32_t word;
  uint32_t bit;
};

struct Scratch {
  Slice slices[3];  // the one before, the one at hand, the one after
  // Of the rectangles of living boxes: their last voxels along y in each
  // column. Those of new boxes are added as the changes from column to column.
  alignas(32) Column ends[kColumns];
  alignas(32) Column new_ends[kColumns];
  // Rectangles of boxes that died: bits of a column where one starts, and where
  // one ended in the column before.
  alignas(32) Column dead_from[kColumns];
  alignas(32) Column dead_to[kColumns];
  alignas(32) Column fresh[kColumns];
  uint64_t changed[kWords];  // columns whose fresh voxels differ from the last
  // First columns of rectangles as bits, 64 columns a word; words of as many
  // columns lie side by side, by the last row of the rectangle.
  uint64_t first_columns[kWords * kMaxHeight];
  // By first column and last row.
  Living living[kMaxBlockEdgeVoxels * kMaxHeight];
  BoxSet boxes;  // by z, x, y
  // By z and y, rows of one slice side by side: how many boxes start there.
  std::vector<uint32_t> starting;
  std::vector<ColumnRuns> births;
  std::vector<FirstColumn> dead;

  // Memory of earlier blocks is harmless but for what is cleared here.
  void Reset(const Vec3i& size) {
    std::fill(slices[2].solid, slices[2].solid + kColumns, Column{0});
    std::fill(ends, ends + kColumns, Column{0});
    std::fill(new_ends, new_ends + kColumns, Column{0});
    std::fill(dead_from, dead_from + kColumns, Column{0});
    std::fill(dead_to, dead_to + kColumns, Column{0});
    std::fill(first_columns, first_columns + kWords * kMaxHeight, 0);
    births.resize(static_cast<size_t>(size.x) + 1);
    // Noise makes a box of each voxel, a checkerboard of classes too.
    const size_t area = static_cast<size_t>(size.x * size.y);
    dead.resize(area);
    starting.assign((static_cast<size_t>(size.y * size.z) + 7) / 8 * 8, 0);
  }
};

// The sweep through one block. Not thread-safe.
template <bool kByClass>
class Sweep {
 public:
  Sweep(const PartitionSource& source, Scratch& scratch, BoxSet& boxes)
      : source_(source), size_(source.size()), s_(scratch), boxes_(boxes) {}

  KILN_AVX2 bool Run(const CancelToken& cancel) {
    Pack(0, s_.slices[0]);
    const Slice* before = &s_.slices[2];
    for (int z = 0; z < size_.z; ++z) {
      if (cancel.ShouldStop()) return false;
      const Slice& slice = s_.slices[z % 3];
      EndBoxes(*before, slice, z);
      // Between those that write and those that read what was written: loads
      // that straddle stores wait until these are done.
      if (z + 1 < size_.z) Pack(z + 1, s_.slices[(z + 1) % 3]);
      FindFresh(*before, slice);
      MakeBoxes(slice, z, CutIntoRuns(slice));
      before = &slice;
    }
    return OrderBoxes(cancel);
  }

 private:
  KILN_AVX2 void Pack(int z, Slice& out) {
    PackSolid(source_, z, out.solid);
    if constexpr (kByClass) {
      for (int axis = 0; axis < 3; ++axis) {
        PackJoined(source_, axis, z, out.joined[axis]);
      }
    }
  }

  // Ends the boxes that cannot go on in `slice`, number z.
  KILN_AVX2 void EndBoxes(const Slice& before, const Slice& slice, int z) {
    const uint64_t max_z = static_cast<uint64_t>(z - 1) << 32;
    __m256i carry = _mm256_setzero_si256();
    for (int x = 0; x < size_.x; x += kLanes<Column>) {
      const __m256i all = Load(before.solid + x);
      const __m256i ends = _mm256_or_si256(
          Load(s_.ends + x), PrefixXor(Load(s_.new_ends + x), carry));
      Store(s_.ends + x, ends);
      Store(s_.new_ends + x, _mm256_setzero_si256());
      __m256i missing = _mm256_andnot_si256(Load(slice.solid + x), all);
      if constexpr (kByClass) {
        missing = _mm256_or_si256(
            missing, _mm256_andnot_si256(Load(slice.joined[2] + x), all));
      }
      // Kept where fresh voxels are not yet.
      Store(s_.fresh + x, EndsOfHitRuns(all, ends, missing));
    }
    FirstColumn* dead_end = s_.dead.data();
    for (int x0 = 0; x0 < size_.x; x0 += 64) {
      for (uint64_t todo = NonEmpty(s_.fresh + x0, std::min(64, size_.x - x0));
           todo != 0; todo &= todo - 1) {
        const uint32_t x = static_cast<uint32_t>(std::countr_zero(todo));
        for (Column hit = s_.fresh[x0 + static_cast<int>(x)]; hit != 0;
             hit &= hit - 1) {
          *dead_end++ =
              EndBoxAt(static_cast<uint32_t>(x0), x,
                       static_cast<uint32_t>(std::countr_zero(hit)), max_z);
        }
      }
    }
    for (const FirstColumn* dead = s_.dead.data(); dead != dead_end; ++dead) {
      s_.first_columns[dead->word] &= ~(uint64_t{1} << dead->bit);
    }
  }

  // Ends the box whose rectangle has (x0 + x, end_y) in its last row. A box
  // that is hit in two columns ends twice, which does no harm.
  KILN_AVX2_INLINE FirstColumn EndBoxAt(uint32_t x0, uint32_t x, uint32_t end_y,
                                        uint64_t max_z) {
    uint32_t word = x0 + end_y;
    uint64_t firsts = s_.first_columns[word] & (~uint64_t{0} >> (63 - x));
    while (firsts == 0) firsts = s_.first_columns[word -= kMaxHeight];
    const uint32_t bit = 63 - static_cast<uint32_t>(std::countl_zero(firsts));
    const uint32_t min_x = (word & ~63u) + bit;
    const Living& box = s_.living[min_x * kMaxHeight + end_y];
    Box& dead = s_.boxes[box.index];
    dead = Box::FromKey((dead.key() & ~(uint64_t{255} << 32)) | max_z);
    s_.dead_from[min_x] |= box.run;
    s_.dead_to[box.max_x] |= box.run;
    return {word, bit};
  }

  // Takes the voxels of living boxes off `slice`.
  KILN_AVX2 void FindFresh(const Slice& before, const Slice& slice) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i carry = zero;
    __m256i last = zero;
    std::fill(s_.changed, s_.changed + kWords, 0);
    int x = 0;
    for (; x < size_.x; x += kLanes<Column>) {
      const __m256i dead = PrefixXor(
          _mm256_xor_si256(Load(s_.dead_from + x), Load(s_.dead_to + x)),
          carry);
      Store(s_.dead_from + x, zero);
      Store(s_.dead_to + x, zero);
      Store(s_.ends + x, _mm256_andnot_si256(dead, Load(s_.ends + x)));
      const __m256i living = _mm256_andnot_si256(dead, Load(before.solid + x));
      const __m256i fresh = _mm256_andnot_si256(living, Load(slice.solid + x));
      Store(s_.fresh + x, fresh);
      __m256i unlike = _mm256_xor_si256(fresh, MoveUp(last, fresh));
      if constexpr (kByClass) {
        unlike = _mm256_or_si256(
            unlike, _mm256_andnot_si256(Load(slice.joined[0] + x), fresh));
      }
      s_.changed[x / 64] |= uint64_t{UnlikeLanes<Column>(unlike, zero)}
                            << (x % 64);
      last = fresh;
    }
    Store(s_.fresh + x, zero);
    s_.dead_to[size_.x] = 0;
  }

  // Cuts the fresh voxels into runs along y that go on along x as far as they
  // can, and lists where they begin. Returns the number of columns listed.
  KILN_AVX2 size_t CutIntoRuns(const Slice& slice) {
    // Of the column before: its fresh voxels, and the runs they make up.
    Column all = 0;
    Column starts = 0;
    Column ends = 0;
    ColumnRuns* out = s_.births.data();
    for (int x0 = 0; x0 < size_.x; x0 += 64) {
      for (uint64_t todo = s_.changed[x0 / 64]; todo != 0; todo &= todo - 1) {
        const int x = x0 + std::countr_zero(todo);
        const Column fresh = s_.fresh[x];
        Column missing = all & ~fresh;
        if constexpr (kByClass) missing |= all & ~slice.joined[0][x];
        const Column hit = EndsOfHitRuns(all, ends, missing);
        // Starts and ends of runs come in the same order.
        const Column hit_starts = _pdep_u64(_pext_u64(hit, ends), starts);
        const Column gone = (hit << 1) - hit_starts;
        const Column born = fresh & ~(all & ~gone);
        Column linked = born;  // to the voxel below
        if constexpr (kByClass) linked &= slice.joined[1][x];
        const Column born_starts = born & ~((born << 1) & linked);
        const Column born_ends = born & ~(linked >> 1);
        *out = {born_starts, born_ends, x};
        out += born != 0;
        s_.new_ends[x] = hit ^ born_ends;
        starts = (starts & ~hit_starts) | born_starts;
        ends = (ends & ~hit) | born_ends;
        all = fresh;
      }
    }
    return static_cast<size_t>(out - s_.births.data());
  }

  // Makes a box of each run in the first `columns` of s_.births: its width now,
  // its depth when it ends.
  KILN_AVX2 void MakeBoxes(const Slice& slice, int z, size_t columns) {
    const uint64_t in_slice =
        Box({0, 0, z}, {1, 1, size_.z}, kByClass ? 0 : 1).key();
    const size_t most = count_ + static_cast<size_t>(size_.x * size_.y);
    if (s_.boxes.size() < most) s_.boxes.resize(2 * most);
    Box* const boxes = s_.boxes.data();
    uint32_t* const starting = s_.starting.data() + z * size_.y;
    size_t count = count_;
    for (size_t i = 0; i < columns; ++i) {
      auto [starts, ends, x] = s_.births[i];
      const uint64_t bit = uint64_t{1} << (x & 63);
      uint64_t* const first_columns = s_.first_columns + (x & ~63);
      Living* const living = s_.living + x * kMaxHeight;
      const uint64_t in_column = in_slice + (static_cast<uint64_t>(x) << 40) +
                                 (static_cast<uint64_t>(x) << 16);
      do {
        const uint64_t y = static_cast<uint64_t>(std::countr_zero(starts));
        const uint64_t end_y = static_cast<uint64_t>(std::countr_zero(ends));
        const Column run = RunUpTo(starts, ends);
        const uint32_t more =
            static_cast<uint32_t>(CountHolding<Column, kByClass>(
                s_.fresh + x + 1, slice.joined[0] + x + 1, Broadcast(run)));
        living[end_y] = {run, static_cast<uint32_t>(count),
                         static_cast<uint32_t>(x) + 1 + more};
        first_columns[end_y] |= bit;
        ++starting[y];
        uint64_t key = in_column + (y << 48) + (end_y << 24) + (more << 16);
        if constexpr (kByClass) {
          key |=
              static_cast<uint64_t>(source_.bytes.At(x, static_cast<int>(y), z))
              << 8;
        }
        boxes[count++] = Box::FromKey(key);
        starts &= starts - 1;
        ends &= ends - 1;
      } while (starts != 0);
    }
    count_ = count;
  }

  // Appends s_.boxes to the result, each row of a slice at its place. Returns
  // false, with some of them missing, once `cancel` stops.
  KILN_AVX2 bool OrderBoxes(const CancelToken& cancel) {
    constexpr size_t kAtOnce = 65536;
    CountsToPlaces(s_.starting);
    const size_t before = boxes_.size();
    boxes_.resize(before + count_);
    Box* const out = boxes_.data() + before;
    const uint32_t height = static_cast<uint32_t>(size_.y);
    uint32_t* const next = s_.starting.data();
    for (size_t i = 0; i < count_; ++i) {
      if (i % kAtOnce == kAtOnce - 1 && cancel.ShouldStop()) return false;
      const Box box = s_.boxes[i];
      out[next[(box.key() >> 56) * height + (box.key() >> 48 & 255)]++] = box;
    }
    return true;
  }

  const PartitionSource& source_;
  const Vec3i size_;
  Scratch& s_;
  BoxSet& boxes_;
  size_t count_ = 0;  // of boxes in s_.boxes
};

}  // namespace

bool PartitionAvx2Sweep(const PartitionSource& source,
                        const CancelToken& cancel, BoxSet& boxes) {
  if (Volume(source.size()) == 0) return true;
  thread_local const auto scratch = std::make_unique<Scratch>();
  scratch->Reset(source.size());
  const bool finished = source.by_class
                            ? Sweep<true>(source, *scratch, boxes).Run(cancel)
                            : Sweep<false>(source, *scratch, boxes).Run(cancel);
  if (scratch->boxes.size() > kMaxKeptBoxes) scratch->boxes = {};
  return finished;
}

}  // namespace kiln::core::internal

#else

namespace kiln::core::internal {

bool PartitionAvx2Sweep(const PartitionSource& source,
                        const CancelToken& cancel, BoxSet& boxes) {
  return PartitionPlain(source, cancel, boxes);
}

}  // namespace kiln::core::internal

#endif
