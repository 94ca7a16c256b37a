#include "core/voxel/boxes/box_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace kiln::core::internal {
namespace {

// Rows of boxes with the same minimum z and y that insertion sorts at once.
constexpr size_t kShortRow = 16;
constexpr size_t kPolledAtOnce = 16384;  // boxes, of some 5 ns each

// Moves `from` to `to`, by ascending bits [shift, shift + 8) of their keys;
// boxes with the same bits keep their order.
void SortByByte(const BoxSet& from, int shift, BoxSet& to, CancelPoll& poll) {
  std::array<size_t, 257> next{};
  const auto byte = [shift](Box box) {
    return static_cast<size_t>(box.key() >> shift & 255);
  };
  for (const Box& box : from) ++next[byte(box) + 1];
  for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  for (size_t i = 0; i < from.size(); ++i) {
    to[next[byte(from[i])]++] = from[i];
    if (i % kPolledAtOnce == kPolledAtOnce - 1 &&
        poll.ShouldStopAfter(5 * kPolledAtOnce)) {
      return;
    }
  }
}

void SortRow(Box* begin, Box* end) {
  if (static_cast<size_t>(end - begin) > kShortRow) {
    std::sort(begin, end);
    return;
  }
  for (Box* at = begin; at != end; ++at) {
    const Box box = *at;
    Box* place = at;
    for (; place != begin && box < place[-1]; --place) *place = place[-1];
    *place = box;
  }
}

}  // namespace

// By minimum y, then by minimum z; then the boxes that are alike in both, which
// are few, by all the rest.
void SortBoxes(BoxSet& boxes, CancelPoll& poll) {
  BoxSet by_y(boxes.size());
  SortByByte(boxes, 48, by_y, poll);
  if (poll.stopped()) return;
  SortByByte(by_y, 56, boxes, poll);
  Box* at = boxes.data();
  Box* const end = at + boxes.size();
  while (at != end && !poll.stopped()) {
    Box* const begin = at;
    const uint64_t row = begin->key() >> 48;
    while (at != end && at->key() >> 48 == row) ++at;
    SortRow(begin, at);
    poll.ShouldStopAfter(20 * (at - begin));
  }
}

}  // namespace kiln::core::internal
