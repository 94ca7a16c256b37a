#include "core/voxel/search/exact_partition.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>

#include "core/base/check.h"

namespace kiln::core::internal {
namespace {

constexpr size_t kFirstTableSize = 1024;

// About as long as the weights take at 30 cells.
constexpr int64_t kNodesWithoutWeights = 50;

// For the poll, in ns.
constexpr int64_t kWorkPerNode = 2000;

size_t HashOf(uint64_t cells) {
  cells *= 0x9e3779b97f4a7c15u;
  return static_cast<size_t>(cells ^ (cells >> 29));
}

}  // namespace

ExactPartition::ExactPartition(const MaskGrid& grid)
    : grid_(grid), table_(kFirstTableSize) {
  const Vec3i size = grid.size();
  for (int axis = 0; axis < 3; ++axis) {
    span_[axis].resize(kMaxMaskCells * kMaxMaskCells);
    for (int a = 0; a < size[axis]; ++a) {
      for (int b = 0; b < size[axis]; ++b) {
        Vec3i min;
        Vec3i max = size;
        min[axis] = std::min(a, b);
        max[axis] = std::max(a, b) + 1;
        span_[axis][static_cast<size_t>(a * kMaxMaskCells + b)] =
            grid.BoxMask(min, max);
      }
    }
  }
  for (int cell = 0; cell < Volume(size); ++cell) {
    const Vec3i at = grid.Coordinates(cell);
    for (int axis = 0; axis < 3; ++axis) {
      coordinate_[axis][cell] = static_cast<uint8_t>(at[axis]);
    }
  }
}

std::vector<uint64_t> ExactPartition::Solve(uint64_t solid, CancelPoll& poll) {
  nodes_ = 0;
  std::vector<uint64_t> boxes;
  while (solid != 0 && !poll.stopped()) {
    const uint64_t part = grid_.FirstComponent(solid);
    solid &= ~part;
    SolvePart(part, poll, boxes);
  }
  return boxes;
}

void ExactPartition::SolvePart(uint64_t part, CancelPoll& poll,
                               std::vector<uint64_t>& boxes) {
  poll_ = &poll;
  std::fill(table_.begin(), table_.end(), Entry{});
  used_ = 0;
  weights_ = {};
  // Most parts are solved before the weights could be worked out.
  if (!Solves(part, kNodesWithoutWeights)) {
    weights_ = HeaviestWeights(grid_, part, poll);
    Solves(part, std::numeric_limits<int64_t>::max());
  }
  if (poll.stopped()) return;
  // Walk down the choices that were found to be best.
  std::vector<uint64_t> open{part};
  while (!open.empty()) {
    const uint64_t cells = open.back();
    open.pop_back();
    if (cells == 0) continue;
    const uint64_t first = grid_.FirstComponent(cells);
    if (first != cells) {
      open.push_back(cells & ~first);
      open.push_back(first);
      continue;
    }
    const uint64_t box = Slot(cells).box;
    KILN_CHECK(box != 0);
    boxes.push_back(box);
    open.push_back(cells & ~box);
  }
}

bool ExactPartition::Solves(uint64_t part, int64_t max_nodes) {
  nodes_left_ = max_nodes;
  Fewest(part, kMaxMaskCells);
  return nodes_left_ >= 0;
}

// The least number of boxes if that is at most `limit`, else some number above
// `limit` that is proven to be needed. Deepens one by one: a bound that is met
// or nearly met then never costs a search for worse.
int ExactPartition::Fewest(uint64_t cells, int limit) {
  if (cells == 0) return 0;
  if (limit <= 0) return 1;
  const uint64_t part = grid_.FirstComponent(cells);
  if (part != cells) return FewestOfParts(part, cells & ~part, limit);
  int at_least = std::max(BoxesByWeight(weights_, cells), CornerBound(cells));
  if (at_least > limit) return at_least;
  const Entry known = Slot(cells);
  if (known.box != 0 || known.at_least > limit) return known.at_least;
  at_least = std::max(at_least, known.at_least);
  if (known.at_least == 0) {
    at_least = std::max(at_least, IndependentCells(cells));
  }
  uint64_t box = 0;
  for (; at_least <= limit; ++at_least) {
    box = Branch(cells, at_least);
    if (box != 0) break;
    if (nodes_left_ < 0) return at_least;
  }
  Entry& entry = Slot(cells);
  entry.at_least = at_least;
  entry.box = box;
  return at_least;
}

int ExactPartition::FewestOfParts(uint64_t part, uint64_t rest, int limit) {
  const int rest_at_least =
      std::max({BoxesByWeight(weights_, rest), CornerBound(rest), 1});
  const int first = Fewest(part, limit - rest_at_least);
  if (first + rest_at_least > limit) return first + rest_at_least;
  return first + Fewest(rest, limit - first);
}

// The first box of a partition of `cells` into at most `limit` boxes, or 0 if
// there is none.
uint64_t ExactPartition::Branch(uint64_t cells, int limit) {
  ++nodes_;
  if (poll_->ShouldStopAfter(kWorkPerNode)) nodes_left_ = 0;
  if (--nodes_left_ < 0) return 0;
  const size_t frame = candidates_.size();
  CollectBoxes(cells, TightestCorner(cells));
  uint64_t found = 0;
  for (size_t i = frame; i < candidates_.size(); ++i) {
    const uint64_t box = candidates_[i];
    const bool fits = Fewest(cells & ~box, limit - 1) < limit;
    if (nodes_left_ < 0) break;
    if (fits) {
      found = box;
      break;
    }
  }
  candidates_.resize(frame);
  return found;
}

// Cells that are closed on the same three sides, one along each axis, are the
// same corner of different boxes.
int ExactPartition::CornerBound(uint64_t cells) const {
  std::array<std::array<uint64_t, 2>, 3> closed;
  for (int axis = 0; axis < 3; ++axis) {
    const size_t a = static_cast<size_t>(axis);
    closed[a][0] = cells & ~grid_.Up(cells, axis);
    closed[a][1] = cells & ~grid_.Down(cells, axis);
  }
  int bound = 0;
  for (const uint64_t z : closed[2]) {
    for (const uint64_t y : closed[1]) {
      for (const uint64_t x : closed[0]) {
        bound = std::max(bound, CountBits(x & y & z));
      }
    }
  }
  return bound;
}

// Cells no two of which fit in one box of `cells`: each needs its own box.
int ExactPartition::IndependentCells(uint64_t cells) const {
  int count = 0;
  for (uint64_t left = cells; left != 0; ++count) {
    const int a = std::countr_zero(left);
    const uint64_t* xs = &span_[0][coordinate_[0][a] * size_t{kMaxMaskCells}];
    const uint64_t* ys = &span_[1][coordinate_[1][a] * size_t{kMaxMaskCells}];
    const uint64_t* zs = &span_[2][coordinate_[2][a] * size_t{kMaxMaskCells}];
    uint64_t next = 0;
    for (uint64_t rest = left; rest != 0; rest &= rest - 1) {
      const int b = std::countr_zero(rest);
      const uint64_t hull =
          xs[coordinate_[0][b]] & ys[coordinate_[1][b]] & zs[coordinate_[2][b]];
      if ((hull & ~cells) != 0) next |= MaskGrid::Bit(b);
    }
    left = next;
  }
  return count;
}

// Among the cells that must be a corner of their box (closed on one side along
// each axis) the one with the least room to grow: the fewest boxes to try.
int ExactPartition::TightestCorner(uint64_t cells) const {
  uint64_t corners = cells;
  for (int axis = 0; axis < 3; ++axis) {
    corners &= ~(grid_.Up(cells, axis) & grid_.Down(cells, axis));
  }
  int best = std::countr_zero(corners);
  int least_room = std::numeric_limits<int>::max();
  for (; corners != 0; corners &= corners - 1) {
    const int cell = std::countr_zero(corners);
    int room = 1;
    for (int axis = 0; axis < 3; ++axis) {
      int length = 1;
      for (const bool up : {false, true}) {
        uint64_t at = MaskGrid::Bit(cell);
        while ((at = (up ? grid_.Up(at, axis) : grid_.Down(at, axis)) &
                     cells) != 0) {
          ++length;
        }
      }
      room *= length;
    }
    if (room < least_room) {
      least_room = room;
      best = cell;
    }
  }
  return best;
}

// Appends the boxes inside `cells` with `corner` as a corner, the largest
// first, without those that a larger one makes needless.
void ExactPartition::CollectBoxes(uint64_t cells, int corner) {
  const uint64_t start = MaskGrid::Bit(corner);
  bool up[3];
  for (int axis = 0; axis < 3; ++axis) {
    up[axis] = (grid_.Up(start, axis) & cells) != 0;
  }
  const auto next = [&](uint64_t layer, int axis) {
    const uint64_t moved =
        up[axis] ? grid_.Up(layer, axis) : grid_.Down(layer, axis);
    return CountBits(moved) == CountBits(layer) && (moved & ~cells) == 0 ? moved
                                                                         : 0;
  };
  const size_t frame = candidates_.size();
  MaskGrid::SweepBoxesFrom(start, next, [&](uint64_t box) {
    for (int axis = 0; axis < 3; ++axis) {
      if (CanGrowForFree(cells, box, axis, up[axis])) return;
    }
    candidates_.push_back(box);
  });
  std::stable_sort(
      candidates_.begin() + static_cast<ptrdiff_t>(frame), candidates_.end(),
      [](uint64_t a, uint64_t b) { return CountBits(a) > CountBits(b); });
}

// Whether the layer beyond `box` is all in `cells` and closed on its sides. Any
// box that shares a cell with it then has its cross-section inside the layer's,
// so it stays a box when the layer is cut off it: growing `box` costs nothing.
bool ExactPartition::CanGrowForFree(uint64_t cells, uint64_t box, int axis,
                                    bool up) const {
  const uint64_t layer =
      (up ? grid_.Up(box, axis) : grid_.Down(box, axis)) & ~box;
  if (layer == 0 || (layer & ~cells) != 0) return false;
  // A layer that left the grid in part cannot be: boxes are convex.
  uint64_t around = 0;
  for (int side = 0; side < 3; ++side) {
    if (side == axis) continue;
    around |= grid_.Up(layer, side) | grid_.Down(layer, side);
  }
  return (around & ~layer & cells) == 0;
}

ExactPartition::Entry& ExactPartition::Slot(uint64_t cells) {
  if (2 * used_ >= table_.size()) GrowTable();
  const size_t mask = table_.size() - 1;
  size_t i = HashOf(cells) & mask;
  while (table_[i].cells != cells) {
    if (table_[i].cells == 0) {
      table_[i].cells = cells;
      ++used_;
      break;
    }
    i = (i + 1) & mask;
  }
  return table_[i];
}

void ExactPartition::GrowTable() {
  std::vector<Entry> old(table_.size() * 2);
  old.swap(table_);
  const size_t mask = table_.size() - 1;
  for (const Entry& entry : old) {
    if (entry.cells == 0) continue;
    size_t i = HashOf(entry.cells) & mask;
    while (table_[i].cells != 0) i = (i + 1) & mask;
    table_[i] = entry;
  }
}

}  // namespace kiln::core::internal
