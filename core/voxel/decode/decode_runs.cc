#include "core/voxel/decode/decode_runs.h"

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::core::internal {
namespace {

// Runs between two looks at the cancel flag: some 50 us of work.
constexpr size_t kRunsPerPoll = 4096;

// A run has at least one voxel, and at most what is left to fill.
absl::Status CheckCount(absl::string_view field, size_t index, uint32_t count,
                        int64_t left) {
  if (count >= 1 && count <= left) return absl::OkStatus();
  return FieldError(absl::StrCat(field, "[", index, "]"), count,
                    left == 0 ? "no more runs, all voxels are filled"
                              : absl::StrCat("1..", left));
}

// Element i of a list that has one for each, or one for all.
uint32_t At(std::span<const uint32_t> list, size_t i) {
  return list.size() == 1 ? list[0] : list[i];
}

// One column being filled from below.
struct Column {
  int64_t at;  // its next voxel
  int64_t end;
};

absl::Status FillRuns(const ColumnsPayload& payload,
                      const EntryClasses& classes, size_t first_run,
                      size_t runs, Column& column, LinearVoxels& voxels) {
  for (size_t run = first_run; run < first_run + runs; ++run) {
    const uint32_t length = payload.lengths[run];
    KILN_RETURN_IF_ERROR(
        CheckCount("columns.lengths", run, length, column.end - column.at));
    const uint32_t entry = payload.entries[run];
    KILN_RETURN_IF_ERROR(
        classes.Check("columns.entries", static_cast<int64_t>(run), entry));
    voxels.Fill(column.at, length, classes.ClassOf(entry));
    column.at += length;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DecodeRuns(const RunsPayload& payload, const EntryClasses& classes,
                        const CancelToken& cancel, LinearVoxels& voxels) {
  int64_t at = 0;
  for (size_t i = 0; i < payload.counts.size(); ++i) {
    if (i % kRunsPerPoll == 0) KILN_RETURN_IF_ERROR(cancel.ToStatus());
    const uint32_t count = payload.counts[i];
    KILN_RETURN_IF_ERROR(
        CheckCount("runs.counts", i, count, voxels.count - at));
    const uint32_t entry = payload.entries[i];
    KILN_RETURN_IF_ERROR(
        classes.Check("runs.entries", static_cast<int64_t>(i), entry));
    voxels.Fill(at, count, classes.ClassOf(entry));
    at += count;
  }
  if (at == voxels.count) return absl::OkStatus();
  return FieldError("runs.counts", absl::StrCat("a sum of ", at),
                    absl::StrCat(voxels.count, ", the voxels"));
}

absl::Status DecodeColumns(const Vec3i& size, const ColumnsPayload& payload,
                           const EntryClasses& classes,
                           const CancelToken& cancel, LinearVoxels& voxels) {
  size_t run = 0;
  for (size_t i = 0; i < payload.first_y.size(); ++i) {
    if (i % kRunsPerPoll == 0) KILN_RETURN_IF_ERROR(cancel.ToStatus());
    const auto index = static_cast<int64_t>(i);
    const uint32_t first_y = payload.first_y[i];
    if (first_y > static_cast<uint32_t>(size.y)) {
      return RangeError(absl::StrCat("columns.first_y[", i, "]"), first_y, 0,
                        size.y);
    }
    const uint32_t runs = payload.run_counts[i];
    if (runs > payload.lengths.size() - run) {
      return FieldError(absl::StrCat("columns.run_counts[", i, "]"), runs,
                        absl::StrCat("0..", payload.lengths.size() - run,
                                     ", what is left of columns.lengths"));
    }
    const uint32_t below = At(payload.below, i);
    const uint32_t above = At(payload.above, i);
    KILN_RETURN_IF_ERROR(classes.Check("columns.below", index, below));
    KILN_RETURN_IF_ERROR(classes.Check("columns.above", index, above));
    const int64_t begin = index * size.y;
    Column column{begin + first_y, begin + size.y};
    voxels.Fill(begin, first_y, classes.ClassOf(below));
    KILN_RETURN_IF_ERROR(FillRuns(payload, classes, run, runs, column, voxels));
    voxels.Fill(column.at, column.end - column.at, classes.ClassOf(above));
    run += runs;
  }
  if (run == payload.lengths.size()) return absl::OkStatus();
  return FieldError(
      "columns.run_counts", absl::StrCat("a sum of ", run),
      absl::StrCat(payload.lengths.size(), ", the length of columns.lengths"));
}

AxisOrder ColumnVoxelOrder(AxisOrder order) {
  switch (order) {
    case AxisOrder::kXyz:
    case AxisOrder::kXzy:
    case AxisOrder::kYxz:
      return AxisOrder::kYxz;
    case AxisOrder::kYzx:
    case AxisOrder::kZxy:
    case AxisOrder::kZyx:
      break;
  }
  return AxisOrder::kYzx;
}

}  // namespace kiln::core::internal
