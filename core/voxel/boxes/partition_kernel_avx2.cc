// The partition for machines with AVX2: blocks of up to 64 voxels in height,
// so that a column is one word and 4 or 8 columns of a slice are one register.

#include "core/voxel/boxes/partition_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <vector>

// Every function that uses vectors carries this, so that the rest of the
// library runs on any x86-64 and the linker never mixes the two. A lambda does
// not inherit it: there are none below.
#define KILN_AVX2 __attribute__((target("avx2,bmi")))
#define KILN_AVX2_INLINE \
  __attribute__((target("avx2,bmi"), always_inline)) inline

namespace kiln::core::internal {
namespace {

// Columns are packed this many at a time: one register of bytes.
constexpr int kPackedColumns = 32;

// Lanes of columns of type T, 4 or 8 of them.
template <typename T>
inline constexpr int kLanes = 32 / sizeof(T);

KILN_AVX2_INLINE __m256i Load(const void* p) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}

KILN_AVX2_INLINE void Store(void* p, __m256i v) {
  _mm256_storeu_si256(static_cast<__m256i*>(p), v);
}

template <typename T>
KILN_AVX2_INLINE __m256i Broadcast(T value) {
  if constexpr (sizeof(T) == 4) {
    return _mm256_set1_epi32(static_cast<int>(value));
  } else {
    return _mm256_set1_epi64x(static_cast<long long>(value));
  }
}

// Bit i is set where lane i of a equals lane i of b.
template <typename T>
KILN_AVX2_INLINE unsigned EqualLanes(__m256i a, __m256i b) {
  if constexpr (sizeof(T) == 4) {
    return static_cast<unsigned>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b))));
  } else {
    return static_cast<unsigned>(
        _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b))));
  }
}

// All ones in the first `count` lanes, and nothing in the others.
template <typename T>
KILN_AVX2_INLINE __m256i FirstLanes(int count) {
  static constexpr auto kOnesThenZeros = [] {
    std::array<T, 2 * kLanes<T>> lanes{};
    for (size_t i = 0; i < kLanes<T>; ++i) lanes[i] = ~T{0};
    return lanes;
  }();
  return Load(kOnesThenZeros.data() + kLanes<T> - count);
}

// A block as columns of bits along y: bit y of column (x, z). Behind the
// columns of each slice lie enough of air for a register to be read there.
template <typename T>
struct Columns {
  Vec3i size;
  ptrdiff_t stride = 0;  // columns from slice to slice
  std::vector<T> free;   // voxels that are in no box yet
  // By axis, where boxes are made by class: voxels of the same class as their
  // neighbour one below on that axis.
  std::array<std::vector<T>, 3> joined;

  void Reset(const Vec3i& block_size, bool by_class) {
    size = block_size;
    stride = (size.x + kPackedColumns - 1) / kPackedColumns * kPackedColumns +
             kLanes<T>;
    const size_t total =
        static_cast<size_t>(stride) * static_cast<size_t>(size.z);
    free.resize(total);
    for (auto& bits : joined) bits.resize(by_class ? total : 0);
  }
};

// --- Packing ----------------------------------------------------------------
//
// A row source says, for 32 voxels of row (y, z) from x on, which of them give
// a clear bit (bytes of ones). Voxels beyond the row give clear bits.

// `count` bytes, then zeros. Never reads beyond them.
KILN_AVX2_INLINE __m256i LoadBytes(const uint8_t* bytes, int count) {
  if (count >= kPackedColumns) return Load(bytes);
  if (count == 16) {
    return _mm256_zextsi128_si256(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
  }
  alignas(32) uint8_t padded[kPackedColumns] = {};
  std::memcpy(padded, bytes, static_cast<size_t>(count));
  return Load(padded);
}

// Bytes of one slice, where no row ends within the 32 voxels.
struct InnerBytes {
  const uint8_t* slice;
  ptrdiff_t stride_y;

  KILN_AVX2_INLINE __m256i Clear(int x, int y, int) const {
    return _mm256_cmpeq_epi8(Load(slice + y * stride_y + x),
                             _mm256_setzero_si256());
  }
};

struct SolidBytes {
  VoxelView<uint8_t> bytes;

  KILN_AVX2_INLINE __m256i Clear(int x, int y, int z) const {
    const __m256i row = LoadBytes(bytes.Address(x, y, z), bytes.size().x - x);
    return _mm256_cmpeq_epi8(row, _mm256_setzero_si256());
  }
};

struct SolidBits {
  const BitGrid* bits;

  KILN_AVX2_INLINE __m256i Clear(int x, int y, int z) const {
    const uint64_t word = bits->Row(y, z)[x >> 6] >> (x & 63);
    // Byte i of `spread` holds bits i / 8 * 8 .. of the word.
    const __m256i spread = _mm256_shuffle_epi8(
        _mm256_set1_epi32(static_cast<int>(word)),
        _mm256_setr_epi64x(0x0000000000000000, 0x0101010101010101,
                           0x0202020202020202, 0x0303030303030303));
    const __m256i select = _mm256_set1_epi64x(
        static_cast<long long>(uint64_t{0x8040201008040201}));
    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, select),
                             _mm256_setzero_si256());
  }
};

// Joins along `axis`. At the block's lower border there is no neighbour; the
// voxel stands in for it, and the bit is never looked at.
struct JoinedBytes {
  VoxelView<uint8_t> classes;
  int axis;

  KILN_AVX2_INLINE __m256i Clear(int x, int y, int z) const {
    const int count = classes.size().x - x;
    const uint8_t* row = classes.Address(x, y, z);
    const __m256i here = LoadBytes(row, count);
    __m256i below;
    if (axis == 1) {
      below = y > 0 ? LoadBytes(row - classes.stride_y, count) : here;
    } else if (axis == 2) {
      below = z > 0 ? LoadBytes(row - classes.stride_z, count) : here;
    } else if (x > 0) {
      below = LoadBytes(row - 1, count);
    } else {  // one byte up, through both halves
      below = _mm256_alignr_epi8(here, _mm256_permute2x128_si256(here, here, 8),
                                 15);
    }
    return _mm256_xor_si256(_mm256_cmpeq_epi8(here, below),
                            _mm256_set1_epi8(-1));
  }
};

// Byte i holds the bits of voxels (x + i, y .. y + 7), as far as there are any.
//
// The mean of two bytes, (a + b + 1) / 2, shifts a down by one and puts the top
// bit of b = 0 or 255 on top of it. It rounds nothing, since it takes the first
// bit eight steps to come to the bottom.
template <typename Rows>
KILN_AVX2_INLINE __m256i PackEightRows(const Rows& rows, int x, int y, int z,
                                       int height) {
  const __m256i ones = _mm256_set1_epi8(-1);
  __m256i clear = _mm256_setzero_si256();
  if (y + 8 <= height) {
    for (int i = 0; i < 8; ++i) {
      clear = _mm256_avg_epu8(clear, rows.Clear(x, y + i, z));
    }
  } else {
    for (int i = 0; i < 8; ++i) {
      clear = _mm256_avg_epu8(clear,
                              y + i < height ? rows.Clear(x, y + i, z) : ones);
    }
  }
  return _mm256_xor_si256(clear, ones);
}

KILN_AVX2_INLINE void StoreHalves(void* low, void* high, __m256i v) {
  _mm_storeu_si128(static_cast<__m128i*>(low), _mm256_castsi256_si128(v));
  _mm_storeu_si128(static_cast<__m128i*>(high), _mm256_extracti128_si256(v, 1));
}

// Packs 32 columns of slice z from x on: each group of eight rows gives one
// byte of every column, and unpacking interleaves those bytes into columns.
template <typename Rows>
KILN_AVX2_INLINE void PackColumns(const Rows& rows, int x, int z, int height,
                                  uint32_t* out) {
  __m256i group[4];
  for (int g = 0; g < 4; ++g) {
    group[g] = PackEightRows(rows, x, 8 * g, z, height);
  }
  // Unpacking works within halves: columns 0..15 and 16..31.
  for (int half = 0; half < 2; ++half) {
    const __m256i y0 = half ? _mm256_unpackhi_epi8(group[0], group[1])
                            : _mm256_unpacklo_epi8(group[0], group[1]);
    const __m256i y16 = half ? _mm256_unpackhi_epi8(group[2], group[3])
                             : _mm256_unpacklo_epi8(group[2], group[3]);
    uint32_t* low = out + 8 * half;
    StoreHalves(low, low + 16, _mm256_unpacklo_epi16(y0, y16));
    StoreHalves(low + 4, low + 20, _mm256_unpackhi_epi16(y0, y16));
  }
}

template <typename Rows>
KILN_AVX2_INLINE void PackColumns(const Rows& rows, int x, int z, int height,
                                  uint64_t* out) {
  __m256i group[8];
  for (int g = 0; g < 8; ++g) {
    group[g] = PackEightRows(rows, x, 8 * g, z, height);
  }
  for (int half = 0; half < 2; ++half) {
    __m256i pair[4];
    for (int p = 0; p < 4; ++p) {
      pair[p] = half ? _mm256_unpackhi_epi8(group[2 * p], group[2 * p + 1])
                     : _mm256_unpacklo_epi8(group[2 * p], group[2 * p + 1]);
    }
    for (int quarter = 0; quarter < 2; ++quarter) {
      const __m256i y0 = quarter ? _mm256_unpackhi_epi16(pair[0], pair[1])
                                 : _mm256_unpacklo_epi16(pair[0], pair[1]);
      const __m256i y32 = quarter ? _mm256_unpackhi_epi16(pair[2], pair[3])
                                  : _mm256_unpacklo_epi16(pair[2], pair[3]);
      uint64_t* low_columns = out + 8 * half + 4 * quarter;
      StoreHalves(low_columns, low_columns + 16,
                  _mm256_unpacklo_epi32(y0, y32));
      StoreHalves(low_columns + 2, low_columns + 18,
                  _mm256_unpackhi_epi32(y0, y32));
    }
  }
}

// Packs the columns of slice z from `from` up to `to`, 32 at a time.
template <typename T, typename Rows>
KILN_AVX2 void PackRange(const Rows& rows, int from, int to, int z, int height,
                         T* slice) {
  for (int x = from; x < to; x += kPackedColumns) {
    PackColumns(rows, x, z, height, slice + x);
  }
}

template <typename T, typename Rows>
KILN_AVX2 void PackSlice(const Rows& rows, int z, const Columns<T>& columns,
                         std::vector<T>& bits) {
  T* const slice = bits.data() + z * columns.stride;
  PackRange(rows, 0, columns.size.x, z, columns.size.y, slice);
  Store(slice + columns.stride - kLanes<T>, _mm256_setzero_si256());
}

template <typename T>
KILN_AVX2 void PackSlice(const VoxelView<uint8_t>& bytes, int z,
                         Columns<T>& columns) {
  T* const slice = columns.free.data() + z * columns.stride;
  const Vec3i& size = columns.size;
  const int inner = size.x / kPackedColumns * kPackedColumns;
  PackRange(InnerBytes{bytes.Address(0, 0, z), bytes.stride_y}, 0, inner, z,
            size.y, slice);
  PackRange(SolidBytes{bytes}, inner, size.x, z, size.y, slice);
  Store(slice + columns.stride - kLanes<T>, _mm256_setzero_si256());
}

// --- Making boxes -----------------------------------------------------------

// Which of up to 64 columns, from `column` on, have free voxels.
template <typename T>
KILN_AVX2_INLINE uint64_t NonEmpty(const T* column, int count) {
  uint64_t empty = 0;
  for (int i = 0; i < count; i += kLanes<T>) {
    const uint64_t lanes =
        EqualLanes<T>(Load(column + i), _mm256_setzero_si256());
    empty |= lanes << i;
  }
  return ~empty & (~uint64_t{0} >> (64 - count));
}

// Lanes from `column` on, without those that are not joined to the one below.
template <typename T, bool kByClass>
KILN_AVX2_INLINE __m256i LoadJoined(const T* column, const T* joined) {
  const __m256i lanes = Load(column);
  if constexpr (kByClass) return _mm256_and_si256(lanes, Load(joined));
  return lanes;
}

// How many columns from `column` on hold `mask`.
template <typename T, bool kByClass>
KILN_AVX2_INLINE int CountHolding(const T* column, const T* joined,
                                  __m256i mask) {
  for (int count = 0;; count += kLanes<T>) {
    const __m256i lanes =
        LoadJoined<T, kByClass>(column + count, joined + count);
    const unsigned missing =
        ~EqualLanes<T>(_mm256_and_si256(lanes, mask), mask);
    const int holding = std::countr_zero(missing);
    if (holding < kLanes<T>) return count + holding;
  }
}

KILN_AVX2_INLINE void Take(void* column, __m256i mask) {
  Store(column, _mm256_andnot_si256(mask, Load(column)));
}

// These three go up the slices from `column` on, `stride` apart, while `width`
// columns of each hold `mask`, and take it off them. They return how many
// slices those are, at most `limit`.

// One column: half of all boxes of rough terrain. No vectors, so that loads
// after it need not wait for wider stores.
template <typename T, bool kByClass>
KILN_AVX2_INLINE int TakeOne(T* column, const T* joined, ptrdiff_t stride,
                             int limit, T mask) {
  int slices = 0;
  for (; slices < limit; ++slices, column += stride, joined += stride) {
    if ((*column & mask) != mask) break;
    if (kByClass && (*joined & mask) != mask) break;
    *column ^= mask;
  }
  return slices;
}

// Columns that fit one register.
template <typename T, bool kByClass>
KILN_AVX2_INLINE int TakeNarrow(T* column, const T* joined, ptrdiff_t stride,
                                int limit, int width, __m256i mask) {
  mask = _mm256_and_si256(mask, FirstLanes<T>(width));
  int slices = 0;
  for (; slices < limit; ++slices, column += stride, joined += stride) {
    const __m256i lanes = LoadJoined<T, kByClass>(column, joined);
    if (!_mm256_testc_si256(lanes, mask)) break;
    Take(column, mask);
  }
  return slices;
}

// Columns that do not.
template <typename T, bool kByClass>
KILN_AVX2 int TakeWide(T* column, const T* joined, ptrdiff_t stride, int limit,
                       int width, __m256i mask) {
  const int last = (width - 1) / kLanes<T> * kLanes<T>;
  const __m256i last_mask = _mm256_and_si256(mask, FirstLanes<T>(width - last));
  int slices = 0;
  for (; slices < limit; ++slices, column += stride, joined += stride) {
    for (int i = 0; i < last; i += kLanes<T>) {
      const __m256i lanes = LoadJoined<T, kByClass>(column + i, joined + i);
      if (!_mm256_testc_si256(lanes, mask)) return slices;
    }
    const __m256i lanes = LoadJoined<T, kByClass>(column + last, joined + last);
    if (!_mm256_testc_si256(lanes, last_mask)) return slices;
    for (int i = 0; i < last; i += kLanes<T>) Take(column + i, mask);
    Take(column + last, last_mask);
  }
  return slices;
}

// Makes the boxes that start in slice z, ordered by x, then y. Returns the end
// of what it wrote to `out`, which has room for as many as there can be.
template <typename T, bool kByClass>
KILN_AVX2 Box* PartitionSlice(Columns<T>& columns, int z,
                              const PartitionSource& source, Box* out) {
  const Vec3i size = columns.size;
  const ptrdiff_t stride = columns.stride;
  const ptrdiff_t begin = z * stride;
  T* const slice = columns.free.data() + begin;
  // Without classes there are no joins, and nothing reads these.
  const auto& joined = columns.joined;
  const T* const joined_x = kByClass ? joined[0].data() + begin : slice;
  const T* const joined_y = kByClass ? joined[1].data() + begin : slice;
  const T* const joined_z = kByClass ? joined[2].data() + begin : slice;
  for (int x0 = 0; x0 < size.x; x0 += 64) {
    uint64_t todo = NonEmpty(slice + x0, std::min(64, size.x - x0));
    for (; todo != 0; todo &= todo - 1) {
      const int x = x0 + std::countr_zero(todo);
      for (T rest = slice[x]; rest != 0;) {
        // The lowest run of ones: adding its lowest bit carries through it.
        const T lowest = rest & (T{0} - rest);
        T run = rest;
        if constexpr (kByClass) run &= joined_y[x] | lowest;
        run &= ~(run + lowest);
        rest ^= run;

        const __m256i mask = Broadcast(run);
        const int width = 1 + CountHolding<T, kByClass>(slice + x + 1,
                                                        joined_x + x + 1, mask);
        const int limit = size.z - z - 1;
        int depth = 1;
        if (width == 1) {
          depth += TakeOne<T, kByClass>(
              slice + x + stride, joined_z + x + stride, stride, limit, run);
        } else if (width <= kLanes<T>) {
          Take(slice + x, _mm256_and_si256(mask, FirstLanes<T>(width)));
          depth +=
              TakeNarrow<T, kByClass>(slice + x + stride, joined_z + x + stride,
                                      stride, limit, width, mask);
        } else {
          TakeWide<T, false>(slice + x, slice + x, stride, 1, width, mask);
          depth +=
              TakeWide<T, kByClass>(slice + x + stride, joined_z + x + stride,
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

template <typename T, bool kByClass>
KILN_AVX2 bool Partition(const PartitionSource& source,
                         const CancelToken& cancel, BoxSet& boxes) {
  thread_local Columns<T> columns;
  thread_local BoxSet slice;
  columns.Reset(source.size(), kByClass);
  // Noise makes a box of each voxel, a checkerboard of classes too.
  slice.resize(static_cast<size_t>(columns.size.x * columns.size.y));
  for (int z = 0; z < columns.size.z; ++z) {
    if (cancel.ShouldStop()) return false;
    if (source.bits) {
      PackSlice(SolidBits{source.bits}, z, columns, columns.free);
    } else {
      PackSlice(source.bytes, z, columns);
    }
    if (kByClass) {
      for (int axis = 0; axis < 3; ++axis) {
        PackSlice(JoinedBytes{source.bytes, axis}, z, columns,
                  columns.joined[static_cast<size_t>(axis)]);
      }
    }
  }
  for (int z = 0; z < columns.size.z; ++z) {
    if (cancel.ShouldStop()) return false;
    const Box* end =
        PartitionSlice<T, kByClass>(columns, z, source, slice.data());
    AppendByY({slice.data(), end}, columns.size.y, boxes);
  }
  return true;
}

}  // namespace

bool CanPartitionAvx2(const PartitionSource& source) {
  static const bool has_avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
  return has_avx2 && source.size().y <= 64 &&
         (source.bits || source.bytes.stride_x == 1);
}

bool PartitionAvx2(const PartitionSource& source, const CancelToken& cancel,
                   BoxSet& boxes) {
  if (Volume(source.size()) == 0) return true;
  if (source.size().y <= 32) {
    return source.by_class ? Partition<uint32_t, true>(source, cancel, boxes)
                           : Partition<uint32_t, false>(source, cancel, boxes);
  }
  return source.by_class ? Partition<uint64_t, true>(source, cancel, boxes)
                         : Partition<uint64_t, false>(source, cancel, boxes);
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
