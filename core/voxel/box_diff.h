// core/voxel/box_diff.h
//
// The difference of two results of the same chunk, and applying one. A box that
// changes its bounds or class is one removed and one added; a box that keeps
// both but changes its exposure is neither, its new faces are listed apart, so
// that an engine keeps its shape.

#ifndef KILN_CORE_VOXEL_BOX_DIFF_H_
#define KILN_CORE_VOXEL_BOX_DIFF_H_

#include "absl/status/statusor.h"
#include "core/voxel/box_set.h"

namespace kiln::core {

struct BoxDiff {
  BoxSet removed;    // as they were, in canonical order
  BoxSet added;      // as they are, in canonical order
  BoxSet reexposed;  // same identity before and after, with the new exposure

  bool empty() const {
    return removed.empty() && added.empty() && reexposed.empty();
  }
  friend bool operator==(const BoxDiff&, const BoxDiff&) = default;
};

// Returns what turns `before` into `after`. Cost: one pass over both.
// Requires: both in canonical order.
BoxDiff DiffBoxes(const BoxSet& before, const BoxSet& after);

// Returns `before` with `diff` applied: ApplyDiff(a, DiffBoxes(a, b)) == b.
//
// Errors:      kInvalidArgument if the diff was not made against `before`: a
//              removed or re-exposed box is missing, or an added one is there.
//              `before` is unchanged then.
absl::StatusOr<BoxSet> ApplyDiff(const BoxSet& before, const BoxDiff& diff);

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BOX_DIFF_H_
