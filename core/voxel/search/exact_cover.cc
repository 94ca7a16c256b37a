#include "core/voxel/search/exact_cover.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace kiln::core::internal {
namespace {

constexpr int64_t kWorkPerNode = 1000;  // for the poll, in ns

}  // namespace

std::vector<uint64_t> ExactCover::Solve(uint64_t solid, int fewer_than,
                                        int64_t max_nodes, CancelPoll& poll) {
  poll_ = &poll;
  nodes_ = 0;
  max_nodes_ = max_nodes;
  failed_.clear();
  CollectMaximalBoxes(solid);
  for (int boxes = IndependentCells(solid); boxes < fewer_than; ++boxes) {
    chosen_.clear();
    if (Covers(solid, boxes)) return chosen_;
    if (nodes_ >= max_nodes_) break;
  }
  return {};
}

void ExactCover::CollectMaximalBoxes(uint64_t solid) {
  for (auto& boxes : boxes_of_) boxes.clear();
  reach_.fill(0);
  const auto is_maximal = [&](uint64_t box) {
    for (int axis = 0; axis < 3; ++axis) {
      const uint64_t up = grid_.Up(box, axis) & ~box;
      const uint64_t down = grid_.Down(box, axis) & ~box;
      if ((up != 0 && (up & ~solid) == 0) ||
          (down != 0 && (down & ~solid) == 0)) {
        return false;
      }
    }
    return true;
  };
  const Vec3i size = grid_.size();
  for (uint64_t rest = solid; rest != 0; rest &= rest - 1) {
    const Vec3i min = grid_.Coordinates(std::countr_zero(rest));
    for (int z = min.z + 1; z <= size.z; ++z) {
      for (int y = min.y + 1; y <= size.y; ++y) {
        for (int x = min.x + 1; x <= size.x; ++x) {
          const uint64_t box = grid_.BoxMask(min, {x, y, z});
          if ((box & ~solid) != 0) break;
          if (!is_maximal(box)) continue;
          for (uint64_t cells = box; cells != 0; cells &= cells - 1) {
            const size_t cell = static_cast<size_t>(std::countr_zero(cells));
            boxes_of_[cell].push_back(box);
            reach_[cell] |= box;
          }
        }
      }
    }
  }
}

// Whether `boxes_left` boxes cover `open`; if so they are added to chosen_.
bool ExactCover::Covers(uint64_t open, int boxes_left) {
  if (open == 0) return true;
  if (IndependentCells(open) > boxes_left) return false;
  const auto known = failed_.find(open);
  if (known != failed_.end() && known->second >= boxes_left) return false;
  if (poll_->ShouldStopAfter(kWorkPerNode)) nodes_ = max_nodes_;
  if (nodes_ >= max_nodes_) return false;
  ++nodes_;
  // The cell with the fewest boxes to choose from.
  int cell = std::countr_zero(open);
  for (uint64_t rest = open; rest != 0; rest &= rest - 1) {
    const int other = std::countr_zero(rest);
    if (boxes_of_[static_cast<size_t>(other)].size() <
        boxes_of_[static_cast<size_t>(cell)].size()) {
      cell = other;
    }
  }
  std::vector<uint64_t> boxes = boxes_of_[static_cast<size_t>(cell)];
  std::stable_sort(boxes.begin(), boxes.end(), [open](uint64_t a, uint64_t b) {
    return CountBits(a & open) > CountBits(b & open);
  });
  for (size_t i = 0; i < boxes.size(); ++i) {
    const uint64_t gain = boxes[i] & open;
    const bool dominated =
        std::any_of(boxes.begin(), boxes.begin() + static_cast<ptrdiff_t>(i),
                    [&](uint64_t other) { return (gain & ~other) == 0; });
    if (dominated) continue;
    chosen_.push_back(boxes[i]);
    if (Covers(open & ~gain, boxes_left - 1)) return true;
    chosen_.pop_back();
  }
  if (nodes_ < max_nodes_) {
    int& tried = failed_[open];
    tried = std::max(tried, boxes_left);
  }
  return false;
}

// Cells of `open` no two of which share a box.
int ExactCover::IndependentCells(uint64_t open) const {
  int count = 0;
  for (; open != 0; ++count) {
    open &= ~reach_[static_cast<size_t>(std::countr_zero(open))];
  }
  return count;
}

}  // namespace kiln::core::internal
