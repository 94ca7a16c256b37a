#include "core/voxel/decode/decode_dense.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "core/voxel/decode/entry_mapper.h"
#include "core/voxel/decode/load_bytes.h"

namespace kiln::core::internal {
namespace {

// Voxels between two looks at the cancel flag: some 50 us of work. A multiple
// of 64, so that every part begins a word.
constexpr int64_t kVoxelsPerPoll = 1 << 16;

// Voxels that are brought into aligned integers of the machine's byte order at
// a time, on the stack.
constexpr int64_t kVoxelsPerStep = 512;

// The first entry beyond the palette. Only called once it is known to exist.
template <typename T>
absl::Status FirstBadEntry(const EncodedBlock& block,
                           const ArrayPayload& payload,
                           const EntryClasses& classes) {
  const bool swap = MustSwap(payload.byte_order);
  const auto count = static_cast<int64_t>(payload.bytes.size() / sizeof(T));
  for (int64_t i = 0; i < count; ++i) {
    const T entry = LoadBytes<T>(
        payload.bytes.data() + i * static_cast<int64_t>(sizeof(T)), swap);
    if (entry < classes.entry_count()) continue;
    return classes.Check(
        absl::StrCat("array.entries: ",
                     VoxelName(i, block.axis_order, block.size)),
        entry);
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status DecodeEntries(const EncodedBlock& block,
                           const ArrayPayload& payload,
                           const EntryClasses& classes,
                           const CancelToken& cancel, LinearVoxels& voxels) {
  EntryMapper<T> mapper(classes);
  const bool swap = MustSwap(payload.byte_order);
  T entries[kVoxelsPerStep];
  for (int64_t at = 0; at < voxels.count; at += kVoxelsPerStep) {
    if (at % kVoxelsPerPoll == 0) KILN_RETURN_IF_ERROR(cancel.ToStatus());
    const auto count = static_cast<size_t>(
        std::min<int64_t>(kVoxelsPerStep, voxels.count - at));
    std::memcpy(entries,
                payload.bytes.data() + at * static_cast<int64_t>(sizeof(T)),
                count * sizeof(T));
    if (swap && sizeof(T) > 1) {
      for (T& entry : entries) entry = SwapBytes(entry);
    }
    mapper.Map(entries, count, voxels.bits.data() + at / 64,
               voxels.classes.empty() ? nullptr : voxels.classes.data() + at);
  }
  if (!mapper.all_exist()) return FirstBadEntry<T>(block, payload, classes);
  return absl::OkStatus();
}

// Clears every bit beyond the last voxel.
void ClearTail(LinearVoxels& voxels) {
  voxels.bits.back() = 0;
  const int64_t used = voxels.count & 63;
  if (used == 0) return;
  voxels.bits[static_cast<size_t>(voxels.count / 64)] &=
      (uint64_t{1} << used) - 1;
}

// Bits beyond the last voxel must be clear, and all bits where the palette has
// no entry 1. Requires: the payload is in `voxels.bits`.
absl::Status CheckBits(const EncodedBlock& block, const EntryClasses& classes,
                       const LinearVoxels& voxels) {
  const size_t words = voxels.bits.size() - 1;
  const int64_t used = voxels.count & 63;
  if (used != 0 && voxels.bits[words - 1] >> used != 0) {
    return FieldError("bitset.bits", "a bit set beyond the last voxel",
                      absl::StrCat("the lowest ", voxels.count, " bits"));
  }
  if (classes.entry_count() > 1) return absl::OkStatus();
  for (size_t i = 0; i < words; ++i) {
    if (voxels.bits[i] == 0) continue;
    const auto at =
        static_cast<int64_t>(64 * i) + std::countr_zero(voxels.bits[i]);
    return classes.Check(
        absl::StrCat("bitset.bits: ",
                     VoxelName(at, block.axis_order, block.size)),
        1);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DecodeBitset(const EncodedBlock& block,
                          const BitsetPayload& payload,
                          const EntryClasses& classes, LinearVoxels& voxels) {
  std::vector<uint64_t>& bits = voxels.bits;
  std::memcpy(bits.data(), payload.bytes.data(), payload.bytes.size());
  if (MustSwap(ByteOrder::kLittle)) {
    for (uint64_t& word : bits) word = SwapBytes(word);
  }
  KILN_RETURN_IF_ERROR(CheckBits(block, classes, voxels));
  const uint8_t clear = classes.ClassOf(0);
  const uint8_t set = classes.entry_count() > 1 ? classes.ClassOf(1) : clear;
  for (size_t i = 0; i < voxels.classes.size(); ++i) {
    voxels.classes[i] = (bits[i / 64] >> (i & 63) & 1) != 0 ? set : clear;
  }
  const uint64_t where_set = set != 0 ? ~uint64_t{0} : 0;
  const uint64_t where_clear = clear != 0 ? ~uint64_t{0} : 0;
  for (uint64_t& word : bits) {
    word = (word & where_set) | (~word & where_clear);
  }
  ClearTail(voxels);
  return absl::OkStatus();
}

absl::Status DecodeArray(const EncodedBlock& block, const ArrayPayload& payload,
                         const EntryClasses& classes, const CancelToken& cancel,
                         LinearVoxels& voxels) {
  switch (payload.bytes_per_entry) {
    case 1:
      return DecodeEntries<uint8_t>(block, payload, classes, cancel, voxels);
    case 2:
      return DecodeEntries<uint16_t>(block, payload, classes, cancel, voxels);
    default:
      return DecodeEntries<uint32_t>(block, payload, classes, cancel, voxels);
  }
}

}  // namespace kiln::core::internal
