#include "core/voxel/decode/axis_permute.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"

namespace kiln::core::internal {
namespace {

constexpr uint64_t LowBits(int64_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

// 64 bits of the stream from bit `at`. Reads the word after, hence the spare.
uint64_t LoadBits(const uint64_t* words, int64_t at) {
  const uint64_t* word = words + (at >> 6);
  const int shift = static_cast<int>(at & 63);
  return word[0] >> shift | word[1] << 1 << (63 - shift);
}

// Transposes the N x N bits in the low N bits of N words: bit c of word r
// becomes bit r of word c. Swaps ever smaller off-diagonal squares (Warren,
// Hacker's Delight, section 7-3).
template <int N>
void TransposeTile(uint64_t* words) {
  uint64_t mask = LowBits(N / 2);
  for (int half = N / 2; half != 0; half >>= 1, mask ^= mask << half) {
    for (int base = 0; base < N; base += 2 * half) {
      for (int k = base; k < base + half; ++k) {
        const uint64_t swap = (words[k] >> half ^ words[k + half]) & mask;
        words[k] ^= swap << half;
        words[k + half] ^= swap;
      }
    }
  }
}

void TransposeAtLeast(int edge, uint64_t* words) {
  if (edge <= 8) {
    TransposeTile<8>(words);
  } else if (edge <= 16) {
    TransposeTile<16>(words);
  } else if (edge <= 32) {
    TransposeTile<32>(words);
  } else {
    TransposeTile<64>(words);
  }
}

// x is the fastest axis: each row is a run of the stream.
void CopyRows(const uint64_t* bits, const std::array<int64_t, 3>& strides,
              BitGrid& grid) {
  const Vec3i& size = grid.size();
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      uint64_t* row = grid.Row(y, z);
      int64_t at = y * strides[1] + z * strides[2];
      for (int left = size.x; left > 0; left -= 64, at += 64) {
        *row++ = LoadBits(bits, at) & LowBits(left);
      }
    }
  }
}

// Another axis is the fastest: planes of that axis and x are transposed, one
// for each position along the third.
void TransposePlanes(const uint64_t* bits,
                     const std::array<int64_t, 3>& strides, BitGrid& grid) {
  const Vec3i& size = grid.size();
  const int fast = strides[1] == 1 ? 1 : 2;
  const int third = 3 - fast;
  const auto words_per_row = static_cast<size_t>(grid.words_per_row());
  const auto rows_y = static_cast<size_t>(size.y);
  const size_t row_step = words_per_row * (fast == 1 ? 1 : rows_y);
  const size_t plane_step = words_per_row * (fast == 1 ? rows_y : 1);
  uint64_t tile[64];
  for (int plane = 0; plane < size[third]; ++plane) {
    const int64_t plane_at = plane * strides[static_cast<size_t>(third)];
    uint64_t* plane_words =
        grid.words().data() + static_cast<size_t>(plane) * plane_step;
    for (int x0 = 0; x0 < size.x; x0 += 64) {
      const int width = std::min(64, size.x - x0);
      for (int f0 = 0; f0 < size[fast]; f0 += 64) {
        const int height = std::min(64, size[fast] - f0);
        const uint64_t mask = LowBits(height);
        int64_t at = plane_at + x0 * strides[0] + f0;
        for (int x = 0; x < width; ++x, at += strides[0]) {
          tile[x] = LoadBits(bits, at) & mask;
        }
        std::fill(tile + width, tile + 64, 0);
        TransposeAtLeast(std::max(width, height), tile);
        uint64_t* out =
            plane_words + static_cast<size_t>(f0) * row_step + (x0 >> 6);
        for (int f = 0; f < height; ++f, out += row_step) *out = tile[f];
      }
    }
  }
}

// The same for bytes: rows where x is the fastest axis, else planes in tiles
// that stay in the first cache.
std::vector<uint8_t> PermuteBytes(const std::vector<uint8_t>& bytes,
                                  const std::array<int64_t, 3>& strides,
                                  const Vec3i& size) {
  constexpr int kTile = 32;
  std::vector<uint8_t> result(bytes.size());
  const int64_t to[] = {1, size.x, int64_t{size.x} * size.y};
  const int fast = strides[2] == 1 ? 2 : 1;
  const int third = 3 - fast;
  const auto from_fast = strides[static_cast<size_t>(fast)];
  const auto from_third = strides[static_cast<size_t>(third)];
  const int tile = strides[0] == 1 ? size.x : kTile;
  for (int t = 0; t < size[third]; ++t) {
    const uint8_t* source = bytes.data() + t * from_third;
    uint8_t* target = result.data() + t * to[third];
    for (int x0 = 0; x0 < size.x; x0 += tile) {
      const int width = std::min(tile, size.x - x0);
      for (int f0 = 0; f0 < size[fast]; f0 += kTile) {
        const int f1 = std::min(size[fast], f0 + kTile);
        for (int f = f0; f < f1; ++f) {
          const uint8_t* in = source + f * from_fast + x0 * strides[0];
          uint8_t* out = target + f * to[fast] + x0;
          for (int x = 0; x < width; ++x) out[x] = in[x * strides[0]];
        }
      }
    }
  }
  return result;
}

}  // namespace

LinearVoxels::LinearVoxels(int64_t voxel_count, bool with_classes)
    : count(voxel_count),
      bits(static_cast<size_t>((voxel_count + 63) / 64 + 1)),
      classes(with_classes ? static_cast<size_t>(voxel_count) : 0) {}

void LinearVoxels::Fill(int64_t first, int64_t length, uint8_t cls) {
  KILN_DCHECK(first >= 0 && length >= 0 && first + length <= count);
  if (cls == 0 || length == 0) return;
  const int64_t last = first + length - 1;
  uint64_t* const first_word = bits.data() + (first >> 6);
  uint64_t* const last_word = bits.data() + (last >> 6);
  const uint64_t from_first = ~uint64_t{0} << (first & 63);
  const uint64_t to_last = LowBits((last & 63) + 1);
  if (first_word == last_word) {
    *first_word |= from_first & to_last;
  } else {
    *first_word |= from_first;
    std::fill(first_word + 1, last_word, ~uint64_t{0});
    *last_word |= to_last;
  }
  if (!classes.empty()) {
    std::memset(classes.data() + first, cls, static_cast<size_t>(length));
  }
}

std::array<int64_t, 3> StridesOf(AxisOrder order, const Vec3i& size) {
  // Axes by speed, for each order.
  constexpr int kAxes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                               {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  std::array<int64_t, 3> strides{};
  int64_t stride = 1;
  for (const int axis : kAxes[static_cast<size_t>(order)]) {
    strides[static_cast<size_t>(axis)] = stride;
    stride *= size[axis];
  }
  return strides;
}

std::string VoxelName(int64_t index, AxisOrder order, const Vec3i& size) {
  const auto strides = StridesOf(order, size);
  int64_t at[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    at[axis] = index / strides[axis] % size[static_cast<int>(axis)];
  }
  return absl::StrCat("voxel (", at[0], ", ", at[1], ", ", at[2], ")");
}

VoxelBlock ToBlock(LinearVoxels voxels, AxisOrder order, const Vec3i& size) {
  KILN_DCHECK(voxels.count == Volume(size));
  VoxelBlock block;
  block.occupancy.Reset(size);
  const auto strides = StridesOf(order, size);
  if (order == AxisOrder::kXyz || order == AxisOrder::kXzy) {
    CopyRows(voxels.bits.data(), strides, block.occupancy);
  } else {
    TransposePlanes(voxels.bits.data(), strides, block.occupancy);
  }
  if (order == AxisOrder::kXyz) {
    block.classes = std::move(voxels.classes);
  } else if (!voxels.classes.empty()) {
    block.classes = PermuteBytes(voxels.classes, strides, size);
  }
  return block;
}

}  // namespace kiln::core::internal
