#include "core/voxel/decode/decode_packed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"
#include "core/voxel/decode/entry_mapper.h"
#include "core/voxel/decode/packed_reader.h"

namespace kiln::core::internal {
namespace {

// Between two looks at the cancel flag: some 50 us of work.
constexpr int64_t kGroupsPerPoll = 4096;
constexpr int64_t kVoxelsPerPoll = 1 << 15;

// Voxels unpacked at a time, on the stack; a multiple of 64.
constexpr int64_t kVoxelsPerStep = 512;

constexpr uint64_t LowBits(int count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

// Mark of a look-up that met an entry beyond the palette. Solidity bits stay
// below it.
constexpr uint8_t kBeyondPalette = 0x80;

// Entries that one look-up maps, by bits per entry: as many as keep the table
// within 4 KiB, so that building it costs less than it saves on 16^3 voxels.
constexpr int kPerLookup[8] = {0, 6, 4, 3, 2, 2, 2, 1};

// By the value of kPerLookup[Bits] neighbouring entries: their solidity, first
// entry lowest, or kBeyondPalette.
template <int Bits>
class LookupTable {
 public:
  static constexpr int kEntries = kPerLookup[Bits];
  static constexpr int kIndexBits = Bits * kEntries;

  explicit LookupTable(const EntryClasses& classes) {
    std::array<uint8_t, size_t{1} << Bits> single;
    for (size_t entry = 0; entry < single.size(); ++entry) {
      single[entry] = Solidity(classes, static_cast<uint32_t>(entry));
    }
    std::copy(single.begin(), single.end(), table_.begin());
    // Entry by entry: the table so far, once for each value of the next entry;
    // from the last value down, because the first one's place is the source.
    size_t filled = single.size();
    for (int i = 1; i < kEntries; ++i, filled *= single.size()) {
      for (size_t next = single.size(); next-- > 0;) {
        const uint8_t solid = single[next];
        const auto high = static_cast<uint8_t>(
            solid == kBeyondPalette ? kBeyondPalette : solid << i);
        for (size_t low = 0; low < filled; ++low) {
          table_[next * filled + low] = table_[low] | high;
        }
      }
    }
  }

  uint8_t operator[](uint64_t index) const { return table_[index]; }

 private:
  static uint8_t Solidity(const EntryClasses& classes, uint32_t entry) {
    if (entry >= classes.entry_count()) return kBeyondPalette;
    return classes.ClassOf(entry) != 0 ? 1 : 0;
  }

  std::array<uint8_t, size_t{1} << kIndexBits> table_;
};

// Solidity of the N lowest entries of `group`. The result has rubbish above
// them, and `marks` collects what the look-ups were marked with.
template <int Bits, int N>
inline uint64_t MapGroup(uint64_t group, const LookupTable<Bits>& table,
                         uint8_t& marks) {
  constexpr int kEntries = LookupTable<Bits>::kEntries;
  constexpr int kIndexBits = LookupTable<Bits>::kIndexBits;
  uint64_t solid = 0;
  int done = 0;
#pragma GCC unroll 16
  for (; done + kEntries <= N; done += kEntries) {
    const uint8_t found = table[group & LowBits(kIndexBits)];
    marks |= found;
    solid |= uint64_t{found} << done;
    group = kIndexBits < 64 ? group >> kIndexBits : 0;
  }
  if constexpr (N % kEntries != 0) {
    // What is not there is looked up as entry 0, which always exists.
    const uint8_t found = table[group & LowBits(N % kEntries * Bits)];
    marks |= found;
    solid |= uint64_t{found} << done;
  }
  return solid;
}

// Collects bits from low to high.
class BitWriter {
 public:
  explicit BitWriter(uint64_t* words) : words_(words) {}

  // Requires: 1 <= count <= 64, no bits at and above `count`.
  void Write(uint64_t bits, int count) {
    pending_ |= bits << used_;
    used_ += count;
    if (used_ < 64) return;
    *words_++ = pending_;
    used_ -= 64;
    // Shifted twice, because a shift by 64 is undefined.
    pending_ = bits >> 1 >> (count - used_ - 1);
  }
  void Flush() {
    if (used_ > 0) *words_ = pending_;
  }

 private:
  uint64_t* words_;
  uint64_t pending_ = 0;
  int used_ = 0;
};

// Maps all groups, N entries each. Returns whether every entry exists.
template <int Bits, int N>
absl::StatusOr<bool> MapGroups(const PackedReader& reader,
                               const EntryClasses& classes,
                               const CancelToken& cancel,
                               LinearVoxels& voxels) {
  const LookupTable<Bits> table(classes);
  BitWriter writer(voxels.bits.data());
  uint8_t marks = 0;
  const int64_t whole = voxels.count / N;
  for (int64_t at = 0; at < whole; at += kGroupsPerPoll) {
    KILN_RETURN_IF_ERROR(cancel.ToStatus());
    const int64_t end = std::min(whole, at + kGroupsPerPoll);
    for (int64_t i = at; i < end; ++i) {
      const uint64_t solid = MapGroup<Bits, N>(reader.Group(i), table, marks);
      writer.Write(solid & LowBits(N), N);
    }
  }
  const int rest = static_cast<int>(voxels.count % N);
  if (rest > 0) {
    // Padding is cut off first: it may hold anything.
    const uint64_t group = reader.Group(whole) & LowBits(rest * Bits);
    const uint64_t solid = MapGroup<Bits, N>(group, table, marks);
    writer.Write(solid & LowBits(rest), rest);
  }
  writer.Flush();
  return (marks & kBeyondPalette) == 0;
}

template <int Bits>
absl::StatusOr<bool> MapGroupsOf(const PackedReader& reader,
                                 const EntryClasses& classes,
                                 const CancelToken& cancel,
                                 LinearVoxels& voxels) {
  if (reader.per_group() == 64 / Bits) {
    return MapGroups<Bits, 64 / Bits>(reader, classes, cancel, voxels);
  }
  return MapGroups<Bits, 32 / Bits>(reader, classes, cancel, voxels);
}

// Unpacks entries in order.
class Unpacker {
 public:
  Unpacker(const PackedReader& reader, int bits)
      : reader_(reader), bits_(bits), mask_(LowBits(bits)) {}

  template <typename T>
  void Unpack(size_t count, T* entries) {
    size_t i = 0;
    while (i < count) {
      if (left_ == 0) {
        group_ = reader_.Group(next_++);
        left_ = reader_.per_group();
      }
      const size_t take = std::min(count - i, static_cast<size_t>(left_));
      TakeFromGroup(take, entries + i);
      i += take;
      left_ -= static_cast<int>(take);
    }
  }

 private:
  template <typename T>
  void TakeFromGroup(size_t take, T* entries) {
    if (std::endian::native == std::endian::little &&
        take * sizeof(T) == sizeof(group_) && bits_ == 8 * int{sizeof(T)}) {
      std::memcpy(entries, &group_, sizeof(group_));
      return;
    }
    for (size_t i = 0; i < take; ++i) {
      entries[i] = static_cast<T>(group_ & mask_);
      group_ >>= bits_;
    }
  }

  const PackedReader& reader_;
  const int bits_;
  const uint64_t mask_;
  uint64_t group_ = 0;
  int64_t next_ = 0;
  int left_ = 0;
};

template <typename T>
absl::StatusOr<bool> MapUnpacked(const PackedReader& reader, int bits,
                                 const EntryClasses& classes,
                                 const CancelToken& cancel,
                                 LinearVoxels& voxels) {
  EntryMapper<T> mapper(classes);
  Unpacker unpacker(reader, bits);
  T entries[kVoxelsPerStep];
  for (int64_t at = 0; at < voxels.count; at += kVoxelsPerStep) {
    if (at % kVoxelsPerPoll == 0) KILN_RETURN_IF_ERROR(cancel.ToStatus());
    const auto count = static_cast<size_t>(
        std::min<int64_t>(kVoxelsPerStep, voxels.count - at));
    unpacker.Unpack(count, entries);
    mapper.Map(entries, count, voxels.bits.data() + at / 64,
               voxels.classes.empty() ? nullptr : voxels.classes.data() + at);
  }
  return mapper.all_exist();
}

absl::StatusOr<bool> MapEntries(const PackedReader& reader, int bits,
                                const EntryClasses& classes,
                                const CancelToken& cancel,
                                LinearVoxels& voxels) {
  if (bits == 8 || (bits < 8 && !voxels.classes.empty())) {
    return MapUnpacked<uint8_t>(reader, bits, classes, cancel, voxels);
  }
  switch (bits) {
    case 1:
      return MapGroupsOf<1>(reader, classes, cancel, voxels);
    case 2:
      return MapGroupsOf<2>(reader, classes, cancel, voxels);
    case 3:
      return MapGroupsOf<3>(reader, classes, cancel, voxels);
    case 4:
      return MapGroupsOf<4>(reader, classes, cancel, voxels);
    case 5:
      return MapGroupsOf<5>(reader, classes, cancel, voxels);
    case 6:
      return MapGroupsOf<6>(reader, classes, cancel, voxels);
    case 7:
      return MapGroupsOf<7>(reader, classes, cancel, voxels);
    default:
      break;
  }
  if (bits <= 16) {
    return MapUnpacked<uint16_t>(reader, bits, classes, cancel, voxels);
  }
  return MapUnpacked<uint32_t>(reader, bits, classes, cancel, voxels);
}

// The first entry beyond the palette. Only called once it is known to exist.
absl::Status FirstBadEntry(const EncodedBlock& block,
                           const PackedReader& reader, int bits,
                           const EntryClasses& classes) {
  Unpacker unpacker(reader, bits);
  const int64_t voxels = Volume(block.size);
  for (int64_t i = 0; i < voxels; ++i) {
    uint32_t entry = 0;
    unpacker.Unpack(1, &entry);
    if (entry < classes.entry_count()) continue;
    return classes.Check(
        absl::StrCat("packed.words: ",
                     VoxelName(i, block.axis_order, block.size)),
        entry);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DecodePacked(const EncodedBlock& block,
                          const PackedPayload& payload,
                          const EntryClasses& classes,
                          const CancelToken& cancel, LinearVoxels& voxels) {
  const PackedReader reader(payload);
  const int bits = payload.bits_per_entry;
  KILN_ASSIGN_OR_RETURN(const bool all_exist,
                        MapEntries(reader, bits, classes, cancel, voxels));
  if (all_exist) return absl::OkStatus();
  return FirstBadEntry(block, reader, bits, classes);
}

}  // namespace kiln::core::internal
