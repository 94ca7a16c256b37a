#include "core/voxel/search/axis_orders.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/base/status_macros.h"
#include "core/voxel/bit_row.h"

namespace kiln::core::internal {
namespace {

// Boxes made between two looks at the cancel token: at most some 200 us.
constexpr int kBoxesPerPoll = 256;

// Swaps rows and columns of a 64 x 64 bit matrix (Warren, Hacker's Delight 2nd
// edition, 7-3).
void Transpose64(uint64_t* m) {
  uint64_t mask = 0x00000000ffffffffu;
  for (int j = 32; j != 0; j >>= 1, mask ^= mask << j) {
    for (int k = 0; k < 64; k = ((k | j) + 1) & ~j) {
      const uint64_t swapped = ((m[k] >> j) ^ m[k | j]) & mask;
      m[k] ^= swapped << j;
      m[k | j] ^= swapped;
    }
  }
}

// Transposes one plane: bit j of row i of `from` becomes bit i of row j of
// `to`. Rows are `stride` words apart.
void TransposePlane(const uint64_t* from, ptrdiff_t from_stride, int from_rows,
                    uint64_t* to, ptrdiff_t to_stride, int to_rows) {
  uint64_t m[64];
  for (int i0 = 0; i0 < from_rows; i0 += 64) {
    const int rows_in = std::min(64, from_rows - i0);
    for (int j0 = 0; j0 < to_rows; j0 += 64) {
      const int rows_out = std::min(64, to_rows - j0);
      for (int i = 0; i < 64; ++i) {
        m[i] = i < rows_in ? from[(i0 + i) * from_stride + j0 / 64] : 0;
      }
      Transpose64(m);
      for (int j = 0; j < rows_out; ++j) {
        to[(j0 + j) * to_stride + i0 / 64] = m[j];
      }
    }
  }
}

// Rows of a grid seen in some order of the two slower axes.
struct Rows {
  uint64_t* words;
  int words_per_row;
  int count_b;
  int count_c;
  ptrdiff_t stride_b;
  ptrdiff_t stride_c;

  uint64_t* At(int b, int c) const {
    return words + b * stride_b + c * stride_c;
  }
};

// Widens `run`, which starts at row (b0, c0), and clears the box it becomes.
// Returns the ends of the box along b and c.
std::pair<int, int> TakeBox(const Rows& rows, const BitRun& run, int b0,
                            int c0) {
  int b1 = b0 + 1;
  while (b1 < rows.count_b && run.IsSetIn(rows.At(b1, c0))) ++b1;
  const auto slab_is_solid = [&](int c) {
    for (int b = b0; b < b1; ++b) {
      if (!run.IsSetIn(rows.At(b, c))) return false;
    }
    return true;
  };
  int c1 = c0 + 1;
  while (c1 < rows.count_c && slab_is_solid(c1)) ++c1;
  for (int c = c0; c < c1; ++c) {
    for (int b = b0; b < b1; ++b) run.ClearIn(rows.At(b, c));
  }
  return {b1, c1};
}

}  // namespace

BitGrid SwapAxisWithX(const BitGrid& grid, int axis) {
  if (axis == 0) return grid;
  Vec3i size = grid.size();
  std::swap(size.x, size[axis]);
  BitGrid out(size);
  // Row indices step by 1 along y and by size.y along z.
  const auto row_stride = [axis](const BitGrid& g) {
    return ptrdiff_t{g.words_per_row()} * (axis == 1 ? 1 : g.size().y);
  };
  const int planes = axis == 1 ? size.z : size.y;
  for (int p = 0; p < planes; ++p) {
    const int y = axis == 1 ? 0 : p;
    const int z = axis == 1 ? p : 0;
    TransposePlane(grid.Row(y, z), row_stride(grid), grid.size()[axis],
                   out.Row(y, z), row_stride(out), size[axis]);
  }
  return out;
}

absl::Status AppendGreedyBoxes(const BitGrid& solid, const AxisOrder& order,
                               const CancelToken& cancel, BoxSet& boxes) {
  // After the swap, x holds axis a, and axis a's place holds x.
  BitGrid grid = SwapAxisWithX(solid, order[0]);
  const auto place = [&](int axis) { return axis == 0 ? order[0] : axis; };
  const ptrdiff_t stride_y = grid.words_per_row();
  const ptrdiff_t stride_z = stride_y * grid.size().y;
  const int b = place(order[1]);
  const int c = place(order[2]);
  const Rows rows{grid.words().data(),
                  grid.words_per_row(),
                  grid.size()[b],
                  grid.size()[c],
                  b == 1 ? stride_y : stride_z,
                  c == 1 ? stride_y : stride_z};
  int until_poll = kBoxesPerPoll;
  for (int c0 = 0; c0 < rows.count_c; ++c0) {
    KILN_RETURN_IF_ERROR(cancel.ToStatus());
    for (int b0 = 0; b0 < rows.count_b; ++b0) {
      uint64_t* row = rows.At(b0, c0);
      for (int w = 0; w < rows.words_per_row; ++w) {
        while (row[w] != 0) {
          const int x0 = w * 64 + std::countr_zero(row[w]);
          const int x1 = FirstClearBit(row, rows.words_per_row, x0);
          const BitRun run(x0, x1);
          const auto [b1, c1] = TakeBox(rows, run, b0, c0);
          Vec3i min;
          Vec3i max;
          min[order[0]] = x0;
          max[order[0]] = x1;
          min[order[1]] = b0;
          max[order[1]] = b1;
          min[order[2]] = c0;
          max[order[2]] = c1;
          boxes.emplace_back(min, max, 1);
          if (--until_poll == 0) {
            until_poll = kBoxesPerPoll;
            KILN_RETURN_IF_ERROR(cancel.ToStatus());
          }
        }
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<BoxSet> BestOfAxisOrders(const BitGrid& solid,
                                        const CancelToken& cancel) {
  BoxSet best;
  BoxSet boxes;
  for (int i = 0; i < kAxisOrderCount; ++i) {
    boxes.clear();
    KILN_RETURN_IF_ERROR(AppendGreedyBoxes(
        solid, kAxisOrders[static_cast<size_t>(i)], cancel, boxes));
    if (i == 0 || boxes.size() < best.size()) best.swap(boxes);
  }
  return best;
}

}  // namespace kiln::core::internal
