#include "core/voxel/search/box_cover.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/base/status_macros.h"
#include "core/voxel/bit_row.h"
#include "core/voxel/boxes/box_order.h"
#include "core/voxel/boxes/box_partition.h"
#include "core/voxel/boxes/class_layers.h"
#include "core/voxel/boxes/mask_grid.h"
#include "core/voxel/search/box_search.h"
#include "core/voxel/search/exact_cover.h"

namespace kiln::core {
namespace {

using internal::ClassLayer;

struct Bounds {
  Vec3i min;
  Vec3i max;

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

// A cover of one class, of rows of `W` words, from a partition of it: each box
// that is not covered yet is grown both ways along x, y and z as far as its
// voxels are solid, and what the others cover is dropped in the end. So it has
// no more boxes than the partition; and hardly more than a greedy cover that
// grows each open voxel in all six orders, at an eighth of the time (hills,
// caves, ball 32^3: 148, 796, 81 against 148, 781, 81; 64^3: 1096, 5845, 340
// against 1101, 5743, 340).
template <int W>
class GrownCover {
 public:
  GrownCover(const BitGrid& solid, const CancelToken& cancel)
      : solid_(solid),
        open_(solid),
        twice_(solid.words().size()),
        poll_(cancel) {}

  // `parts` is a partition of the solid voxels.
  absl::StatusOr<std::vector<Bounds>> Run(std::span<const Bounds> parts) {
    boxes_.reserve(parts.size());
    for (const Bounds& part : parts) {
      Candidate box{part, MaskOf(part.min.x, part.max.x)};
      work_ = 20;
      if (IsOpen(box)) {
        GrowX(box);
        GrowY(box);
        GrowZ(box);
        Take(box);
      }
      if (poll_.ShouldStopAfter(work_)) return poll_.ToStatus();
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

  // Whether all of `count` rows, `stride` words apart, contain `mask`.
  static bool AllContain(const uint64_t* row, ptrdiff_t stride, int count,
                         const Words& mask) {
    if (!Contains(row, mask)) return false;  // most often
    Words common = mask;
    for (int i = 0; i < count; ++i, row += stride) {
      for (size_t w = 0; w < W; ++w) common[w] &= row[w];
    }
    return common == mask;
  }

  // These grow a box both ways along one axis, as far as it stays solid.
  void GrowX(Candidate& box) {
    const Bounds& b = box.bounds;
    Words common;
    common.fill(~uint64_t{0});
    for (int z = b.min.z; z < b.max.z; ++z) {
      const uint64_t* row = solid_.Row(b.min.y, z);
      for (int y = b.min.y; y < b.max.y; ++y, row += W) {
        for (size_t w = 0; w < W; ++w) common[w] &= row[w];
      }
    }
    work_ += (b.max.y - b.min.y) * (b.max.z - b.min.z);
    const int x = b.min.x;
    box.bounds.min.x = StartOfRun(common.data(), x);
    box.bounds.max.x = FirstClearBit(common.data(), W, x);
    box.mask = MaskOf(box.bounds.min.x, box.bounds.max.x);
  }

  void GrowY(Candidate& box) {
    Bounds& b = box.bounds;
    const int count = b.max.z - b.min.z;
    const ptrdiff_t stride = ptrdiff_t{W} * solid_.size().y;
    const uint64_t* row = solid_.Row(b.min.y, b.min.z) - W;
    for (; b.min.y > 0 && AllContain(row, stride, count, box.mask); row -= W) {
      --b.min.y;
    }
    row = solid_.Row(b.max.y - 1, b.min.z) + W;
    for (;
         b.max.y < solid_.size().y && AllContain(row, stride, count, box.mask);
         row += W) {
      ++b.max.y;
    }
    work_ += (b.max.y - b.min.y) * count;
  }

  void GrowZ(Candidate& box) {
    Bounds& b = box.bounds;
    const int count = b.max.y - b.min.y;
    const ptrdiff_t stride = ptrdiff_t{W} * solid_.size().y;
    const uint64_t* row = solid_.Row(b.min.y, b.min.z) - stride;
    for (; b.min.z > 0 && AllContain(row, W, count, box.mask); row -= stride) {
      --b.min.z;
    }
    row = solid_.Row(b.min.y, b.max.z - 1) + stride;
    for (; b.max.z < solid_.size().z && AllContain(row, W, count, box.mask);
         row += stride) {
      ++b.max.z;
    }
    work_ += (b.max.z - b.min.z) * count;
  }

  // Whether any voxel of a box is in no other yet.
  bool IsOpen(const Candidate& box) const {
    const Bounds& b = box.bounds;
    if (open_.Get(b.min.x, b.min.y, b.min.z)) return true;  // most often
    for (int z = b.min.z; z < b.max.z; ++z) {
      const uint64_t* row = open_.Row(b.min.y, z);
      uint64_t open = 0;
      for (int y = b.min.y; y < b.max.y; ++y, row += W) {
        for (size_t w = 0; w < W; ++w) open |= row[w] & box.mask[w];
      }
      if (open != 0) return true;
    }
    return false;
  }

  // Calls visit(index of its first word) for each row of a box.
  template <typename Visit>
  void ForEachRow(const Bounds& b, Visit visit) const {
    for (int z = b.min.z; z < b.max.z; ++z) {
      size_t word =
          static_cast<size_t>(solid_.Row(b.min.y, z) - solid_.words().data());
      for (int y = b.min.y; y < b.max.y; ++y, word += W) visit(word);
    }
  }

  void Take(const Candidate& box) {
    uint64_t* open = open_.words().data();
    uint64_t* twice = twice_.data();
    ForEachRow(box.bounds, [&](size_t word) {
      for (size_t w = 0; w < W; ++w) {
        const uint64_t was = open[word + w];
        twice[word + w] |= box.mask[w] & ~was;
        open[word + w] = was & ~box.mask[w];
      }
    });
    boxes_.push_back(box.bounds);
  }

  // Whether all voxels of a box are ones in `words`.
  bool IsIn(const Bounds& b, const std::vector<uint64_t>& words) const {
    const Words mask = MaskOf(b.min.x, b.max.x);
    const ptrdiff_t stride = ptrdiff_t{W} * solid_.size().y;
    const uint64_t* row =
        words.data() + (solid_.Row(b.min.y, b.min.z) - solid_.words().data());
    for (int z = b.min.z; z < b.max.z; ++z, row += stride) {
      if (!AllContain(row, W, b.max.y - b.min.y, mask)) return false;
    }
    return true;
  }

  // Adds the voxels of a box to `words`; calls added(index of word, those that
  // were not there yet).
  template <typename Added>
  void AddTo(std::vector<uint64_t>& words, const Bounds& b, Added added) const {
    const Words mask = MaskOf(b.min.x, b.max.x);
    ForEachRow(b, [&](size_t word) {
      for (size_t w = 0; w < W; ++w) {
        const uint64_t was = words[word + w];
        words[word + w] = was | mask[w];
        added(word + w, mask[w] & ~was);
      }
    });
  }

  // Drops boxes, the latest first, until none is covered by the others. Only
  // those whose voxels are all in two boxes or more can go. What such a box
  // shares with the boxes that stay for sure, or with earlier ones, is covered
  // while those wait for their turn; so it is needed only for voxels that it
  // is the first to cover and that no later one, which stays, covers.
  void DropRedundant() {
    std::vector<uint64_t> covered(twice_.size());
    std::vector<size_t> doubtful;
    for (size_t i = 0; i < boxes_.size(); ++i) {
      if (PollFor(boxes_[i])) return;
      if (IsIn(boxes_[i], twice_)) {
        doubtful.push_back(i);
      } else {
        AddTo(covered, boxes_[i], [](size_t, uint64_t) {});
      }
    }
    std::vector<WordMask> firsts;
    std::vector<size_t> ends;  // of the firsts of each doubtful box
    for (const size_t i : doubtful) {
      if (PollFor(boxes_[i])) return;
      AddTo(covered, boxes_[i], [&](size_t word, uint64_t mask) {
        if (mask != 0) firsts.push_back({word, mask});
      });
      ends.push_back(firsts.size());
    }
    std::vector<uint64_t>& later = twice_;
    std::fill(later.begin(), later.end(), 0);
    for (size_t d = doubtful.size(); d-- > 0;) {
      Bounds& box = boxes_[doubtful[d]];
      if (PollFor(box)) return;
      const bool is_redundant = std::all_of(
          firsts.begin() + static_cast<ptrdiff_t>(d == 0 ? 0 : ends[d - 1]),
          firsts.begin() + static_cast<ptrdiff_t>(ends[d]),
          [&](const WordMask& f) { return (f.mask & ~later[f.word]) == 0; });
      if (is_redundant) {
        box = {};
      } else {
        AddTo(later, box, [](size_t, uint64_t) {});
      }
    }
    std::erase(boxes_, Bounds{});
  }

  bool PollFor(const Bounds& box) {
    const Vec3i size = box.max - box.min;
    return poll_.ShouldStopAfter(10 + int64_t{size.y} * size.z * W);
  }

  struct WordMask {
    size_t word;
    uint64_t mask;
  };

  const BitGrid& solid_;
  BitGrid open_;                 // solid and in no box yet
  std::vector<uint64_t> twice_;  // voxels in two boxes or more
  std::vector<Bounds> boxes_;
  CancelPoll poll_;
  int64_t work_ = 0;  // of the step at hand, for poll_
};

// Search nodes for a small layer. Random 4 x 4 x 4 grids take below 100.
constexpr int64_t kMaxExactNodes = 20000;

absl::StatusOr<std::vector<Bounds>> GrownCoverOf(const BitGrid& solid,
                                                 std::span<const Bounds> parts,
                                                 const CancelToken& cancel) {
  switch (solid.words_per_row()) {
    case 1:
      return GrownCover<1>(solid, cancel).Run(parts);
    case 2:
      return GrownCover<2>(solid, cancel).Run(parts);
    case 3:
      return GrownCover<3>(solid, cancel).Run(parts);
    default:
      return GrownCover<4>(solid, cancel).Run(parts);
  }
}

// The exact minimum where it is found, else what grows from `parts`.
absl::StatusOr<std::vector<Bounds>> CoverLayer(const BitGrid& solid,
                                               std::span<const Bounds> parts,
                                               const CancelToken& cancel) {
  KILN_ASSIGN_OR_RETURN(std::vector<Bounds> boxes,
                        GrownCoverOf(solid, parts, cancel));
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

// To copy a box into fresh memory, in units of CancelPoll.
constexpr int64_t kCopyCost = 20;

// Grows `partition` of `block`; the result is not ordered.
absl::StatusOr<BoxSet> CoverFrom(const VoxelBlock& block,
                                 const BoxSet& partition,
                                 const CancelToken& cancel) {
  BoxSet by_class;
  if (!block.classes.empty()) {
    by_class = partition;
    std::stable_sort(by_class.begin(), by_class.end(),
                     [](Box a, Box b) { return a.cls() < b.cls(); });
  }
  std::span<const Box> rest = block.classes.empty() ? partition : by_class;
  BoxSet result;
  result.reserve(partition.size());
  std::vector<Bounds> parts;
  parts.reserve(partition.size());
  CancelPoll poll(cancel);  // a block of 256^3 can have millions of boxes
  const auto cover_layer = [&](const ClassLayer& layer) -> absl::Status {
    parts.clear();
    while (!rest.empty() && rest.front().cls() == layer.cls) {
      parts.push_back({rest.front().min() - layer.origin,
                       rest.front().max() - layer.origin});
      rest = rest.subspan(1);
      if (poll.ShouldStopAfter(kCopyCost)) return poll.ToStatus();
    }
    KILN_ASSIGN_OR_RETURN(const std::vector<Bounds> boxes,
                          CoverLayer(layer.solid, parts, cancel));
    for (const Bounds& b : boxes) {
      result.emplace_back(b.min + layer.origin, b.max + layer.origin,
                          layer.cls);
      if (poll.ShouldStopAfter(kCopyCost)) return poll.ToStatus();
    }
    return absl::OkStatus();
  };
  KILN_RETURN_IF_ERROR(internal::ForEachClassLayer(block, cancel, cover_layer));
  return result;
}

// Where the cover has less than a tenth fewer boxes than the partition, the
// block is one in which overlaps help little, and a better partition may.
bool IsPoor(const BoxSet& cover, const BoxSet& partition) {
  return cover.size() * 10 > partition.size() * 9;
}

}  // namespace

absl::StatusOr<BoxSet> CoverWithBoxes(const VoxelBlock& block,
                                      const CancelToken& cancel) {
  KILN_ASSIGN_OR_RETURN(BoxSet parts, PartitionIntoBoxes(block, cancel));
  KILN_ASSIGN_OR_RETURN(BoxSet result, CoverFrom(block, parts, cancel));
  if (IsPoor(result, parts) && result.size() > 1) {
    KILN_ASSIGN_OR_RETURN(parts, SearchBoxes(block, 0, cancel));
    KILN_ASSIGN_OR_RETURN(BoxSet other, CoverFrom(block, parts, cancel));
    if (other.size() < result.size()) result = std::move(other);
  }
  CancelPoll poll(cancel);
  internal::SortBoxes(result, poll);
  if (poll.stopped()) return poll.ToStatus();
  return result;
}

}  // namespace kiln::core
