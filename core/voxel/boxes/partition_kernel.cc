#include "core/voxel/boxes/partition_kernel.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/base/limits.h"
#include "core/voxel/bit_row.h"

namespace kiln::core::internal {
namespace {

// Scratch above this many bytes is given back after a bake, so that one huge
// block does not weigh on a thread for ever: room for 256 x 256 x 256 bits.
constexpr size_t kMaxKeptScratchBytes = size_t{2} << 20;

// A block as columns of bits along y: bit y of column (x, z).
class ColumnGrid {
 public:
  void Reset(const Vec3i& size, bool by_class) {
    size_ = size;
    words_ = (size.y + 63) / 64;
    by_class_ = by_class;
    const size_t total = static_cast<size_t>(size.x) *
                         static_cast<size_t>(size.z) *
                         static_cast<size_t>(words_);
    free_.assign(total, 0);
    for (auto& joined : joined_) joined.assign(by_class ? total : 0, 0);
  }

  void ReleaseExcess() {
    if (free_.capacity() * sizeof(uint64_t) > kMaxKeptScratchBytes) free_ = {};
    for (auto& joined : joined_) {
      if (joined.capacity() * sizeof(uint64_t) > kMaxKeptScratchBytes) {
        joined = {};
      }
    }
  }

  const Vec3i& size() const { return size_; }
  int words() const { return words_; }

  // Voxels that are in no box yet.
  uint64_t* Free(int x, int z) { return free_.data() + Offset(x, z); }
  // Voxels of the same class as their neighbour one below on `axis`. Only where
  // the grid is by class; air is of class 0.
  uint64_t* Joined(int axis, int x, int z) {
    return joined_[static_cast<size_t>(axis)].data() + Offset(x, z);
  }

  // Whether a box below on `axis` may take voxels `run` of column (x, z).
  bool CanTake(int axis, int x, int z, const BitRun& run) {
    return run.IsSetIn(Free(x, z)) &&
           (!by_class_ || run.IsSetIn(Joined(axis, x, z)));
  }

  // The end of the run of free voxels of one class that starts at y0.
  int RunEnd(int x, int z, int y0) {
    const int end = std::min(FirstClearBit(Free(x, z), words_, y0), size_.y);
    if (!by_class_ || y0 + 1 == end) return end;
    return std::min(end, FirstClearBit(Joined(1, x, z), words_, y0 + 1));
  }

 private:
  size_t Offset(int x, int z) const {
    return (static_cast<size_t>(z) * static_cast<size_t>(size_.x) +
            static_cast<size_t>(x)) *
           static_cast<size_t>(words_);
  }

  Vec3i size_;
  int words_ = 0;
  bool by_class_ = false;
  std::vector<uint64_t> free_;
  std::array<std::vector<uint64_t>, 3> joined_;
};

// Transposes 64 x 64 bits: bit j of rows[i] becomes bit i of rows[j]. Swaps
// ever smaller off-diagonal quarters (Warren, Hacker's Delight, 7-3).
void Transpose64(uint64_t rows[64]) {
  uint64_t mask = 0x00000000ffffffffu;
  for (int half = 32; half != 0; half /= 2, mask ^= mask << half) {
    for (int i = 0; i < 64; i = (i + half + 1) & ~half) {
      const uint64_t swap = ((rows[i] >> half) ^ rows[i + half]) & mask;
      rows[i] ^= swap << half;
      rows[i + half] ^= swap;
    }
  }
}

// Rows along x become columns along y, 64 x 64 bits at a time.
void LoadBits(const BitGrid& bits, int z, ColumnGrid& grid) {
  const Vec3i& size = bits.size();
  uint64_t tile[64];
  for (int y0 = 0; y0 < size.y; y0 += 64) {
    for (int x0 = 0; x0 < size.x; x0 += 64) {
      const int height = std::min(64, size.y - y0);
      for (int i = 0; i < 64; ++i) {
        tile[i] = i < height ? bits.Row(y0 + i, z)[x0 >> 6] : 0;
      }
      Transpose64(tile);
      const int width = std::min(64, size.x - x0);
      for (int i = 0; i < width; ++i) {
        grid.Free(x0 + i, z)[y0 >> 6] = tile[i];
      }
    }
  }
}

// Sets bit y % 64 of `out[x * words]` where is_set(x), for a row of voxels.
template <typename IsSet>
void LoadRow(int width, int y, int words, uint64_t* out, IsSet is_set) {
  const int shift = y & 63;
  if (words == 1) {  // the loop that compilers turn into vectors
    for (int x = 0; x < width; ++x) out[x] |= uint64_t{is_set(x)} << shift;
  } else {
    for (int x = 0; x < width; ++x, out += words) {
      *out |= uint64_t{is_set(x)} << shift;
    }
  }
}

void LoadBytes(const VoxelView<uint8_t>& bytes, int z, ColumnGrid& grid) {
  const ptrdiff_t step = bytes.stride_x;
  for (int y = 0; y < grid.size().y; ++y) {
    const uint8_t* row = bytes.Address(0, y, z);
    uint64_t* out = grid.Free(0, z) + (y >> 6);
    if (step == 1) {
      LoadRow(grid.size().x, y, grid.words(), out,
              [row](int x) { return row[x] != 0; });
    } else {
      LoadRow(grid.size().x, y, grid.words(), out,
              [row, step](int x) { return row[x * step] != 0; });
    }
  }
}

// A voxel of the block's lower border has no neighbour below; it stands in for
// it, and the bit is never looked at.
void LoadJoins(const VoxelView<uint8_t>& classes, int z, ColumnGrid& grid) {
  const ptrdiff_t step = classes.stride_x;
  for (int y = 0; y < grid.size().y; ++y) {
    const uint8_t* row = classes.Address(0, y, z);
    const uint8_t* below[3] = {row, y > 0 ? row - classes.stride_y : row,
                               z > 0 ? row - classes.stride_z : row};
    for (int axis = 0; axis < 3; ++axis) {
      const uint8_t* other = below[axis];
      const ptrdiff_t back = axis == 0 ? step : 0;
      LoadRow(grid.size().x, y, grid.words(),
              grid.Joined(axis, 0, z) + (y >> 6), [=](int x) {
                return row[x * step] == other[x * step - (x > 0 ? back : 0)];
              });
    }
  }
}

// Grows the box that starts at `min` and takes its voxels off the grid.
Vec3i TakeBox(ColumnGrid& grid, const Vec3i& min) {
  Vec3i max{min.x + 1, grid.RunEnd(min.x, min.z, min.y), min.z + 1};
  const BitRun run(min.y, max.y);
  while (max.x < grid.size().x && grid.CanTake(0, max.x, min.z, run)) ++max.x;

  const auto take_layer = [&](int z) {
    for (int x = min.x; x < max.x; ++x) run.ClearIn(grid.Free(x, z));
  };
  const auto can_take_layer = [&](int z) {
    for (int x = min.x; x < max.x; ++x) {
      if (!grid.CanTake(2, x, z, run)) return false;
    }
    return true;
  };
  take_layer(min.z);
  for (; max.z < grid.size().z && can_take_layer(max.z); ++max.z) {
    take_layer(max.z);
  }
  return max;
}

}  // namespace

void AppendByY(std::span<const Box> slice, int height, BoxSet& boxes) {
  // Few are sorted by insertion, many by counting.
  constexpr size_t kFew = 12;
  const size_t first = boxes.size();
  boxes.resize(first + slice.size());
  Box* const out = boxes.data() + first;
  if (slice.size() <= kFew) {
    for (size_t i = 0; i < slice.size(); ++i) {
      size_t place = i;
      for (; place > 0 && slice[i] < out[place - 1]; --place) {
        out[place] = out[place - 1];
      }
      out[place] = slice[i];
    }
    return;
  }
  uint32_t next[kMaxBlockEdgeVoxels + 1];  // [y]: place of its next box
  std::fill(next, next + height + 1, 0);
  for (const Box& box : slice) ++next[box.min().y + 1];
  for (int y = 1; y < height; ++y) next[y] += next[y - 1];
  for (const Box& box : slice) out[next[box.min().y]++] = box;
}

bool PartitionPlain(const PartitionSource& source, const CancelToken& cancel,
                    BoxSet& boxes) {
  thread_local ColumnGrid grid;
  thread_local BoxSet slice;
  const Vec3i size = source.size();
  grid.Reset(size, source.by_class);
  CancelPoll poll(cancel);
  for (int z = 0; z < size.z && !poll.stopped(); ++z) {
    if (poll.ShouldStopAfter(int64_t{size.x} * size.y)) break;
    if (source.bits) {
      LoadBits(*source.bits, z, grid);
    } else {
      LoadBytes(source.bytes, z, grid);
      if (source.by_class) LoadJoins(source.bytes, z, grid);
    }
  }

  for (int z = 0; z < size.z && !poll.stopped(); ++z) {
    slice.clear();
    for (int x = 0; x < size.x; ++x) {
      const uint64_t* column = grid.Free(x, z);
      Vec3i max;
      for (int y = FirstSetBit(column, grid.words(), 0); y < size.y;
           y = FirstSetBit(column, grid.words(), max.y)) {
        max = TakeBox(grid, {x, y, z});
        slice.emplace_back(Vec3i{x, y, z}, max, source.ClassAt(x, y, z));
        // A small box takes about 50 ns.
        if (poll.ShouldStopAfter(50 + (max.x - x) * (max.z - z))) break;
      }
      if (poll.ShouldStopAfter(1)) break;
    }
    AppendByY(slice, size.y, boxes);
  }
  grid.ReleaseExcess();
  return !poll.stopped();
}

}  // namespace kiln::core::internal
