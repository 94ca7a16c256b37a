#include "core/voxel/decode/decode_sparse.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::core::internal {
namespace {

// Between two looks at the cancel flag: some 50 us of work.
constexpr size_t kPointsPerPoll = 8192;
constexpr int64_t kRowsPerPoll = 4096;

constexpr absl::string_view kAxisNames[] = {"x", "y", "z"};

uint32_t At(std::span<const uint32_t> list, size_t i) {
  return list.size() == 1 ? list[0] : list[i];
}

absl::Status CheckPoint(const uint32_t* at, size_t i, const Vec3i& size) {
  if (at[0] < static_cast<uint32_t>(size.x) &&
      at[1] < static_cast<uint32_t>(size.y) &&
      at[2] < static_cast<uint32_t>(size.z)) {
    return absl::OkStatus();
  }
  int axis = 0;
  while (at[axis] < static_cast<uint32_t>(size[axis])) ++axis;
  return RangeError(
      absl::StrCat("points.coordinates: ", kAxisNames[axis], " of point ", i),
      at[axis], 0, size[axis] - 1);
}

// Half-open box of whole voxels.
struct Bounds {
  Vec3i min;
  Vec3i max;
};

// Box i of the payload, inside the block and not empty.
absl::StatusOr<Bounds> BoundsAt(const BoxesPayload& payload, size_t i,
                                const Vec3i& size) {
  Bounds bounds;
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t min = payload.bounds[6 * i + static_cast<size_t>(axis)];
    const uint32_t max = payload.bounds[6 * i + 3 + static_cast<size_t>(axis)];
    if (max > static_cast<uint32_t>(size[axis]) || min >= max) {
      return FieldError(
          absl::StrCat("boxes.bounds: ", kAxisNames[axis], " of box ", i),
          absl::StrCat("[", min, ", ", max, ")"),
          absl::StrCat("not empty, in 0..", size[axis]));
    }
    bounds.min[axis] = static_cast<int>(min);
    bounds.max[axis] = static_cast<int>(max);
  }
  return bounds;
}

// All boxes are checked before the first is painted: their number times their
// size is the work.
absl::Status CheckBoxes(const BoxesPayload& payload,
                        const EntryClasses& classes, const CancelToken& cancel,
                        const Vec3i& size) {
  const int64_t limit = kMaxBoxOverdraw * Volume(size);
  int64_t covered = 0;
  for (size_t i = 0; i < payload.bounds.size() / 6; ++i) {
    if (i % kPointsPerPoll == 0) KILN_RETURN_IF_ERROR(cancel.ToStatus());
    KILN_ASSIGN_OR_RETURN(const Bounds bounds, BoundsAt(payload, i, size));
    KILN_RETURN_IF_ERROR(classes.Check("boxes.entries", static_cast<int64_t>(i),
                                       At(payload.entries, i)));
    covered += Volume(bounds.max - bounds.min);
    if (covered > limit) {
      return FieldError(
          "boxes.bounds",
          absl::StrCat(covered, " voxels covered by boxes 0..", i),
          absl::StrCat("at most ", kMaxBoxOverdraw, " times the block, ",
                       limit));
    }
  }
  return absl::OkStatus();
}

// Bits [begin, end) of a row become `solid`.
void PaintRow(uint64_t* row, int begin, int end, bool solid) {
  for (int word = begin >> 6; word <= (end - 1) >> 6; ++word) {
    const int low = std::max(0, begin - 64 * word);
    const int high = std::min(64, end - 64 * word);
    const uint64_t mask = ~uint64_t{0} >> (64 - (high - low)) << low;
    if (solid) {
      row[word] |= mask;
    } else {
      row[word] &= ~mask;
    }
  }
}

void PaintBox(const Bounds& bounds, int z, uint8_t cls, VoxelBlock& block) {
  for (int y = bounds.min.y; y < bounds.max.y; ++y) {
    PaintRow(block.occupancy.Row(y, z), bounds.min.x, bounds.max.x, cls != 0);
    if (!block.classes.empty()) {
      std::memset(block.classes.data() + block.Index(bounds.min.x, y, z), cls,
                  static_cast<size_t>(bounds.max.x - bounds.min.x));
    }
  }
}

}  // namespace

void FillBlock(uint8_t cls, VoxelBlock& block) {
  if (cls == 0) return;
  for (int z = 0; z < block.size().z; ++z) {
    PaintBox({{}, block.size()}, z, cls, block);
  }
}

absl::Status DecodePoints(const PointsPayload& payload,
                          const EntryClasses& classes,
                          const CancelToken& cancel, VoxelBlock& block) {
  KILN_RETURN_IF_ERROR(classes.Check("points.background", payload.background));
  FillBlock(classes.ClassOf(payload.background), block);
  const Vec3i& size = block.size();
  for (size_t i = 0; i < payload.coordinates.size() / 3; ++i) {
    if (i % kPointsPerPoll == 0) KILN_RETURN_IF_ERROR(cancel.ToStatus());
    const uint32_t* at = payload.coordinates.data() + 3 * i;
    KILN_RETURN_IF_ERROR(CheckPoint(at, i, size));
    const uint32_t entry = At(payload.entries, i);
    KILN_RETURN_IF_ERROR(
        classes.Check("points.entries", static_cast<int64_t>(i), entry));
    const uint8_t cls = classes.ClassOf(entry);
    const int x = static_cast<int>(at[0]);
    const int y = static_cast<int>(at[1]);
    const int z = static_cast<int>(at[2]);
    if (cls != 0) {
      block.occupancy.Set(x, y, z);
    } else {
      block.occupancy.Clear(x, y, z);
    }
    if (!block.classes.empty()) block.classes[block.Index(x, y, z)] = cls;
  }
  return absl::OkStatus();
}

absl::Status DecodeBoxes(const BoxesPayload& payload,
                         const EntryClasses& classes, const CancelToken& cancel,
                         VoxelBlock& block) {
  KILN_RETURN_IF_ERROR(classes.Check("boxes.background", payload.background));
  KILN_RETURN_IF_ERROR(CheckBoxes(payload, classes, cancel, block.size()));
  FillBlock(classes.ClassOf(payload.background), block);
  int64_t rows = 0;
  for (size_t i = 0; i < payload.bounds.size() / 6; ++i) {
    KILN_ASSIGN_OR_RETURN(const Bounds bounds,
                          BoundsAt(payload, i, block.size()));
    const uint8_t cls = classes.ClassOf(At(payload.entries, i));
    for (int z = bounds.min.z; z < bounds.max.z; ++z) {
      rows += bounds.max.y - bounds.min.y;
      if (rows >= kRowsPerPoll) {
        KILN_RETURN_IF_ERROR(cancel.ToStatus());
        rows = 0;
      }
      PaintBox(bounds, z, cls, block);
    }
  }
  return absl::OkStatus();
}

}  // namespace kiln::core::internal
