#include "core/voxel/box_diff.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"

namespace kiln::core {
namespace {

std::string Describe(const Box& box) {
  const Vec3i min = box.min();
  const Vec3i max = box.max();
  return absl::StrCat("box [", min.x, " ", min.y, " ", min.z, ", ", max.x, " ",
                      max.y, " ", max.z, ") of class ", box.cls());
}

}  // namespace

BoxDiff DiffBoxes(const BoxSet& before, const BoxSet& after) {
  BoxDiff diff;
  auto old_box = before.begin();
  auto new_box = after.begin();
  while (old_box != before.end() && new_box != after.end()) {
    if (old_box->identity() < new_box->identity()) {
      diff.removed.push_back(*old_box++);
    } else if (new_box->identity() < old_box->identity()) {
      diff.added.push_back(*new_box++);
    } else {
      if (*old_box != *new_box) diff.reexposed.push_back(*new_box);
      ++old_box;
      ++new_box;
    }
  }
  diff.removed.insert(diff.removed.end(), old_box, before.end());
  diff.added.insert(diff.added.end(), new_box, after.end());
  return diff;
}

absl::StatusOr<BoxSet> ApplyDiff(const BoxSet& before, const BoxDiff& diff) {
  BoxSet kept;
  kept.reserve(before.size());
  auto removed = diff.removed.begin();
  auto reexposed = diff.reexposed.begin();
  for (const Box& box : before) {
    if (removed != diff.removed.end() &&
        removed->identity() == box.identity()) {
      ++removed;
    } else if (reexposed != diff.reexposed.end() &&
               reexposed->identity() == box.identity()) {
      kept.push_back(*reexposed++);
    } else {
      kept.push_back(box);
    }
  }
  // Whatever was not met in one pass is not in `before`, or out of order.
  if (removed != diff.removed.end()) {
    return FieldError("diff.removed", Describe(*removed),
                      "boxes of the base, in canonical order");
  }
  if (reexposed != diff.reexposed.end()) {
    return FieldError("diff.reexposed", Describe(*reexposed),
                      "boxes of the base, in canonical order");
  }

  BoxSet after(kept.size() + diff.added.size());
  std::merge(kept.begin(), kept.end(), diff.added.begin(), diff.added.end(),
             after.begin());
  const auto misplaced = std::adjacent_find(
      after.begin(), after.end(), [](const Box& box, const Box& next) {
        return box.identity() >= next.identity();
      });
  if (misplaced != after.end()) {
    return FieldError("diff.added", Describe(*misplaced),
                      "boxes that the base lacks, in canonical order");
  }
  return after;
}

}  // namespace kiln::core
