// The partition for machines with AVX2 and BMI2, box by box: blocks of up to 32
// voxels in height, so that 8 columns of a slice are one register. Higher ones
// are swept (partition_kernel_avx2_sweep.cc), which costs more for each slice
// and less for each box. On the named grids the sweep takes 1.2 to 1.6 times as
// long at 16^3 and 1.1 to 1.3 times at 32^3; at 64^3 it takes 0.6 to 0.9.

#include "core/voxel/boxes/partition_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "core/voxel/boxes/partition_kernel_avx2_pack.h"

namespace kiln::core::internal {
namespace {

// A column of 32 voxels.
using Column = uint32_t;

// All ones in the first `count` lanes, and nothing in the others.
KILN_AVX2_INLINE __m256i FirstLanes(int count) {
  static constexpr auto kOnesThenZeros = [] {
    std::array<Column, 2 * kLanes<Column>> lanes{};
    for (size_t i = 0; i < kLanes<Column>; ++i) lanes[i] = ~Column{0};
    return lanes;
  }();
  return Load(kOnesThenZeros.data() + kLanes<Column> - count);
}

// A block as columns of bits along y: bit y of column (x, z). Behind the
// columns of each slice lie enough of air for a register to be read there.
struct Columns {
  Vec3i size;
  ptrdiff_t stride = 0;      // columns from slice to slice
  std::vector<Column> free;  // voxels that are in no box yet
  // By axis, where boxes are made by class: voxels of the same class as their
  // neighbour one below on that axis.
  std::array<std::vector<Column>, 3> joined;

  void Reset(const Vec3i& block_size, bool by_class) {
    size = block_size;
    stride = (size.x + kPackedColumns - 1) / kPackedColumns * kPackedColumns +
             kLanes<Column>;
    const size_t total =
        static_cast<size_t>(stride) * static_cast<size_t>(size.z);
    free.resize(total);
    for (auto& bits : joined) bits.resize(by_class ? total : 0);
  }
};

KILN_AVX2_INLINE void Take(void* column, __m256i mask) {
  Store(column, _mm256_andnot_si256(mask, Load(column)));
}

// These three go up the slices from `column` on, `stride` apart, while `width`
// columns of each hold `mask`, and take it off them. They return how many
// slices those are, at most `limit`.

// One column: half of all boxes of rough terrain. No vectors, so that loads
// after it need not wait for wider stores.
template <bool kByClass>
KILN_AVX2_INLINE int TakeOne(Column* column, const Column* joined,
                             ptrdiff_t stride, int limit, Column mask) {
  int slices = 0;
  for (; slices < limit; ++slices, column += stride, joined += stride) {
    if ((*column & mask) != mask) break;
    if (kByClass && (*joined & mask) != mask) break;
    *column ^= mask;
  }
  return slices;
}

// Columns that fit one register.
template <bool kByClass>
KILN_AVX2_INLINE int TakeNarrow(Column* column, const Column* joined,
                                ptrdiff_t stride, int limit, int width,
                                __m256i mask) {
  mask = _mm256_and_si256(mask, FirstLanes(width));
  int slices = 0;
  for (; slices < limit; ++slices, column += stride, joined += stride) {
    const __m256i lanes = LoadJoined<Column, kByClass>(column, joined);
    if (!_mm256_testc_si256(lanes, mask)) break;
    Take(column, mask);
  }
  return slices;
}

// Columns that do not.
template <bool kByClass>
KILN_AVX2 int TakeWide(Column* column, const Column* joined, ptrdiff_t stride,
                       int limit, int width, __m256i mask) {
  const int last = (width - 1) / kLanes<Column> * kLanes<Column>;
  const __m256i last_mask = _mm256_and_si256(mask, FirstLanes(width - last));
  int slices = 0;
  for (; slices < limit; ++slices, column += stride, joined += stride) {
    for (int i = 0; i < last; i += kLanes<Column>) {
      const __m256i lanes =
          LoadJoined<Column, kByClass>(column + i, joined + i);
      if (!_mm256_testc_si256(lanes, mask)) return slices;
    }
    const __m256i lanes =
        LoadJoined<Column, kByClass>(column + last, joined + last);
    if (!_mm256_testc_si256(lanes, last_mask)) return slices;
    for (int i = 0; i < last; i += kLanes<Column>) Take(column + i, mask);
    Take(column + last, last_mask);
  }
  return slices;
}

// Makes the boxes that start in slice z, ordered by x, then y. Returns the end
// of what it wrote to `out`, which has room for as many as there can be.
template <bool kByClass>
KILN_AVX2 Box* PartitionSlice(Columns& columns, int z,
                              const PartitionSource& source, Box* out) {
  const Vec3i size = columns.size;
  const ptrdiff_t stride = columns.stride;
  const ptrdiff_t begin = z * stride;
  Column* const slice = columns.free.data() + begin;
  // Without classes there are no joins, and nothing reads these.
  const auto& joined = columns.joined;
  const Column* const joined_x = kByClass ? joined[0].data() + begin : slice;
  const Column* const joined_y = kByClass ? joined[1].data() + begin : slice;
  const Column* const joined_z = kByClass ? joined[2].data() + begin : slice;
  for (int x0 = 0; x0 < size.x; x0 += 64) {
    uint64_t todo = NonEmpty(slice + x0, std::min(64, size.x - x0));
    for (; todo != 0; todo &= todo - 1) {
      const int x = x0 + std::countr_zero(todo);
      for (Column rest = slice[x]; rest != 0;) {
        // The lowest run of ones: adding its lowest bit carries through it.
        const Column lowest = rest & (Column{0} - rest);
        Column run = rest;
        if constexpr (kByClass) run &= joined_y[x] | lowest;
        run &= ~(run + lowest);
        rest ^= run;

        const __m256i mask = Broadcast(run);
        const int width = 1 + CountHolding<Column, kByClass>(
                                  slice + x + 1, joined_x + x + 1, mask);
        const int limit = size.z - z - 1;
        int depth = 1;
        if (width == 1) {
          depth += TakeOne<kByClass>(slice + x + stride, joined_z + x + stride,
                                     stride, limit, run);
        } else if (width <= kLanes<Column>) {
          Take(slice + x, _mm256_and_si256(mask, FirstLanes(width)));
          depth +=
              TakeNarrow<kByClass>(slice + x + stride, joined_z + x + stride,
                                   stride, limit, width, mask);
        } else {
          TakeWide<false>(slice + x, slice + x, stride, 1, width, mask);
          depth += TakeWide<kByClass>(slice + x + stride, joined_z + x + stride,
                                      stride, limit, width, mask);
        }
        const int y = std::countr_zero(lowest);
        *out++ = Box({x, y, z}, {x + width, y + std::popcount(run), z + depth},
                     kByClass ? source.bytes.At(x, y, z) : 1);
      }
    }
  }
  return out;
}

template <bool kByClass>
KILN_AVX2 bool Partition(const PartitionSource& source,
                         const CancelToken& cancel, BoxSet& boxes) {
  thread_local Columns columns;
  thread_local BoxSet slice;
  columns.Reset(source.size(), kByClass);
  // Noise makes a box of each voxel, a checkerboard of classes too.
  slice.resize(static_cast<size_t>(columns.size.x * columns.size.y));
  for (int z = 0; z < columns.size.z; ++z) {
    if (cancel.ShouldStop()) return false;
    const ptrdiff_t begin = z * columns.stride;
    Column* const solid = columns.free.data() + begin;
    PackSolid(source, z, solid);
    Store(solid + columns.stride - kLanes<Column>, _mm256_setzero_si256());
    if constexpr (kByClass) {
      for (int axis = 0; axis < 3; ++axis) {
        auto& joined = columns.joined[static_cast<size_t>(axis)];
        PackJoined(source, axis, z, joined.data() + begin);
      }
    }
  }
  for (int z = 0; z < columns.size.z; ++z) {
    if (cancel.ShouldStop()) return false;
    const Box* end = PartitionSlice<kByClass>(columns, z, source, slice.data());
    AppendByY({slice.data(), end}, columns.size.y, boxes);
  }
  return true;
}

}  // namespace

bool CanPartitionAvx2(const PartitionSource& source) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") &&
                               __builtin_cpu_supports("bmi") &&
                               __builtin_cpu_supports("bmi2");
  return has_avx2 && source.size().y <= 64 &&
         (source.bits || source.bytes.stride_x == 1);
}

bool PartitionAvx2(const PartitionSource& source, const CancelToken& cancel,
                   BoxSet& boxes) {
  if (source.size().y > 32) return PartitionAvx2Sweep(source, cancel, boxes);
  if (Volume(source.size()) == 0) return true;
  return source.by_class ? Partition<true>(source, cancel, boxes)
                         : Partition<false>(source, cancel, boxes);
}

}  // namespace kiln::core::internal

#else

namespace kiln::core::internal {

bool CanPartitionAvx2(const PartitionSource&) { return false; }

bool PartitionAvx2(const PartitionSource& source, const CancelToken& cancel,
                   BoxSet& boxes) {
  return PartitionPlain(source, cancel, boxes);
}

}  // namespace kiln::core::internal

#endif
