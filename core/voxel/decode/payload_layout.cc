#include "core/voxel/decode/payload_layout.h"

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace kiln::core {
namespace {

constexpr int64_t CeilDivide(int64_t value, int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

absl::Status CheckWidths(const ArrayPayload& array) {
  const int width = array.bytes_per_entry;
  if (width == 1 || width == 2 || width == 4) return absl::OkStatus();
  return FieldError("array.bytes_per_entry", width, "1, 2 or 4");
}

absl::Status CheckWidths(const PackedPayload& packed) {
  if (packed.word_bits != 32 && packed.word_bits != 64) {
    return FieldError("packed.word_bits", packed.word_bits, "32 or 64");
  }
  if (packed.bits_per_entry < 1 || packed.bits_per_entry > 32) {
    return RangeError("packed.bits_per_entry", packed.bits_per_entry, 1, 32);
  }
  return absl::OkStatus();
}

int64_t PackedWords(const PackedPayload& packed, int64_t voxels) {
  if (packed.spanning) {
    return CeilDivide(voxels * packed.bits_per_entry, packed.word_bits);
  }
  return CeilDivide(voxels, packed.word_bits / packed.bits_per_entry);
}

// Entries that a width can tell apart; a palette with more than these would
// hold ids that nothing can name, so one of the two is wrong.
absl::Status CheckPaletteFits(absl::string_view field, int64_t value,
                              int entry_bits, size_t palette_size) {
  if (entry_bits >= 32 || palette_size <= (uint64_t{1} << entry_bits)) {
    return absl::OkStatus();
  }
  return FieldError(
      field, value,
      absl::StrCat("enough to tell ", palette_size, " palette entries apart"));
}

absl::Status CheckCount(absl::string_view field, size_t actual, size_t expected,
                        absl::string_view why) {
  if (actual == expected) return absl::OkStatus();
  return LengthError(field, static_cast<int64_t>(actual),
                     static_cast<int64_t>(expected), why);
}

// A list with one element for each of `count` things, or one for all of them.
absl::Status CheckOneOrEach(absl::string_view field, size_t actual,
                            size_t count, absl::string_view why) {
  if (actual == 1) return absl::OkStatus();
  return CheckCount(field, actual, count, why);
}

// A list in groups of `stride` numbers.
absl::Status CheckGroups(absl::string_view field, size_t actual,
                         size_t stride) {
  if (actual % stride == 0) return absl::OkStatus();
  return FieldError(field, absl::StrCat("length ", actual),
                    absl::StrCat("a multiple of ", stride));
}

absl::Status CheckAtMostVoxels(absl::string_view field, size_t actual,
                               int64_t voxels) {
  if (static_cast<int64_t>(actual) <= voxels) return absl::OkStatus();
  return FieldError(field, absl::StrCat("length ", actual),
                    absl::StrCat("at most ", voxels, ", the voxels"));
}

absl::Status CheckLists(const RunsPayload& runs, int64_t voxels) {
  KILN_RETURN_IF_ERROR(
      CheckAtMostVoxels("runs.counts", runs.counts.size(), voxels));
  return CheckCount("runs.entries", runs.entries.size(), runs.counts.size(),
                    "one for each of runs.counts");
}

absl::Status CheckLists(const PointsPayload& points) {
  KILN_RETURN_IF_ERROR(
      CheckGroups("points.coordinates", points.coordinates.size(), 3));
  return CheckOneOrEach("points.entries", points.entries.size(),
                        points.coordinates.size() / 3,
                        "one for each point, or 1 for all");
}

absl::Status CheckLists(const BoxesPayload& boxes) {
  KILN_RETURN_IF_ERROR(CheckGroups("boxes.bounds", boxes.bounds.size(), 6));
  return CheckOneOrEach("boxes.entries", boxes.entries.size(),
                        boxes.bounds.size() / 6,
                        "one for each box, or 1 for all");
}

absl::Status CheckLists(const ColumnsPayload& columns, const Vec3i& size) {
  const auto count = static_cast<size_t>(size.x) * static_cast<size_t>(size.z);
  constexpr absl::string_view kEach = "one for each column";
  constexpr absl::string_view kEachOrOne = "one for each column, or 1 for all";
  KILN_RETURN_IF_ERROR(
      CheckCount("columns.first_y", columns.first_y.size(), count, kEach));
  KILN_RETURN_IF_ERROR(CheckCount("columns.run_counts",
                                  columns.run_counts.size(), count, kEach));
  KILN_RETURN_IF_ERROR(CheckAtMostVoxels("columns.lengths",
                                         columns.lengths.size(), Volume(size)));
  KILN_RETURN_IF_ERROR(CheckCount("columns.entries", columns.entries.size(),
                                  columns.lengths.size(),
                                  "one for each of columns.lengths"));
  KILN_RETURN_IF_ERROR(
      CheckOneOrEach("columns.below", columns.below.size(), count, kEachOrOne));
  return CheckOneOrEach("columns.above", columns.above.size(), count,
                        kEachOrOne);
}

// Widths or list lengths of the payload, whichever it has.
absl::Status CheckPayload(const EncodedBlock& encoded) {
  const Payload& payload = encoded.payload;
  const size_t palette = encoded.palette.size();
  if (std::holds_alternative<BitsetPayload>(payload)) {
    return CheckPaletteFits("bitset.bits: bits per entry", 1, 1, palette);
  }
  if (const auto* array = std::get_if<ArrayPayload>(&payload)) {
    KILN_RETURN_IF_ERROR(CheckWidths(*array));
    return CheckPaletteFits("array.bytes_per_entry", array->bytes_per_entry,
                            8 * array->bytes_per_entry, palette);
  }
  if (const auto* packed = std::get_if<PackedPayload>(&payload)) {
    KILN_RETURN_IF_ERROR(CheckWidths(*packed));
    return CheckPaletteFits("packed.bits_per_entry", packed->bits_per_entry,
                            packed->bits_per_entry, palette);
  }
  if (const auto* runs = std::get_if<RunsPayload>(&payload)) {
    return CheckLists(*runs, Volume(encoded.size));
  }
  if (const auto* points = std::get_if<PointsPayload>(&payload)) {
    return CheckLists(*points);
  }
  if (const auto* boxes = std::get_if<BoxesPayload>(&payload)) {
    return CheckLists(*boxes);
  }
  if (const auto* columns = std::get_if<ColumnsPayload>(&payload)) {
    return CheckLists(*columns, encoded.size);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckLayout(const EncodedBlock& encoded) {
  KILN_RETURN_IF_ERROR(CheckBlockSize(encoded.size));
  const auto palette = static_cast<int64_t>(encoded.palette.size());
  if (palette > kMaxPaletteEntries) {
    return FieldError("palette", absl::StrCat("length ", palette),
                      absl::StrCat("at most ", kMaxPaletteEntries));
  }
  KILN_RETURN_IF_ERROR(CheckPayload(encoded));
  const Solidity& solidity = encoded.solidity;
  for (const auto& list : {solidity.ids, solidity.class_ids}) {
    if (static_cast<int64_t>(list.size()) <= kMaxSolidityIds) continue;
    return FieldError("solidity",
                      absl::StrCat("a list of ", list.size(), " ids"),
                      absl::StrCat("at most ", kMaxSolidityIds));
  }
  return CheckCount("solidity.classes", solidity.classes.size(),
                    solidity.class_ids.size(),
                    "one for each of solidity.class_ids");
}

absl::Status CheckBlockSize(const Vec3i& size) {
  constexpr absl::string_view kNames[] = {"size.x", "size.y", "size.z"};
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] < 1 || size[axis] > kMaxBlockEdgeVoxels) {
      return RangeError(kNames[axis], size[axis], 1, kMaxBlockEdgeVoxels);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> PayloadBytes(const Payload& payload,
                                     const Vec3i& size) {
  const int64_t voxels = Volume(size);
  if (std::holds_alternative<BitsetPayload>(payload)) {
    return CeilDivide(voxels, 8);
  }
  if (const auto* array = std::get_if<ArrayPayload>(&payload)) {
    KILN_RETURN_IF_ERROR(CheckWidths(*array));
    return voxels * array->bytes_per_entry;
  }
  if (const auto* packed = std::get_if<PackedPayload>(&payload)) {
    KILN_RETURN_IF_ERROR(CheckWidths(*packed));
    return PackedWords(*packed, voxels) * (packed->word_bits / 8);
  }
  return 0;
}

absl::string_view PayloadBytesField(const Payload& payload) {
  if (std::holds_alternative<BitsetPayload>(payload)) return "bitset.bits";
  if (std::holds_alternative<ArrayPayload>(payload)) return "array.entries";
  if (std::holds_alternative<PackedPayload>(payload)) return "packed.words";
  return "payload";
}

std::string DescribePayload(const Payload& payload, const Vec3i& size) {
  const int64_t voxels = Volume(size);
  if (const auto* array = std::get_if<ArrayPayload>(&payload)) {
    return absl::StrCat(voxels, " voxels of ", array->bytes_per_entry,
                        " bytes");
  }
  if (const auto* packed = std::get_if<PackedPayload>(&payload)) {
    return absl::StrCat(voxels, " voxels of ", packed->bits_per_entry,
                        " bits in ", packed->word_bits, "-bit words",
                        packed->spanning ? ", spanning" : "");
  }
  return absl::StrCat(voxels, " voxels of 1 bit");
}

}  // namespace kiln::core
