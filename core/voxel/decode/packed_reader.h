// core/voxel/decode/packed_reader.h
//
// The words of a packed payload in one form, whatever their width, byte order
// and spanning: 64 bits with as many whole entries as fit, lowest bits first.

#ifndef KILN_CORE_VOXEL_DECODE_PACKED_READER_H_
#define KILN_CORE_VOXEL_DECODE_PACKED_READER_H_

#include <cstdint>

#include "core/voxel/decode/load_bytes.h"
#include "core/voxel/encoded_block.h"

namespace kiln::core::internal {

class PackedReader {
 public:
  // Requires: valid widths (payload_layout.h).
  explicit PackedReader(const PackedPayload& payload)
      : bytes_(payload.bytes.data()),
        words_(static_cast<int64_t>(payload.bytes.size()) * 8 /
               payload.word_bits),
        bits_(payload.bits_per_entry),
        wide_(payload.word_bits == 64),
        spanning_(payload.spanning),
        swap_(MustSwap(payload.byte_order)),
        per_group_((spanning_ ? 64 : payload.word_bits) / bits_) {}

  // Entries of each group but the last, which may have fewer.
  int per_group() const { return per_group_; }

  // Group i: entries i * per_group() and up. Bits above them are anything.
  // Requires: the group holds at least one entry of the payload.
  uint64_t Group(int64_t i) const {
    if (!spanning_) return wide_ ? Word64(i) : Word32(i);
    const int64_t at = i * per_group_ * bits_;
    const int shift = static_cast<int>(at & 63);
    const int64_t word = at >> 6;
    return Stream64(word) >> shift | Stream64(word + 1) << 1 << (63 - shift);
  }

 private:
  uint64_t Word64(int64_t i) const {
    return LoadBytes<uint64_t>(bytes_ + 8 * i, swap_);
  }
  uint64_t Word32(int64_t i) const {
    return LoadBytes<uint32_t>(bytes_ + 4 * i, swap_);
  }
  // 64 bits of the stream that the words make, zeros beyond its end.
  uint64_t Stream64(int64_t i) const {
    if (wide_) return i < words_ ? Word64(i) : 0;
    const uint64_t low = 2 * i < words_ ? Word32(2 * i) : 0;
    const uint64_t high = 2 * i + 1 < words_ ? Word32(2 * i + 1) : 0;
    return low | high << 32;
  }

  const uint8_t* bytes_;
  int64_t words_;
  int bits_;
  bool wide_;
  bool spanning_;
  bool swap_;
  int per_group_;
};

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_DECODE_PACKED_READER_H_
