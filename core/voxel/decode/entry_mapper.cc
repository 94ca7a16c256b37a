#include "core/voxel/decode/entry_mapper.h"

#include <algorithm>
#include <cstring>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace kiln::core::internal {

#if defined(__SSE2__)

namespace {

// Packs with saturation keep what matters: zero stays zero, all-ones all-ones.
template <typename T>
__m128i Load(const T* values) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(values));
}

// All-ones in each byte whose value is zero; 16 values each.
__m128i ZeroBytes(const uint8_t* values) {
  return _mm_cmpeq_epi8(Load(values), _mm_setzero_si128());
}

__m128i ZeroBytes(const uint16_t* values) {
  const __m128i zero = _mm_setzero_si128();
  return _mm_packs_epi16(_mm_cmpeq_epi16(Load(values), zero),
                         _mm_cmpeq_epi16(Load(values + 8), zero));
}

__m128i ZeroBytes(const uint32_t* values) {
  const __m128i zero = _mm_setzero_si128();
  const __m128i low = _mm_packs_epi32(_mm_cmpeq_epi32(Load(values), zero),
                                      _mm_cmpeq_epi32(Load(values + 4), zero));
  const __m128i high =
      _mm_packs_epi32(_mm_cmpeq_epi32(Load(values + 8), zero),
                      _mm_cmpeq_epi32(Load(values + 12), zero));
  return _mm_packs_epi16(low, high);
}

template <typename T>
uint64_t NonZeroBits(const T* values) {
  uint64_t zeros = 0;
  for (int i = 0; i < 4; ++i) {
    const auto mask =
        static_cast<uint32_t>(_mm_movemask_epi8(ZeroBytes(values + 16 * i)));
    zeros |= uint64_t{mask} << (16 * i);
  }
  return ~zeros;
}

}  // namespace

#else

namespace {

template <typename T>
uint64_t NonZeroBits(const T* values) {
  uint64_t bits = 0;
  for (int i = 0; i < 64; ++i) bits |= uint64_t{values[i] != 0} << i;
  return bits;
}

}  // namespace

#endif

uint64_t NonZeroBits64(const uint8_t* values) { return NonZeroBits(values); }
uint64_t NonZeroBits64(const uint16_t* values) { return NonZeroBits(values); }
uint64_t NonZeroBits64(const uint32_t* values) { return NonZeroBits(values); }

template <typename T>
EntryMapper<T>::EntryMapper(const EntryClasses& classes)
    : classes_(classes),
      check_(classes.entry_count() <= std::numeric_limits<T>::max()),
      entry_count_(classes.entry_count()) {
  if constexpr (sizeof(T) == 1) {
    const auto table = classes.table();
    const size_t known = std::min<size_t>(table.size(), 256);
    std::copy_n(table.begin(), known, small_);
    std::fill(small_ + known, small_ + 256, table.back());
  }
}

template <typename T>
void EntryMapper<T>::Map(const T* entries, size_t count, uint64_t* bits,
                         uint8_t* classes) {
  if (check_) {
    T greatest = 0;
    for (size_t i = 0; i < count; ++i)
      greatest = std::max(greatest, entries[i]);
    greatest_ = std::max<uint32_t>(greatest_, greatest);
  }
  for (; count >= 64; count -= 64, entries += 64, ++bits) {
    MapUpTo64(entries, 64, bits, classes);
    if (classes != nullptr) classes += 64;
  }
  if (count > 0) MapUpTo64(entries, count, bits, classes);
}

template <typename T>
void EntryMapper<T>::MapUpTo64(const T* entries, size_t count, uint64_t* bits,
                               uint8_t* classes) {
  if (classes == nullptr && classes_.is_nonzero()) {
    if (count == 64) {
      *bits = NonZeroBits64(entries);
      return;
    }
    T padded[64] = {};
    std::copy_n(entries, count, padded);
    *bits = NonZeroBits64(padded);
    return;
  }
  uint8_t found[64];
  Look(entries, count, found);
  std::fill(found + count, found + 64, uint8_t{0});
  *bits = NonZeroBits64(found);
  if (classes != nullptr) std::memcpy(classes, found, count);
}

template <typename T>
void EntryMapper<T>::Look(const T* entries, size_t count,
                          uint8_t* classes) const {
  if constexpr (sizeof(T) == 1) {
    for (size_t i = 0; i < count; ++i) classes[i] = small_[entries[i]];
    return;
  }
  const uint8_t* table = classes_.table().data();
  const auto last = static_cast<uint32_t>(classes_.table().size() - 1);
  if (sizeof(T) == 2 || classes_.table_is_whole()) {
    for (size_t i = 0; i < count; ++i) {
      classes[i] = table[std::min<uint32_t>(entries[i], last)];
    }
    return;
  }
  // Neighbours are mostly alike: one look-up serves a run.
  T previous = entries[0];
  uint8_t cls = classes_.ClassOf(previous);
  for (size_t i = 0; i < count; ++i) {
    if (entries[i] != previous) {
      previous = entries[i];
      cls = classes_.ClassOf(previous);
    }
    classes[i] = cls;
  }
}

template class EntryMapper<uint8_t>;
template class EntryMapper<uint16_t>;
template class EntryMapper<uint32_t>;

}  // namespace kiln::core::internal
