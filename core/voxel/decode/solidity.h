// core/voxel/decode/solidity.h
//
// From an entry of a payload to the class it collides as, once per block: the
// palette and the solidity rule folded into one table.

#ifndef KILN_CORE_VOXEL_DECODE_SOLIDITY_H_
#define KILN_CORE_VOXEL_DECODE_SOLIDITY_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/voxel/encoded_block.h"

namespace kiln::core {

// Threads: const calls may run concurrently.
class EntryClasses {
 public:
  // An entry names a palette entry or, with an empty palette, an id. A class
  // given to an id that is not solid is ignored.
  //
  // Errors:      kInvalidArgument for an id named twice in one list
  //              ("solidity.solid_ids[3]: ...") and for a class beyond 255.
  // Requires:    CheckLayout (payload_layout.h), which bounds the lists.
  // Cost:        O(ids + palette + the greatest id below 65536 in a list).
  static absl::StatusOr<EntryClasses> Create(const Solidity& solidity,
                                             std::span<const uint32_t> palette);

  // Entries that exist: the palette's, or 2^32.
  int64_t entry_count() const { return entry_count_; }

  // Class of an entry, 0 for air. Requires: entry < entry_count().
  uint8_t ClassOf(uint32_t entry) const {
    if (!high_.empty() && entry >= kTableIds) {
      const auto found = high_.find(entry);
      if (found != high_.end()) return found->second;
    }
    return table_[std::min<size_t>(entry, table_.size() - 1)];
  }

  // Classes of entries 0, 1, ...; all entries at and beyond the last element
  // have its class. Not so for entries over 16 bits unless table_is_whole().
  std::span<const uint8_t> table() const { return table_; }
  bool table_is_whole() const { return high_.empty(); }

  // No entry has a class but 0 and kDefaultClass.
  bool one_class() const { return one_class_; }
  // Entry 0 is air and every other is of kDefaultClass.
  bool is_nonzero() const { return is_nonzero_; }

  // kInvalidArgument naming `field` unless entry < entry_count().
  absl::Status Check(absl::string_view field, uint32_t entry) const {
    if (entry < entry_count_) return absl::OkStatus();
    return BeyondPalette(field, entry);
  }
  // The same for element `index` of the list `field`.
  absl::Status Check(absl::string_view field, int64_t index,
                     uint32_t entry) const {
    if (entry < entry_count_) return absl::OkStatus();
    return BeyondPalette(field, index, entry);
  }

 private:
  // Ids below this have a place in the table, the others in a hash map: no
  // format read so far counts its voxel kinds in more than 16 bits, but ids may
  // also be hashes or colours.
  static constexpr uint32_t kTableIds = 65536;

  EntryClasses() = default;

  static absl::Status CheckDistinct(absl::string_view field,
                                    std::span<const uint32_t> ids);
  static size_t TableSize(std::span<const uint32_t> ids);

  absl::Status ReadRule(const Solidity& solidity);
  void ApplyPalette(std::span<const uint32_t> palette);
  void Summarize();
  absl::Status BeyondPalette(absl::string_view field, uint32_t entry) const;
  absl::Status BeyondPalette(absl::string_view field, int64_t index,
                             uint32_t entry) const;
  void SetClass(uint32_t id, uint8_t cls);

  int64_t entry_count_ = int64_t{1} << 32;
  std::vector<uint8_t> table_;                   // never empty
  absl::flat_hash_map<uint32_t, uint8_t> high_;  // of ids over 16 bits
  bool one_class_ = true;
  bool is_nonzero_ = true;
};

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_DECODE_SOLIDITY_H_
