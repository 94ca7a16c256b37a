#include "core/voxel/search/cell_weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

namespace kiln::core::internal {
namespace {

constexpr int kMaxPivots = 2000;
constexpr int64_t kWorkPerPivot = 10000;  // for the poll, in ns
constexpr double kTolerance = 1e-9;

std::vector<uint64_t> AllBoxes(const MaskGrid& grid, uint64_t solid) {
  std::vector<uint64_t> boxes;
  for (uint64_t rest = solid; rest != 0; rest &= rest - 1) {
    grid.ForEachBoxFrom(rest & (~rest + 1), solid,
                        [&](uint64_t box) { boxes.push_back(box); });
  }
  return boxes;
}

template <typename Values>
auto SumOver(const Values& values, uint64_t cells) {
  auto sum = values[0] * 0;
  for (; cells != 0; cells &= cells - 1) {
    sum += values[static_cast<size_t>(std::countr_zero(cells))];
  }
  return sum;
}

// The primal simplex method with a dense inverse of the basis, which starts as
// the unit boxes. The right-hand sides are 1 and a little, a different little
// for each cell: the program is degenerate through and through otherwise.
class Simplex {
 public:
  Simplex(const std::vector<uint64_t>& boxes, uint64_t solid) : boxes_(boxes) {
    for (uint64_t rest = solid; rest != 0; rest &= rest - 1) {
      cells_.push_back(std::countr_zero(rest));
    }
    n_ = cells_.size();
    inverse_.assign(n_ * n_, 0.0);
    for (size_t i = 0; i < n_; ++i) {
      inverse_[i * n_ + i] = 1.0;
      amounts_.push_back(1.0 + 1e-5 * (1.0 + static_cast<double>(i * 37 % 64)));
      row_of_cell_[static_cast<size_t>(cells_[i])] = i;
    }
  }

  // The dual values: one weight for each cell.
  std::array<double, kMaxMaskCells> Solve(CancelPoll& poll) {
    std::array<double, kMaxMaskCells> duals{};
    for (const int cell : cells_) duals[static_cast<size_t>(cell)] = 1.0;
    for (int pivot = 0; pivot < kMaxPivots; ++pivot) {
      double heaviest = 1.0 + kTolerance;
      uint64_t entering = 0;
      for (const uint64_t box : boxes_) {
        const double weight = SumOver(duals, box);
        if (weight <= heaviest) continue;
        heaviest = weight;
        entering = box;
      }
      if (entering == 0 || poll.ShouldStopAfter(kWorkPerPivot)) break;
      const size_t row = Pivot(entering);
      if (row == n_) break;
      for (size_t c = 0; c < n_; ++c) {
        duals[static_cast<size_t>(cells_[c])] +=
            (1.0 - heaviest) * inverse_[row * n_ + c];
      }
    }
    return duals;
  }

 private:
  // The row that `entering` took, or n_ if none can be.
  size_t Pivot(uint64_t entering) {
    std::vector<double> direction(n_, 0.0);
    for (uint64_t rest = entering; rest != 0; rest &= rest - 1) {
      const size_t c =
          row_of_cell_[static_cast<size_t>(std::countr_zero(rest))];
      for (size_t r = 0; r < n_; ++r) direction[r] += inverse_[r * n_ + c];
    }
    size_t leaving = n_;
    for (size_t r = 0; r < n_; ++r) {
      if (direction[r] <= kTolerance) continue;
      if (leaving == n_ ||
          amounts_[r] * direction[leaving] < amounts_[leaving] * direction[r]) {
        leaving = r;
      }
    }
    if (leaving == n_) return n_;
    const double scale = 1.0 / direction[leaving];
    double* pivot_row = &inverse_[leaving * n_];
    for (size_t c = 0; c < n_; ++c) pivot_row[c] *= scale;
    amounts_[leaving] *= scale;
    for (size_t r = 0; r < n_; ++r) {
      const double factor = direction[r];
      if (r == leaving || factor == 0.0) continue;
      double* row = &inverse_[r * n_];
      for (size_t c = 0; c < n_; ++c) row[c] -= factor * pivot_row[c];
      amounts_[r] -= factor * amounts_[leaving];
    }
    return leaving;
  }

  const std::vector<uint64_t>& boxes_;
  std::vector<int> cells_;
  std::array<size_t, kMaxMaskCells> row_of_cell_{};
  size_t n_ = 0;
  std::vector<double> inverse_;  // row-major; a row is a box of the basis
  std::vector<double> amounts_;  // how much of each box of the basis is taken
};

}  // namespace

CellWeights HeaviestWeights(const MaskGrid& grid, uint64_t solid,
                            CancelPoll& poll) {
  CellWeights weights{};
  if (solid == 0) return weights;
  const std::vector<uint64_t> boxes = AllBoxes(grid, solid);
  const std::array<double, kMaxMaskCells> duals =
      Simplex(boxes, solid).Solve(poll);
  for (size_t i = 0; i < weights.size(); ++i) {
    // Duals are small fractions as a rule; the clamp only guards the cast.
    const double dual = std::clamp(duals[i], -1e6, 1e6);
    weights[i] =
        static_cast<int64_t>(std::floor(dual * double{kUnitWeight - 64}));
  }
  int64_t heaviest = kUnitWeight;
  for (const uint64_t box : boxes) {
    heaviest = std::max(heaviest, SumOver(weights, box));
  }
  if (heaviest > kUnitWeight) {
    // Not solved to the end: what is left is still a bound, only weaker.
    for (int64_t& weight : weights) {
      const double scaled = static_cast<double>(weight) *
                            static_cast<double>(kUnitWeight - 64) /
                            static_cast<double>(heaviest);
      weight = static_cast<int64_t>(std::floor(scaled));
    }
  }
  return weights;
}

}  // namespace kiln::core::internal
