#include "core/voxel/search/box_improver.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <new>

#include "core/base/check.h"
#include "core/base/limits.h"

namespace kiln::core::internal {

BoxImprover::BoxImprover(const Vec3i& size, const BoxSet& boxes,
                         CancelPoll& poll)
    : size_(size),
      owner_(static_cast<int32_t*>(
          std::calloc(static_cast<size_t>(Volume(size)), sizeof(int32_t)))),
      poll_(poll) {
  if (owner_ == nullptr) throw std::bad_alloc();
  boxes_.reserve(boxes.size());
  for (const Box& box : boxes) {
    Cuboid cuboid;
    for (int axis = 0; axis < 3; ++axis) {
      const size_t a = static_cast<size_t>(axis);
      cuboid.min[a] = static_cast<int16_t>(box.min()[axis]);
      cuboid.max[a] = static_cast<int16_t>(box.max()[axis]);
    }
    boxes_.push_back(cuboid);
    Paint(static_cast<int32_t>(boxes_.size()) - 1);
    if (poll_.stopped()) return;
  }
}

BoxSet BoxImprover::Boxes() const {
  BoxSet boxes;
  boxes.reserve(boxes_.size());
  for (const Cuboid& c : boxes_) {
    boxes.emplace_back(Vec3i{c.min[0], c.min[1], c.min[2]},
                       Vec3i{c.max[0], c.max[1], c.max[2]}, 1);
  }
  return boxes;
}

void BoxImprover::Paint(int32_t id) {
  const Cuboid& box = boxes_[static_cast<size_t>(id)];
  const int width = box.max[0] - box.min[0];
  const int rows = box.max[1] - box.min[1];
  for (int z = box.min[2]; z < box.max[2]; ++z) {
    if (poll_.ShouldStopAfter(int64_t{rows} * (4 + width / 4))) return;
    for (int y = box.min[1]; y < box.max[1]; ++y) {
      std::fill_n(&OwnerAt(box.min[0], y, z), width, id + 1);
    }
  }
}

// The box beyond a random cell of a random face of `id`, or -1.
int32_t BoxImprover::RandomNeighbour(int32_t id) {
  const Cuboid& box = boxes_[static_cast<size_t>(id)];
  const uint64_t bits = random_.Next();
  const size_t face_axis = (bits & 0xffff) * 3 >> 16;
  std::array<int, 3> at;
  for (size_t a = 0; a < 3; ++a) {
    const uint64_t part = bits >> (16 * (a + 1)) & 0xffff;
    const uint64_t width = static_cast<uint64_t>(box.max[a] - box.min[a]);
    at[a] = box.min[a] + static_cast<int>(part * width >> 16);
  }
  const uint64_t side = bits >> (16 * (face_axis + 1)) & 1;
  at[face_axis] = side != 0 ? box.max[face_axis] : box.min[face_axis] - 1;
  if (at[face_axis] < 0 ||
      at[face_axis] >= size_[static_cast<int>(face_axis)]) {
    return -1;
  }
  return OwnerAt(at[0], at[1], at[2]) - 1;
}

// A random box and some that touch it or each other.
void BoxImprover::PickWindow(int max_boxes) {
  const int wanted =
      2 + static_cast<int>(random_.Below(static_cast<uint32_t>(max_boxes - 1)));
  window_size_ = 1;
  window_[0] =
      static_cast<int32_t>(random_.Below(static_cast<uint32_t>(boxes_.size())));
  for (int tries = 4 * wanted; tries > 0 && window_size_ < wanted; --tries) {
    const int32_t from =
        window_[random_.Below(static_cast<uint32_t>(window_size_))];
    const int32_t next = RandomNeighbour(from);
    const auto end = window_.begin() + window_size_;
    if (next < 0 || std::find(window_.begin(), end, next) != end) continue;
    window_[static_cast<size_t>(window_size_++)] = next;
  }
}

// Makes the grid of the window's planes; false if it has too many cells.
bool BoxImprover::Compress() {
  Vec3i size;
  for (size_t a = 0; a < 3; ++a) {
    std::array<uint64_t, kMaxBlockEdgeVoxels / 64 + 1> used{};
    for (int i = 0; i < window_size_; ++i) {
      const Cuboid& box =
          boxes_[static_cast<size_t>(window_[static_cast<size_t>(i)])];
      for (const int16_t plane : {box.min[a], box.max[a]}) {
        used[static_cast<size_t>(plane >> 6)] |= uint64_t{1} << (plane & 63);
      }
    }
    int count = 0;
    for (size_t w = 0; w < used.size(); ++w) {
      for (uint64_t bits = used[w]; bits != 0; bits &= bits - 1) {
        const size_t plane =
            w * 64 + static_cast<size_t>(std::countr_zero(bits));
        rank_[a][plane] = static_cast<uint8_t>(count);
        planes_[a][static_cast<size_t>(count++)] = static_cast<int16_t>(plane);
      }
    }
    size[static_cast<int>(a)] = count - 1;
  }
  if (!FitsMaskGrid(size)) return false;
  grid_ = MaskGrid(size);
  for (size_t i = 0; i < static_cast<size_t>(window_size_); ++i) {
    const Cuboid& box = boxes_[static_cast<size_t>(window_[i])];
    const auto ranks = [&](const std::array<int16_t, 3>& at) -> Vec3i {
      return {rank_[0][static_cast<size_t>(at[0])],
              rank_[1][static_cast<size_t>(at[1])],
              rank_[2][static_cast<size_t>(at[2])]};
    };
    before_[i] = grid_.BoxMask(ranks(box.min), ranks(box.max));
  }
  return true;
}

void BoxImprover::Step(const ImproverOptions& options) {
  KILN_DCHECK(options.max_window_boxes >= 2 &&
              options.max_window_boxes <= kMaxWindow);
  if (boxes_.size() < 2) return;
  PickWindow(options.max_window_boxes);
  while (window_size_ > 1 && !Compress()) --window_size_;
  if (poll_.ShouldStopAfter(500) || window_size_ < 2) return;
  uint64_t cells = 0;
  for (int i = 0; i < window_size_; ++i) {
    cells |= before_[static_cast<size_t>(i)];
  }
  // Fewer boxes, or else as many but others: that walks the plateau to where
  // fewer will do.
  for (const bool plateau : {false, true}) {
    nodes_left_ = options.max_window_nodes;
    random_order_ = plateau;
    const bool found =
        Refill(cells, plateau ? window_size_ : window_size_ - 1, 0);
    poll_.ShouldStopAfter(100 * (options.max_window_nodes - nodes_left_));
    if (found) return Accept();
  }
}

// Fills `cells` with at most `boxes_left` boxes, into after_ from `depth` on.
// False if that cannot be, or the nodes ran out.
bool BoxImprover::Refill(uint64_t cells, int boxes_left, int depth) {
  if (cells == 0) {
    after_size_ = depth;
    return true;
  }
  if (NeedsMoreThan(cells, boxes_left)) return false;
  if (nodes_left_-- == 0) return false;
  uint64_t candidates[kMaxMaskCells];
  const int count = CollectBoxes(cells, candidates);
  uint64_t& box = after_[static_cast<size_t>(depth)];
  if (boxes_left == 1) {
    box = candidates[count - 1];
    after_size_ = depth + 1;
    return box == cells;
  }
  const int start =
      random_order_
          ? static_cast<int>(random_.Below(static_cast<uint32_t>(count)))
          : count - 1;
  for (int i = 0; i < count; ++i) {
    box = candidates[start >= i ? start - i : start - i + count];
    if (Refill(cells & ~box, boxes_left - 1, depth + 1)) return true;
    if (nodes_left_ < 0) return false;
  }
  return false;
}

// Every cell that is closed on one side along each axis is a corner of its box,
// and cells closed on the same three sides are corners of different boxes.
bool BoxImprover::NeedsMoreThan(uint64_t cells, int boxes) const {
  std::array<std::array<uint64_t, 2>, 3> closed;
  for (int axis = 0; axis < 3; ++axis) {
    const size_t a = static_cast<size_t>(axis);
    closed[a][0] = cells & ~grid_.Up(cells, axis);
    closed[a][1] = cells & ~grid_.Down(cells, axis);
  }
  for (const uint64_t z : closed[2]) {
    for (const uint64_t y : closed[1]) {
      const uint64_t yz = y & z;
      if (CountBits(closed[0][0] & yz) > boxes ||
          CountBits(closed[0][1] & yz) > boxes) {
        return true;
      }
    }
  }
  return false;
}

// The boxes of `cells` whose lowest corner is the lowest cell, which is a
// corner of whatever box it is in. The last is one of the largest.
int BoxImprover::CollectBoxes(uint64_t cells, uint64_t* candidates) const {
  int count = 0;
  grid_.ForEachBoxFrom(cells & (~cells + 1), cells,
                       [&](uint64_t box) { candidates[count++] = box; });
  return count;
}

// Puts the boxes of after_ in place of the window's. Boxes that stay keep
// their index and need no painting.
void BoxImprover::Accept() {
  int kept = 0;  // window_ and before_ up to here are done with
  for (int i = 0; i < after_size_; ++i) {
    for (int j = kept; j < window_size_; ++j) {
      const size_t from = static_cast<size_t>(j);
      const size_t to = static_cast<size_t>(kept);
      if (before_[from] != after_[static_cast<size_t>(i)]) continue;
      std::swap(before_[from], before_[to]);
      std::swap(window_[from], window_[to]);
      std::swap(after_[static_cast<size_t>(i)], after_[to]);
      ++kept;
      break;
    }
  }
  for (int i = kept; i < after_size_; ++i) {
    const uint64_t mask = after_[static_cast<size_t>(i)];
    const Vec3i low = grid_.Coordinates(std::countr_zero(mask));
    const Vec3i high = grid_.Coordinates(63 - std::countl_zero(mask));
    const int32_t id = window_[static_cast<size_t>(i)];
    Cuboid& box = boxes_[static_cast<size_t>(id)];
    for (size_t a = 0; a < 3; ++a) {
      const int axis = static_cast<int>(a);
      box.min[a] = planes_[a][static_cast<size_t>(low[axis])];
      box.max[a] = planes_[a][static_cast<size_t>(high[axis]) + 1];
    }
    Paint(id);
  }
  // The rest of the window's boxes are gone; the last ones take their indices.
  std::sort(window_.begin() + after_size_, window_.begin() + window_size_);
  for (int i = window_size_ - 1; i >= after_size_; --i) {
    const int32_t id = window_[static_cast<size_t>(i)];
    const int32_t last = static_cast<int32_t>(boxes_.size()) - 1;
    if (id != last) {
      boxes_[static_cast<size_t>(id)] = boxes_.back();
      Paint(id);
    }
    boxes_.pop_back();
  }
}

}  // namespace kiln::core::internal
