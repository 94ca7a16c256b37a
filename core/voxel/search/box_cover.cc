#include "core/voxel/search/box_cover.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/base/status_macros.h"
#include "core/voxel/bit_row.h"
#include "core/voxel/boxes/box_order.h"
#include "core/voxel/boxes/box_partition.h"
#include "core/voxel/boxes/class_layers.h"
#include "core/voxel/boxes/mask_grid.h"
#include "core/voxel/search/exact_cover.h"

namespace kiln::core {
namespace {

using internal::ClassLayer;

struct Bounds {
  Vec3i min;
  Vec3i max;

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

// A greedy cover of one class, of rows of `W` words. Each step takes the first
// voxel that is not covered yet and grows it to boxes of solid voxels that
// cannot grow any more; the one that covers most that was not covered yet
// stays.
//
// Of the six axis orders three are tried: the axis along which most voxels are
// open goes first, then second, then first with the others swapped. That gives
// as few boxes as all six (hills, caves, ball 32^3: 148, 778, 81 against 148,
// 781, 81; 64^3: 1102, 5794, 340 against 1101, 5743, 340) in half the time.
template <int W>
class GreedyCover {
 public:
  GreedyCover(const BitGrid& solid, const CancelToken& cancel)
      : solid_(solid),
        open_(solid),
        twice_(solid.words().size()),
        poll_(cancel) {}

  absl::StatusOr<std::vector<Bounds>> Run() {
    const Vec3i size = solid_.size();
    for (int z = 0; z < size.z; ++z) {
      for (int y = 0; y < size.y; ++y) {
        const uint64_t* row = open_.Row(y, z);
        for (int w = 0; w < W; ++w) {
          while (row[w] != 0) {
            Take(BestBoxAround({w * 64 + std::countr_zero(row[w]), y, z})
                     .bounds);
            if (poll_.stopped()) return poll_.ToStatus();
          }
        }
        if (poll_.ShouldStopAfter(W)) return poll_.ToStatus();
      }
    }
    DropRedundant();
    if (poll_.stopped()) return poll_.ToStatus();
    return std::move(boxes_);
  }

 private:
  using Words = std::array<uint64_t, W>;

  // A box with its run as masks.
  struct Candidate {
    Bounds bounds;
    Words mask{};
  };

  struct WordMask {
    size_t word;
    uint64_t mask;
  };

  // A box whose voxels are all in other boxes too, and the end of the voxels
  // that it was the first to cover.
  struct Doubtful {
    size_t box;
    size_t end_of_firsts;
  };

  static bool Contains(const uint64_t* words, const Words& mask) {
    uint64_t missing = 0;
    for (size_t w = 0; w < W; ++w) missing |= mask[w] & ~words[w];
    return missing == 0;
  }

  static Words MaskOf(int x0, int x1) {
    Words mask{};
    BitRun(x0, x1).SetIn(mask.data());
    return mask;
  }

  // The bits that are ones in all rows [y0, y1) of layer z, and in `into`.
  void AndRows(int y0, int y1, int z, Words& into) const {
    const uint64_t* row = solid_.Row(y0, z);
    for (int y = y0; y < y1; ++y, row += W) {
      for (size_t w = 0; w < W; ++w) into[w] &= row[w];
    }
  }

  bool IsSolid(const Words& mask, int y0, int y1, int z) const {
    Words common = mask;
    AndRows(y0, y1, z, common);
    return common == mask;
  }

  // These grow a box both ways along one axis, as far as it stays solid.
  void GrowX(int x, Candidate& box) {
    const Bounds& b = box.bounds;
    Words common;
    common.fill(~uint64_t{0});
    for (int z = b.min.z; z < b.max.z; ++z) {
      AndRows(b.min.y, b.max.y, z, common);
    }
    work_ += (b.max.y - b.min.y) * (b.max.z - b.min.z);
    box.bounds.min.x = StartOfRun(common.data(), x);
    box.bounds.max.x = FirstClearBit(common.data(), W, x);
    box.mask = MaskOf(box.bounds.min.x, box.bounds.max.x);
  }

  void GrowY(Candidate& box) {
    Bounds& b = box.bounds;
    const auto is_solid = [&](int y) {
      ++work_;
      for (int z = b.min.z; z < b.max.z; ++z) {
        if (!Contains(solid_.Row(y, z), box.mask)) return false;
      }
      return true;
    };
    while (b.min.y > 0 && is_solid(b.min.y - 1)) --b.min.y;
    while (b.max.y < solid_.size().y && is_solid(b.max.y)) ++b.max.y;
  }

  void GrowZ(Candidate& box) {
    Bounds& b = box.bounds;
    const auto is_solid = [&](int z) {
      work_ += b.max.y - b.min.y;
      return IsSolid(box.mask, b.min.y, b.max.y, z);
    };
    while (b.min.z > 0 && is_solid(b.min.z - 1)) --b.min.z;
    while (b.max.z < solid_.size().z && is_solid(b.max.z)) ++b.max.z;
  }

  void Grow(int axis, const Vec3i& seed, Candidate& box) {
    if (axis == 0) {
      GrowX(seed.x, box);
    } else if (axis == 1) {
      GrowY(box);
    } else {
      GrowZ(box);
    }
  }

  Candidate BestBoxAround(const Vec3i& seed) {
    work_ = 20;
    seen_ = 0;
    const Candidate unit{{seed, seed + Vec3i{1, 1, 1}},
                         MaskOf(seed.x, seed.x + 1)};
    std::array<Candidate, 3> runs{unit, unit, unit};
    std::array<int64_t, 3> open;
    for (int axis = 0; axis < 3; ++axis) {
      Candidate& run = runs[static_cast<size_t>(axis)];
      Grow(axis, seed, run);
      open[static_cast<size_t>(axis)] = CountOpen(run);
    }
    std::array<size_t, 3> order{0, 1, 2};
    if (open[1] > open[0]) std::swap(order[0], order[1]);
    if (open[order[1]] < open[2]) std::swap(order[1], order[2]);
    if (open[order[0]] < open[order[1]]) std::swap(order[0], order[1]);
    Try(seed, runs, order);
    Try(seed, runs, {order[1], order[0], order[2]});
    Try(seed, runs, {order[0], order[2], order[1]});
    poll_.ShouldStopAfter(work_);
    return best_;
  }

  // Grows the seed in `order`, `runs` being what its first axis gives, and
  // makes it best_ if it covers more, or as much with fewer voxels.
  void Try(const Vec3i& seed, const std::array<Candidate, 3>& runs,
           const std::array<size_t, 3>& order) {
    const int second = static_cast<int>(order[1]);
    const int third = static_cast<int>(order[2]);
    Candidate box = runs[order[0]];
    Grow(second, seed, box);
    // A rectangle that is the cross-section of a box at hand
    // grows to that box and no other.
    for (size_t i = 0; i < seen_; ++i) {
      if (IsCrossSection(box.bounds, known_[i], third)) return;
    }
    Grow(third, seed, box);
    known_[seen_++] = box.bounds;
    if (seen_ == 1) {
      best_ = box;
      best_open_ = kNotCounted;
      return;
    }
    if (best_open_ == kNotCounted) best_open_ = CountOpen(best_);
    const int64_t volume = Volume(box.bounds.max - box.bounds.min);
    if (volume < best_open_) return;
    const int64_t count = CountOpen(box);
    if (count < best_open_ ||
        (count == best_open_ &&
         volume >= Volume(best_.bounds.max - best_.bounds.min))) {
      return;
    }
    best_open_ = count;
    best_ = box;
  }

  static bool IsCrossSection(const Bounds& flat, const Bounds& box, int axis) {
    Vec3i min = box.min;
    Vec3i max = box.max;
    min[axis] = flat.min[axis];
    max[axis] = flat.max[axis];
    return min == flat.min && max == flat.max;
  }

  int64_t CountOpen(const Candidate& box) {
    const Bounds& b = box.bounds;
    int64_t count = 0;
    if (W == 1 && b.max.x - b.min.x == 1) {
      for (int z = b.min.z; z < b.max.z; ++z) {
        const uint64_t* row = open_.Row(b.min.y, z);
        for (int y = b.min.y; y < b.max.y; ++y, ++row) {
          count += static_cast<int64_t>(*row >> b.min.x & 1);
        }
      }
      return count;
    }
    for (int z = b.min.z; z < b.max.z; ++z) {
      const uint64_t* row = open_.Row(b.min.y, z);
      for (int y = b.min.y; y < b.max.y; ++y, row += W) {
        for (size_t w = 0; w < W; ++w) {
          count += CountBits(row[w] & box.mask[w]);
        }
      }
    }
    work_ += 2 * (b.max.y - b.min.y) * (b.max.z - b.min.z);
    return count;
  }

  // Index of the first word of a row.
  size_t WordIndex(int y, int z) const {
    return static_cast<size_t>(solid_.Row(y, z) - solid_.words().data());
  }

  // Calls visit(index of word, mask) for each word of a box.
  template <typename Visit>
  void ForEachWord(const Bounds& b, Visit visit) const {
    const Words mask = MaskOf(b.min.x, b.max.x);
    for (int z = b.min.z; z < b.max.z; ++z) {
      size_t word =
          static_cast<size_t>(solid_.Row(b.min.y, z) - solid_.words().data());
      for (int y = b.min.y; y < b.max.y; ++y) {
        for (size_t w = 0; w < W; ++w, ++word) {
          if (W == 1 || mask[w] != 0) visit(word, mask[w]);
        }
      }
    }
  }

  void Take(const Bounds& box) {
    uint64_t* open = open_.words().data();
    ForEachWord(box, [&](size_t word, uint64_t mask) {
      twice_[word] |= mask & ~open[word];
      open[word] &= ~mask;
    });
    boxes_.push_back(box);
  }

  // Whether all voxels of a box are ones in `words`.
  bool IsIn(const Bounds& b, const std::vector<uint64_t>& words) const {
    const Words mask = MaskOf(b.min.x, b.max.x);
    for (int z = b.min.z; z < b.max.z; ++z) {
      for (int y = b.min.y; y < b.max.y; ++y) {
        if (!Contains(&words[WordIndex(y, z)], mask)) return false;
      }
    }
    return true;
  }

  // Drops boxes, the latest first, until none is covered by the others. What a
  // box shares with earlier ones is covered while those wait for their turn, so
  // only the voxels that it was the first to cover can need it; of the few
  // boxes that may have to go, these are found by covering once more.
  void DropRedundant() {
    std::vector<Doubtful> doubtful;
    std::vector<WordMask> firsts;
    open_ = solid_;
    uint64_t* open = open_.words().data();
    for (size_t i = 0; i < boxes_.size(); ++i) {
      if (PollFor(boxes_[i])) return;
      const bool may_go = IsIn(boxes_[i], twice_);
      ForEachWord(boxes_[i], [&](size_t word, uint64_t mask) {
        const uint64_t first = open[word] & mask;
        open[word] ^= first;
        if (may_go && first != 0) firsts.push_back({word, first});
      });
      if (may_go) doubtful.push_back({i, firsts.size()});
    }
    if (doubtful.empty()) return;
    std::vector<uint64_t>& later = twice_;  // covered by boxes that come later
    std::fill(later.begin(), later.end(), 0);
    for (size_t i = boxes_.size(); i-- > 0 && !doubtful.empty();) {
      if (PollFor(boxes_[i])) return;
      if (doubtful.back().box == i) {
        doubtful.pop_back();
        const size_t begin =
            doubtful.empty() ? 0 : doubtful.back().end_of_firsts;
        const bool redundant = std::all_of(
            firsts.begin() + static_cast<ptrdiff_t>(begin), firsts.end(),
            [&](const WordMask& f) { return (f.mask & ~later[f.word]) == 0; });
        firsts.resize(begin);
        if (redundant) {
          boxes_[i] = {};
          continue;
        }
      }
      ForEachWord(boxes_[i],
                  [&](size_t word, uint64_t mask) { later[word] |= mask; });
    }
    std::erase(boxes_, Bounds{});
  }

  bool PollFor(const Bounds& box) {
    const Vec3i size = box.max - box.min;
    return poll_.ShouldStopAfter(10 + int64_t{size.y} * size.z * W);
  }

  static constexpr int64_t kNotCounted = -1;

  const BitGrid& solid_;
  BitGrid open_;                 // solid and in no box yet
  std::vector<uint64_t> twice_;  // voxels in two boxes or more
  std::vector<Bounds> boxes_;

  // Of the step at hand.
  std::array<Bounds, 3> known_;  // boxes that were grown, seen_ of them
  size_t seen_ = 0;
  Candidate best_;
  int64_t best_open_ = kNotCounted;
  CancelPoll poll_;
  int64_t work_ = 0;  // of the step at hand, for poll_
};

// Search nodes for a small layer. Random 4 x 4 x 4 grids take below 100.
constexpr int64_t kMaxExactNodes = 20000;

absl::StatusOr<std::vector<Bounds>> GreedyCoverOf(const BitGrid& solid,
                                                  const CancelToken& cancel) {
  switch (solid.words_per_row()) {
    case 1:
      return GreedyCover<1>(solid, cancel).Run();
    case 2:
      return GreedyCover<2>(solid, cancel).Run();
    case 3:
      return GreedyCover<3>(solid, cancel).Run();
    default:
      return GreedyCover<4>(solid, cancel).Run();
  }
}

// The exact minimum where it is found, else greedy.
absl::StatusOr<std::vector<Bounds>> CoverLayer(const BitGrid& solid,
                                               const CancelToken& cancel) {
  KILN_ASSIGN_OR_RETURN(std::vector<Bounds> boxes,
                        GreedyCoverOf(solid, cancel));
  if (!internal::IsSmall(solid.size()) || boxes.size() < 2) return boxes;
  const internal::MaskGrid grid(solid.size());
  CancelPoll poll(cancel);
  const std::vector<uint64_t> fewer = internal::ExactCover(grid).Solve(
      internal::SmallMask(solid), static_cast<int>(boxes.size()),
      kMaxExactNodes, poll);
  if (poll.stopped()) return poll.ToStatus();
  if (fewer.empty()) return boxes;
  boxes.clear();
  for (const uint64_t mask : fewer) {
    const Box box = internal::BoxOfMask(grid, mask);
    boxes.push_back({box.min(), box.max()});
  }
  return boxes;
}

}  // namespace

absl::StatusOr<BoxSet> CoverWithBoxes(const VoxelBlock& block,
                                      const CancelToken& cancel) {
  BoxSet result;
  const auto cover_layer = [&](const ClassLayer& layer) -> absl::Status {
    KILN_ASSIGN_OR_RETURN(const std::vector<Bounds> boxes,
                          CoverLayer(layer.solid, cancel));
    for (const Bounds& b : boxes) {
      result.emplace_back(b.min + layer.origin, b.max + layer.origin,
                          layer.cls);
    }
    return absl::OkStatus();
  };
  KILN_RETURN_IF_ERROR(internal::ForEachClassLayer(block, cancel, cover_layer));
  // Greedy may lose to the partition, which is a cover without a redundant box.
  KILN_ASSIGN_OR_RETURN(BoxSet partition, PartitionIntoBoxes(block, cancel));
  if (partition.size() < result.size()) return partition;
  CancelPoll poll(cancel);
  internal::SortBoxes(result, poll);
  if (poll.stopped()) return poll.ToStatus();
  return result;
}

}  // namespace kiln::core
