#include "core/voxel/voxel_block.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/base/limits.h"

namespace kiln::core {

void VoxelBlock::Normalize() {
  const bool one_class =
      std::all_of(classes.begin(), classes.end(),
                  [](uint8_t c) { return c == 0 || c == kDefaultClass; });
  if (one_class) classes.clear();
}

Hash128 ContentHash(const VoxelBlock& block) {
  Hasher hasher;
  for (int axis = 0; axis < 3; ++axis) {
    hasher.AddU32(static_cast<uint32_t>(block.size()[axis]));
  }
  hasher.AddWords(block.occupancy.words());
  // The size fixes how many words there are, so nothing is ambiguous here.
  hasher.AddBytes(block.classes);
  return hasher.Finish();
}

std::vector<uint8_t> ClassesOf(const VoxelBlock& block) {
  if (block.classes.empty()) {
    if (block.occupancy.CountSolid() == 0) return {};
    return {kDefaultClass};
  }
  std::array<bool, kMaxClass + 1> seen{};
  for (const uint8_t c : block.classes) seen[c] = true;
  std::vector<uint8_t> present;
  for (int c = 1; c <= kMaxClass; ++c) {
    if (seen[static_cast<size_t>(c)]) {
      present.push_back(static_cast<uint8_t>(c));
    }
  }
  return present;
}

BitGrid OccupancyOfClass(const VoxelBlock& block, int cls) {
  KILN_DCHECK(cls >= 1 && cls <= kMaxClass);
  if (block.classes.empty()) {
    return cls == kDefaultClass ? block.occupancy : BitGrid(block.size());
  }
  BitGrid grid(block.size());
  const uint8_t* voxel = block.classes.data();
  for (int z = 0; z < block.size().z; ++z) {
    for (int y = 0; y < block.size().y; ++y) {
      uint64_t* row = grid.Row(y, z);
      for (int x = 0; x < block.size().x; ++x) {
        row[x >> 6] |= uint64_t{*voxel++ == cls} << (x & 63);
      }
    }
  }
  return grid;
}

}  // namespace kiln::core
