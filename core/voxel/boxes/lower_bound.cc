#include "core/voxel/boxes/lower_bound.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/voxel/bit_row.h"
#include "core/voxel/boxes/class_layers.h"

namespace kiln::core {
namespace {

using internal::ClassLayer;

// A run [x0, x1) of a row; empty where x0 >= x1.
struct Interval {
  int x0 = 0;
  int x1 = 0;

  bool empty() const { return x0 >= x1; }
};

Interval Intersect(const Interval& a, const Interval& b) {
  return {std::max(a.x0, b.x0), std::min(a.x1, b.x1)};
}

// Picks voxels no two of which fit in one box of solid voxels.
class IndependentSet {
 public:
  IndependentSet(const BitGrid& solid, const CancelToken& cancel)
      : solid_(solid), open_(solid), cancel_(cancel) {}

  absl::StatusOr<int64_t> Count() {
    // Voxels that are hemmed in most exclude the fewest others: those first.
    for (int closed = 6; closed >= 0; --closed) {
      for (int z = 0; z < solid_.size().z; ++z) {
        KILN_RETURN_IF_ERROR(cancel_.ToStatus());
        for (int y = 0; y < solid_.size().y; ++y) {
          for (int w = 0; w < solid_.words_per_row(); ++w) {
            uint64_t picks = open_.Row(y, z)[w] & ClosedFaces(w, y, z, closed);
            while (picks != 0) {
              Pick(w * 64 + std::countr_zero(picks), y, z);
              picks &= picks - 1;
              picks &= open_.Row(y, z)[w];
              KILN_RETURN_IF_ERROR(cancel_.ToStatus());
            }
          }
        }
      }
    }
    return count_;
  }

 private:
  // Voxels of a word of a row that have exactly `closed` faces against air or
  // the border of the block.
  uint64_t ClosedFaces(int w, int y, int z, int closed) const {
    const uint64_t* row = solid_.Row(y, z);
    const auto word = [&](int ny, int nz) {
      return ny < 0 || nz < 0 || ny >= solid_.size().y || nz >= solid_.size().z
                 ? 0
                 : solid_.Row(ny, nz)[w];
    };
    const bool last = w + 1 == solid_.words_per_row();
    const std::array<uint64_t, 6> neighbours = {
        row[w] << 1 | (w == 0 ? 0 : row[w - 1] >> 63),
        row[w] >> 1 | (last ? 0 : row[w + 1] << 63),
        word(y - 1, z),
        word(y + 1, z),
        word(y, z - 1),
        word(y, z + 1)};
    // A three-bit counter for each voxel.
    uint64_t ones = 0;
    uint64_t twos = 0;
    uint64_t fours = 0;
    for (const uint64_t n : neighbours) {
      const uint64_t carry = ones & ~n;
      ones ^= ~n;
      fours |= twos & carry;
      twos ^= carry;
    }
    const uint64_t c = static_cast<uint64_t>(closed);
    return row[w] & ~(ones ^ (0 - (c & 1))) & ~(twos ^ (0 - (c >> 1 & 1))) &
           ~(fours ^ (0 - (c >> 2)));
  }

  // Counts the voxel and closes all that share a box of solid voxels with it.
  void Pick(int x, int y, int z) {
    ++count_;
    Interval center = RunAround(x, y, z);
    Spread(x, y, z, center, first_);
    for (const int step : {-1, 1}) {
      reach_ = first_;
      Interval at = center;
      for (int i = z + step; i >= 0 && i < solid_.size().z; i += step) {
        at = Intersect(at, RunAround(x, y, i));
        if (at.empty()) break;
        Spread(x, y, i, at, reach_);
      }
    }
  }

  // Closes what column (y, z), whose reach is `center`, lets the voxel reach
  // in this layer. `reach` is by y: that of the layer before, then of this one;
  // a voxel is reached exactly if the three before it, one step back along each
  // axis towards the pick, are.
  void Spread(int x, int y, int z, const Interval& center,
              std::array<Interval, kMaxBlockEdgeVoxels>& reach) {
    const bool first_layer = &reach == &first_;
    Close(center, y, z);
    reach[static_cast<size_t>(y)] = center;
    for (const int step : {-1, 1}) {
      Interval at = center;
      int i = y + step;
      for (; i >= 0 && i < solid_.size().y; i += step) {
        Interval& before = reach[static_cast<size_t>(i)];
        if (!first_layer) at = Intersect(at, before);
        if (at.empty()) break;
        at = Intersect(at, RunAround(x, i, z));
        before = at;
        if (at.empty()) break;
        Close(at, i, z);
      }
      if (i >= 0 && i < solid_.size().y) reach[static_cast<size_t>(i)] = {};
    }
  }

  Interval RunAround(int x, int y, int z) const {
    if (!solid_.Get(x, y, z)) return {};
    const uint64_t* row = solid_.Row(y, z);
    return {StartOfRun(row, x), FirstClearBit(row, solid_.words_per_row(), x)};
  }

  void Close(const Interval& run, int y, int z) {
    BitRun(run.x0, run.x1).ClearIn(open_.Row(y, z));
  }

  const BitGrid& solid_;
  BitGrid open_;  // voxels that share no box with any pick
  const CancelToken& cancel_;
  int64_t count_ = 0;
  std::array<Interval, kMaxBlockEdgeVoxels> first_;  // the pick's own layer
  std::array<Interval, kMaxBlockEdgeVoxels> reach_;
};

}  // namespace

absl::StatusOr<int64_t> BoxCountLowerBound(const VoxelBlock& block,
                                           const CancelToken& cancel) {
  int64_t bound = 0;
  const auto add_layer = [&](const ClassLayer& layer) -> absl::Status {
    KILN_ASSIGN_OR_RETURN(const int64_t count,
                          IndependentSet(layer.solid, cancel).Count());
    bound += count;
    return absl::OkStatus();
  };
  KILN_RETURN_IF_ERROR(internal::ForEachClassLayer(block, cancel, add_layer));
  return bound;
}

}  // namespace kiln::core
