// core/voxel/decode/load_bytes.h
//
// Integers out of payload bytes of either byte order and any alignment.

#ifndef KILN_CORE_VOXEL_DECODE_LOAD_BYTES_H_
#define KILN_CORE_VOXEL_DECODE_LOAD_BYTES_H_

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/voxel/encoded_block.h"

namespace kiln::core::internal {

inline uint8_t SwapBytes(uint8_t value) { return value; }
inline uint16_t SwapBytes(uint16_t value) { return __builtin_bswap16(value); }
inline uint32_t SwapBytes(uint32_t value) { return __builtin_bswap32(value); }
inline uint64_t SwapBytes(uint64_t value) { return __builtin_bswap64(value); }

// Whether integers of this order must be swapped on this machine.
inline bool MustSwap(ByteOrder order) {
  return (order == ByteOrder::kLittle) !=
         (std::endian::native == std::endian::little);
}

// Requires: sizeof(T) readable bytes.
template <typename T>
T LoadBytes(const uint8_t* bytes, bool swap) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return swap ? SwapBytes(value) : value;
}

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_DECODE_LOAD_BYTES_H_
