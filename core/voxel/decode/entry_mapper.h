// core/voxel/decode/entry_mapper.h
//
// Arrays of entries to solidity bits and classes: the inner loop of every
// decoder that meets its voxels one by one.

#ifndef KILN_CORE_VOXEL_DECODE_ENTRY_MAPPER_H_
#define KILN_CORE_VOXEL_DECODE_ENTRY_MAPPER_H_

#include <cstddef>
#include <cstdint>

#include "core/voxel/decode/solidity.h"

namespace kiln::core::internal {

// `T` is uint8_t, uint16_t or uint32_t, in the machine's byte order. Keeps the
// address of the EntryClasses it is made from. Not thread-safe: it remembers
// whether an entry was beyond the palette.
template <typename T>
class EntryMapper {
 public:
  explicit EntryMapper(const EntryClasses& classes);

  // Writes the solidity of `count` entries into ceil(count / 64) words of
  // `bits`, zeros beyond the last, and their classes into `classes` unless it
  // is null. The result is rubbish once !all_exist().
  void Map(const T* entries, size_t count, uint64_t* bits, uint8_t* classes);

  // No entry so far was beyond the palette.
  bool all_exist() const { return greatest_ < entry_count_; }

 private:
  void MapUpTo64(const T* entries, size_t count, uint64_t* bits,
                 uint8_t* classes);
  void Look(const T* entries, size_t count, uint8_t* classes) const;

  const EntryClasses& classes_;
  const bool check_;  // T holds numbers that are no entry
  const int64_t entry_count_;
  uint32_t greatest_ = 0;
  uint8_t small_[256];  // of T = uint8_t: the class of any entry
};

extern template class EntryMapper<uint8_t>;
extern template class EntryMapper<uint16_t>;
extern template class EntryMapper<uint32_t>;

// Bit i of the result is set where values[i] is not 0.
uint64_t NonZeroBits64(const uint8_t* values);
uint64_t NonZeroBits64(const uint16_t* values);
uint64_t NonZeroBits64(const uint32_t* values);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_DECODE_ENTRY_MAPPER_H_
