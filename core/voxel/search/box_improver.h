// core/voxel/search/box_improver.h
//
// Local search on a partition: one box claims the space beyond one of its
// faces, the boxes that were there are cut around it, and boxes that now fit
// together merge. Every step leaves an exact partition; none raises the count.

#ifndef KILN_CORE_VOXEL_SEARCH_BOX_IMPROVER_H_
#define KILN_CORE_VOXEL_SEARCH_BOX_IMPROVER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/base/random.h"
#include "core/voxel/box_set.h"

namespace kiln::core::internal {

// A claim is kept where it makes fewer boxes or as many: the latter walk the
// plateau to where fewer will do, and most gains come after such a walk
// (docs/search.md has what else was tried).
//
// Once `poll` says stop, the boxes are of no use any more. Not thread-safe.
class BoxImprover {
 public:
  // `boxes` is a partition of some voxels of a grid of `size`. `poll` must
  // outlive this.
  // Cost: O(V) time and 4 V bytes.
  BoxImprover(const Vec3i& size, const BoxSet& boxes, CancelPoll& poll);

  // Tries `steps` claims. Goes over the boxes in stretches of a few hundred,
  // so that what a stretch touches stays in the cache.
  // Cost: 0.1 to 0.3 us a step.
  void Run(int64_t steps);

  int64_t count() const { return static_cast<int64_t>(boxes_.size()); }
  // In no particular order, of class 1.
  BoxSet Boxes() const;

 private:
  struct Cuboid {
    std::array<int16_t, 3> min;
    std::array<int16_t, 3> max;

    bool operator==(const Cuboid&) const = default;
  };

  // A box to be. `painted` is a part of it, whose voxels owner_ gives to
  // `owner` already.
  struct Part {
    Cuboid box;
    int32_t owner;
    Cuboid painted;
  };

  // A box and what it wants: `claim` holds the part of it that stays.
  struct Claim {
    int32_t box;
    Cuboid claim;
    Cuboid kept;
  };

  struct FreeMemory {
    void operator()(void* memory) const { std::free(memory); }
  };

  static constexpr uint64_t kSeed = 0x6b696c6e;  // part of the results
  // Boxes that one claim may cut. Claims on more hardly ever pay.
  static constexpr int kMaxCut = 13;
  // Parts beyond the boxes they replace; merges seldom make up for more.
  static constexpr int kMaxExcess = 2;
  static constexpr int kMaxTaken = 32;
  static constexpr int kMaxParts = kMaxCut + kMaxExcess + 1;

  int32_t& OwnerAt(int x, int y, int z) {
    return owner_[static_cast<size_t>(x) +
                  static_cast<size_t>(size_.x) *
                      (static_cast<size_t>(y) +
                       static_cast<size_t>(size_.y) * static_cast<size_t>(z))];
  }
  int32_t OwnerAt(const std::array<int, 3>& at);
  Cuboid& BoxAt(int32_t id) { return boxes_[static_cast<size_t>(id)]; }

  void Step(int32_t first, uint32_t count);
  bool PickClaim(int32_t id, Claim& claim);
  bool PickPlane(const Cuboid& box, size_t axis, bool up, uint64_t bits,
                 int16_t& plane);
  bool IsTaken(int32_t id) const;
  bool TakeBoxes(const Cuboid& claim);
  bool CutAround(const Cuboid& claim, size_t first_cut);
  void Merge();
  bool MergeParts();
  bool MergeWithNeighbour(Part& part);
  void Accept();
  void Paint(const Cuboid& box, const Cuboid& except, int32_t id);
  void Remove(int32_t id);

  const Vec3i size_;
  Random random_{kSeed};
  std::vector<Cuboid> boxes_;
  // 1 + the index of the box at each voxel; 0 where there is none. From calloc,
  // which takes the memory of large empty parts only when it is used.
  std::unique_ptr<int32_t[], FreeMemory> owner_;
  CancelPoll& poll_;

  // The claim at hand: the boxes that go, and the parts that come for them.
  size_t taken_count_ = 0;
  std::array<int32_t, kMaxTaken> taken_;
  size_t part_count_ = 0;
  std::array<Part, kMaxParts> parts_;
};

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_SEARCH_BOX_IMPROVER_H_
