// core/voxel/boxes/partition_kernel_avx2_pack.h
//
// Registers of columns, and how rows of voxels become columns of bits: what the
// two ways to partition with AVX2 share. For partition_kernel_avx2*.cc only.

#ifndef KILN_CORE_VOXEL_BOXES_PARTITION_KERNEL_AVX2_PACK_H_
#define KILN_CORE_VOXEL_BOXES_PARTITION_KERNEL_AVX2_PACK_H_

#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/voxel/bit_grid.h"
#include "core/voxel/boxes/partition_kernel.h"
#include "core/voxel/voxel_view.h"

// Every function that uses vectors carries this, so that the rest of the
// library runs on any x86-64 and the linker never mixes the two. A lambda does
// not inherit it: there are none below.
#define KILN_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#define KILN_AVX2_INLINE \
  __attribute__((target("avx2,bmi,bmi2"), always_inline)) inline

namespace kiln::core::internal {

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

// Bit i is set where lane i of a differs from lane i of b.
template <typename T>
KILN_AVX2_INLINE unsigned UnlikeLanes(__m256i a, __m256i b) {
  return EqualLanes<T>(a, b) ^ ((1u << kLanes<T>)-1);
}

// Which of up to 64 columns, from `column` on, have bits.
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

// Packs the columns of slice z from `from` up to `to`, 32 at a time. Writes up
// to 31 columns of air behind them.
template <typename T, typename Rows>
KILN_AVX2_INLINE void PackRange(const Rows& rows, int from, int to, int z,
                                int height, T* slice) {
  for (int x = from; x < to; x += kPackedColumns) {
    PackColumns(rows, x, z, height, slice + x);
  }
}

// The solid voxels of slice z.
template <typename T>
KILN_AVX2_INLINE void PackSolid(const PartitionSource& source, int z,
                                T* slice) {
  const Vec3i size = source.size();
  if (source.bits) {
    PackRange(SolidBits{source.bits}, 0, size.x, z, size.y, slice);
    return;
  }
  const VoxelView<uint8_t>& bytes = source.bytes;
  const int inner = size.x / kPackedColumns * kPackedColumns;
  PackRange(InnerBytes{bytes.Address(0, 0, z), bytes.stride_y}, 0, inner, z,
            size.y, slice);
  PackRange(SolidBytes{bytes}, inner, size.x, z, size.y, slice);
}

// The joins along `axis` of slice z.
template <typename T>
KILN_AVX2_INLINE void PackJoined(const PartitionSource& source, int axis, int z,
                                 T* slice) {
  const Vec3i size = source.size();
  PackRange(JoinedBytes{source.bytes, axis}, 0, size.x, z, size.y, slice);
}

}  // namespace kiln::core::internal

#endif  // defined(__x86_64__)

#endif  // KILN_CORE_VOXEL_BOXES_PARTITION_KERNEL_AVX2_PACK_H_
