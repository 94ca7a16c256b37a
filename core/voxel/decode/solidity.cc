#include "core/voxel/decode/solidity.h"

#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace kiln::core {
namespace {

absl::string_view IdsField(Solidity::Kind kind) {
  return kind == Solidity::Kind::kEmptyIds ? "solidity.empty_ids.ids"
                                           : "solidity.solid_ids.ids";
}

}  // namespace

// Refuses a list that names an id twice.
absl::Status EntryClasses::CheckDistinct(absl::string_view field,
                                         std::span<const uint32_t> ids) {
  std::vector<bool> seen;
  absl::flat_hash_set<uint32_t> seen_high;
  for (size_t i = 0; i < ids.size(); ++i) {
    const uint32_t id = ids[i];
    bool is_new = true;
    if (id >= kTableIds) {
      is_new = seen_high.insert(id).second;
    } else {
      if (id >= seen.size()) seen.resize(std::max<size_t>(id + 1, 256));
      is_new = !seen[id];
      seen[id] = true;
    }
    if (!is_new) {
      return FieldError(absl::StrCat(field, "[", i, "]"), id,
                        "an id that is not in the list already");
    }
  }
  return absl::OkStatus();
}

// Table size that holds every id of `ids` that belongs into a table.
size_t EntryClasses::TableSize(std::span<const uint32_t> ids) {
  size_t size = 0;
  for (const uint32_t id : ids) {
    if (id < kTableIds) size = std::max<size_t>(size, id + 1);
  }
  return size;
}

absl::StatusOr<EntryClasses> EntryClasses::Create(
    const Solidity& solidity, std::span<const uint32_t> palette) {
  EntryClasses classes;
  KILN_RETURN_IF_ERROR(classes.ReadRule(solidity));
  if (!palette.empty()) classes.ApplyPalette(palette);
  classes.Summarize();
  return classes;
}

absl::Status EntryClasses::ReadRule(const Solidity& solidity) {
  KILN_RETURN_IF_ERROR(CheckDistinct(IdsField(solidity.kind), solidity.ids));
  KILN_RETURN_IF_ERROR(CheckDistinct("solidity.class_ids", solidity.class_ids));
  const bool listed_are_solid = solidity.kind == Solidity::Kind::kSolidIds;
  const uint8_t listed = listed_are_solid ? kDefaultClass : 0;
  const uint8_t others = listed_are_solid ? 0 : kDefaultClass;
  // One more than needed: the last element stands for all ids beyond.
  table_.assign(1 + std::max({size_t{1}, TableSize(solidity.ids),
                              TableSize(solidity.class_ids)}),
                others);
  if (solidity.kind == Solidity::Kind::kAllButZero) table_[0] = 0;
  for (const uint32_t id : solidity.ids) SetClass(id, listed);
  for (size_t i = 0; i < solidity.class_ids.size(); ++i) {
    if (solidity.classes[i] > kMaxClass) {
      return RangeError(absl::StrCat("solidity.classes[", i, "]"),
                        solidity.classes[i], 0, kMaxClass);
    }
    const uint32_t id = solidity.class_ids[i];
    if (ClassOf(id) == 0) continue;
    SetClass(id, static_cast<uint8_t>(solidity.classes[i]));
  }
  return absl::OkStatus();
}

void EntryClasses::SetClass(uint32_t id, uint8_t cls) {
  if (id < kTableIds) {
    table_[id] = cls;
  } else {
    high_[id] = cls;
  }
}

void EntryClasses::ApplyPalette(std::span<const uint32_t> palette) {
  std::vector<uint8_t> by_entry;
  by_entry.reserve(palette.size() + 1);
  for (const uint32_t id : palette) by_entry.push_back(ClassOf(id));
  by_entry.push_back(0);
  entry_count_ = static_cast<int64_t>(palette.size());
  table_ = std::move(by_entry);
  high_.clear();
}

void EntryClasses::Summarize() {
  // With a palette the last element stands for entries that do not exist.
  const bool whole_range = entry_count_ > kMaxPaletteEntries;
  const size_t real = table_.size() - (whole_range ? 0 : 1);
  is_nonzero_ = table_[0] == 0 && high_.empty();
  for (size_t i = 0; i < real; ++i) {
    one_class_ = one_class_ && table_[i] <= kDefaultClass;
    is_nonzero_ = is_nonzero_ && (i == 0 || table_[i] == kDefaultClass);
  }
  for (const auto& [id, cls] : high_) {
    one_class_ = one_class_ && cls <= kDefaultClass;
  }
}

absl::Status EntryClasses::BeyondPalette(absl::string_view field,
                                         uint32_t entry) const {
  return FieldError(field, entry,
                    absl::StrCat("0..", entry_count_ - 1, " (palette)"));
}

absl::Status EntryClasses::BeyondPalette(absl::string_view field, int64_t index,
                                         uint32_t entry) const {
  return BeyondPalette(absl::StrCat(field, "[", index, "]"), entry);
}

}  // namespace kiln::core
