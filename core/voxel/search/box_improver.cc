#include "core/voxel/search/box_improver.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/base/check.h"

namespace kiln::core::internal {
namespace {

// Boxes in a stretch, and steps for each of them before the next stretch.
constexpr int64_t kStretchBoxes = 512;
constexpr int64_t kStretchStepsPerBox = 8;

// Of 256 claims: those that end at a plane of a box beside the one claimed
// from, not at that one's far side; and those as wide as both boxes share, not
// as the claiming one.
constexpr uint64_t kInnerPlanes = 16;
constexpr uint64_t kSharedWidths = 32;

// For the poll, in ns.
constexpr int64_t kWorkPerStep = 100;

template <typename Cuboid>
int64_t VolumeOf(const Cuboid& box) {
  return int64_t{box.max[0] - box.min[0]} * (box.max[1] - box.min[1]) *
         (box.max[2] - box.min[2]);
}

// The fraction `part` / 2^16 of the way from `from` to `to`, rounded down.
constexpr int Between(int from, int to, uint64_t part) {
  return from + static_cast<int>(
                    (part & 0xffff) * static_cast<uint64_t>(to - from) >> 16);
}

// Makes `a` the union of both if that is a box.
template <typename Cuboid>
bool Join(Cuboid& a, const Cuboid& b) {
  size_t axis = 3;
  for (size_t i = 0; i < 3; ++i) {
    if (a.min[i] == b.min[i] && a.max[i] == b.max[i]) continue;
    if (axis != 3) return false;
    axis = i;
  }
  if (axis == 3) return false;
  if (a.max[axis] != b.min[axis] && b.max[axis] != a.min[axis]) return false;
  a.min[axis] = std::min(a.min[axis], b.min[axis]);
  a.max[axis] = std::max(a.max[axis], b.max[axis]);
  return true;
}

}  // namespace

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
    Paint(cuboid, {}, static_cast<int32_t>(boxes_.size()) - 1);
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

// The box at a voxel, or -1 where there is none or the grid ends.
int32_t BoxImprover::OwnerAt(const std::array<int, 3>& at) {
  for (size_t a = 0; a < 3; ++a) {
    if (at[a] < 0 || at[a] >= size_[static_cast<int>(a)]) return -1;
  }
  return OwnerAt(at[0], at[1], at[2]) - 1;
}

void BoxImprover::Run(int64_t steps) {
  int64_t first = 0;
  while (steps > 0 && count() > 1 && !poll_.stopped()) {
    if (first >= count()) first = 0;
    // A short rest joins the last full stretch.
    int64_t boxes = count() - first;
    if (boxes >= 2 * kStretchBoxes) boxes = kStretchBoxes;
    for (int64_t i = std::min(steps, boxes * kStretchStepsPerBox); i > 0; --i) {
      --steps;
      boxes = std::min(boxes, count() - first);
      if (boxes < 1) break;
      Step(static_cast<int32_t>(first), static_cast<uint32_t>(boxes));
      if (poll_.ShouldStopAfter(kWorkPerStep)) return;
    }
    first += boxes;
  }
}

// Tries a claim of one of the `count` boxes from `first` on.
void BoxImprover::Step(int32_t first, uint32_t count) {
  const int32_t id = first + static_cast<int32_t>(random_.Below(count));
  Claim claim;
  if (!PickClaim(id, claim)) return;
  const bool keeps_all = claim.kept == BoxAt(id);
  taken_count_ = 1;
  taken_[0] = id;
  part_count_ = 1;
  parts_[0] = {claim.claim, id, claim.kept};
  if (!TakeBoxes(claim.claim)) return;
  if (!CutAround(claim.claim, keeps_all ? 1 : 0)) return;
  Merge();
  if (part_count_ <= taken_count_) Accept();
}

// A random claim of box `id`, beyond a random cell of a random face. False if
// nothing is there.
bool BoxImprover::PickClaim(int32_t id, Claim& claim) {
  const Cuboid& box = BoxAt(id);
  const uint64_t bits = random_.Next();
  const uint64_t more_bits = random_.Next();
  const size_t face = (bits & 0xffff) * 6 >> 16;
  const size_t axis = face >> 1;
  const bool up = (face & 1) != 0;
  std::array<int, 3> at;
  for (size_t a = 0; a < 3; ++a) {
    at[a] = Between(box.min[a], box.max[a], bits >> (16 * (a + 1)));
  }
  at[axis] = up ? box.max[axis] : box.min[axis] - 1;
  const int32_t from = OwnerAt(at);
  if (from < 0) return false;
  const Cuboid& other = BoxAt(from);
  int16_t plane = up ? other.max[axis] : other.min[axis];
  if ((more_bits & 0xff) < kInnerPlanes &&
      !PickPlane(other, axis, up, more_bits >> 16, plane)) {
    return false;
  }
  claim.kept = box;
  if ((more_bits >> 8 & 0xff) < kSharedWidths) {
    for (size_t a = 0; a < 3; ++a) {
      if (a == axis) continue;
      claim.kept.min[a] = std::max(box.min[a], other.min[a]);
      claim.kept.max[a] = std::min(box.max[a], other.max[a]);
    }
  }
  claim.claim = claim.kept;
  (up ? claim.claim.max : claim.claim.min)[axis] = plane;
  return true;
}

// Where a random box beside `box` begins or ends along `axis`, strictly inside
// of `box`. False if there is no such plane at the random place looked at.
bool BoxImprover::PickPlane(const Cuboid& box, size_t axis, bool up,
                            uint64_t bits, int16_t& plane) {
  std::array<int, 3> at;
  for (size_t a = 0; a < 3; ++a) {
    at[a] = Between(box.min[a], box.max[a], bits >> (15 * a));
  }
  const size_t side_axis = (axis + 1 + (bits >> 46 & 1)) % 3;
  const bool side_up = (bits >> 47 & 1) != 0;
  at[side_axis] = side_up ? box.max[side_axis] : box.min[side_axis] - 1;
  const int32_t beside = OwnerAt(at);
  if (beside < 0) return false;
  const Cuboid& other = BoxAt(beside);
  const auto is_inside = [&](int16_t at_plane) {
    return at_plane > box.min[axis] && at_plane < box.max[axis];
  };
  plane = up ? other.max[axis] : other.min[axis];
  if (!is_inside(plane)) plane = up ? other.min[axis] : other.max[axis];
  return is_inside(plane);
}

bool BoxImprover::IsTaken(int32_t id) const {
  const auto end = taken_.begin() + static_cast<ptrdiff_t>(taken_count_);
  return std::find(taken_.begin(), end, id) != end;
}

// Takes all boxes that share voxels with `claim`. False if a voxel of it is in
// no box, or the boxes are too many.
bool BoxImprover::TakeBoxes(const Cuboid& claim) {
  int next_z;
  for (int z = claim.min[2]; z < claim.max[2]; z = next_z) {
    next_z = claim.max[2];
    int next_y;
    for (int y = claim.min[1]; y < claim.max[1]; y = next_y) {
      next_y = claim.max[1];
      int next_x;
      for (int x = claim.min[0]; x < claim.max[0]; x = next_x) {
        const int32_t id = OwnerAt(x, y, z) - 1;
        if (id < 0) return false;
        if (!IsTaken(id)) {
          if (taken_count_ == kMaxCut) return false;
          taken_[taken_count_++] = id;
        }
        const Cuboid& box = BoxAt(id);
        next_x = box.max[0];
        next_y = std::min<int>(next_y, box.max[1]);
        next_z = std::min<int>(next_z, box.max[2]);
      }
    }
  }
  return true;
}

// Adds what `claim` leaves of the taken boxes from `first_cut` on, in up to six
// parts each. False if the parts are too many.
bool BoxImprover::CutAround(const Cuboid& claim, size_t first_cut) {
  static constexpr std::array<std::array<uint8_t, 3>, 6> kOrders = {
      {{{0, 1, 2}},
       {{0, 2, 1}},
       {{1, 0, 2}},
       {{1, 2, 0}},
       {{2, 0, 1}},
       {{2, 1, 0}}}};
  const size_t most = taken_count_ + kMaxExcess;
  for (size_t i = first_cut; i < taken_count_; ++i) {
    const int32_t id = taken_[i];
    Cuboid rest = BoxAt(id);
    for (const size_t a : kOrders[random_.Below(kOrders.size())]) {
      if (rest.min[a] < claim.min[a]) {
        if (part_count_ == most) return false;
        Cuboid part = rest;
        part.max[a] = rest.min[a] = claim.min[a];
        parts_[part_count_++] = {part, id, part};
      }
      if (rest.max[a] > claim.max[a]) {
        if (part_count_ == most) return false;
        Cuboid part = rest;
        part.min[a] = rest.max[a] = claim.max[a];
        parts_[part_count_++] = {part, id, part};
      }
    }
  }
  return true;
}

// Joins parts with each other, and with boxes that touch them, until none can
// be.
void BoxImprover::Merge() {
  bool again = true;
  while (again) {
    again = MergeParts();
    for (size_t i = 0; i < part_count_; ++i) {
      again |= MergeWithNeighbour(parts_[i]);
    }
  }
}

bool BoxImprover::MergeParts() {
  bool merged = false;
  for (size_t i = 0; i < part_count_; ++i) {
    for (size_t j = i + 1; j < part_count_;) {
      Part& part = parts_[i];
      const Part& other = parts_[j];
      if (!Join(part.box, other.box)) {
        ++j;
        continue;
      }
      if (VolumeOf(other.painted) > VolumeOf(part.painted)) {
        part.owner = other.owner;
        part.painted = other.painted;
      }
      parts_[j] = parts_[--part_count_];
      merged = true;
    }
  }
  return merged;
}

bool BoxImprover::MergeWithNeighbour(Part& part) {
  bool merged = false;
  for (size_t face = 0; face < 6; ++face) {
    if (taken_count_ == kMaxTaken) return false;
    const size_t axis = face >> 1;
    std::array<int, 3> at = {part.box.min[0], part.box.min[1], part.box.min[2]};
    at[axis] = (face & 1) != 0 ? part.box.max[axis] : part.box.min[axis] - 1;
    const int32_t id = OwnerAt(at);
    if (id < 0) continue;
    const Cuboid& other = BoxAt(id);
    Cuboid joined = part.box;
    if (!Join(joined, other) || IsTaken(id)) continue;
    part.box = joined;
    taken_[taken_count_++] = id;
    if (VolumeOf(other) > VolumeOf(part.painted)) {
      part.owner = id;
      part.painted = other;
    }
    merged = true;
  }
  return merged;
}

// Puts the parts in place of the taken boxes. A part keeps the index for which
// most of it is painted already.
void BoxImprover::Accept() {
  std::array<int32_t, kMaxParts> ids;
  ids.fill(-1);
  size_t free_count = 0;  // taken_ up to here: indices that no part keeps
  for (size_t i = 0; i < taken_count_; ++i) {
    size_t keeper = part_count_;
    for (size_t j = 0; j < part_count_; ++j) {
      if (parts_[j].owner != taken_[i]) continue;
      if (keeper == part_count_ ||
          VolumeOf(parts_[j].painted) > VolumeOf(parts_[keeper].painted)) {
        keeper = j;
      }
    }
    if (keeper == part_count_) {
      taken_[free_count++] = taken_[i];
    } else {
      ids[keeper] = taken_[i];
    }
  }
  for (size_t j = 0; j < part_count_; ++j) {
    const bool keeps = ids[j] >= 0;
    if (!keeps) ids[j] = taken_[--free_count];
    BoxAt(ids[j]) = parts_[j].box;
    Paint(parts_[j].box, keeps ? parts_[j].painted : Cuboid{}, ids[j]);
  }
  std::sort(taken_.begin(),
            taken_.begin() + static_cast<ptrdiff_t>(free_count));
  while (free_count > 0) Remove(taken_[--free_count]);
}

// Gives the voxels of `box` outside of `except` to box `id`.
void BoxImprover::Paint(const Cuboid& box, const Cuboid& except, int32_t id) {
  const int width = box.max[0] - box.min[0];
  const int rows = box.max[1] - box.min[1];
  for (int z = box.min[2]; z < box.max[2]; ++z) {
    if (poll_.ShouldStopAfter(int64_t{rows} * (4 + width / 4))) return;
    const bool in_layer = z >= except.min[2] && z < except.max[2];
    for (int y = box.min[1]; y < box.max[1]; ++y) {
      int32_t* row = &OwnerAt(0, y, z);
      if (in_layer && y >= except.min[1] && y < except.max[1]) {
        std::fill(row + box.min[0], row + except.min[0], id + 1);
        std::fill(row + except.max[0], row + box.max[0], id + 1);
      } else {
        std::fill(row + box.min[0], row + box.max[0], id + 1);
      }
    }
  }
}

// The last box takes the index of one that is gone.
void BoxImprover::Remove(int32_t id) {
  const int32_t last = static_cast<int32_t>(boxes_.size()) - 1;
  if (id != last) {
    BoxAt(id) = boxes_.back();
    Paint(BoxAt(id), {}, id);
  }
  boxes_.pop_back();
}

}  // namespace kiln::core::internal
