#include "core/voxel/boxes/box_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/limits.h"

namespace kiln::core::internal {
namespace {

// Boxes that std::sort takes some 200 us for.
constexpr size_t kSortedAtOnce = 4096;
constexpr int64_t kWorkPerBox = 60;  // for the poll, in ns

}  // namespace

void SortBoxes(BoxSet& boxes, CancelPoll& poll) {
  if (boxes.size() <= kSortedAtOnce) {
    std::sort(boxes.begin(), boxes.end());
    return;
  }
  // By minimum z first: the boxes of one z are few enough to be sorted at once.
  std::array<size_t, kMaxBlockEdgeVoxels + 1> ends{};
  for (const Box& box : boxes) {
    ++ends[static_cast<size_t>(box.min().z) + 1];
    if (poll.ShouldStopAfter(2)) return;
  }
  for (size_t z = 1; z < ends.size(); ++z) ends[z] += ends[z - 1];
  BoxSet by_z(boxes.size());
  for (const Box& box : boxes) {
    by_z[ends[static_cast<size_t>(box.min().z)]++] = box;
    if (poll.ShouldStopAfter(5)) return;
  }
  size_t begin = 0;
  for (size_t z = 0; z + 1 < ends.size(); ++z) {
    std::sort(by_z.begin() + static_cast<ptrdiff_t>(begin),
              by_z.begin() + static_cast<ptrdiff_t>(ends[z]));
    const int64_t count = static_cast<int64_t>(ends[z] - begin);
    begin = ends[z];
    if (poll.ShouldStopAfter(kWorkPerBox * count)) return;
  }
  boxes.swap(by_z);
}

}  // namespace kiln::core::internal
