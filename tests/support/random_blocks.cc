#include "tests/support/random_blocks.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"

namespace kiln::tests {

using core::BorderPlane;
using core::Box;
using core::BoxSet;
using core::Vec3i;
using core::VoxelBlock;

uint64_t Random::Next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int Random::Uniform(int low, int high) {
  KILN_CHECK(low <= high);
  const uint64_t count =
      static_cast<uint64_t>(int64_t{high} - int64_t{low} + 1);
  return static_cast<int>(low + static_cast<int64_t>(Next() % count));
}

double Random::Fraction() {
  return static_cast<double>(Next() >> 11) * 0x1p-53;
}

VoxelBlock BlockOfClasses(const Vec3i& size, std::vector<uint8_t> classes) {
  KILN_CHECK(static_cast<int64_t>(classes.size()) == core::Volume(size));
  VoxelBlock block;
  block.occupancy.Reset(size);
  block.classes = std::move(classes);
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        if (block.classes[block.Index(x, y, z)] != 0) {
          block.occupancy.Set(x, y, z);
        }
      }
    }
  }
  block.Normalize();
  return block;
}

VoxelBlock BlockOfVoxels(const Vec3i& size, const std::vector<Vec3i>& voxels) {
  VoxelBlock block;
  block.occupancy.Reset(size);
  for (const Vec3i& voxel : voxels) {
    block.occupancy.Set(voxel.x, voxel.y, voxel.z);
  }
  return block;
}

VoxelBlock BlockOfBoxes(const Vec3i& size, const BoxSet& boxes) {
  std::vector<uint8_t> classes(static_cast<size_t>(core::Volume(size)));
  for (const Box& box : boxes) {
    for (int z = box.min().z; z < box.max().z; ++z) {
      for (int y = box.min().y; y < box.max().y; ++y) {
        const auto row = classes.begin() + ptrdiff_t{size.x} * (y + size.y * z);
        std::fill(row + box.min().x, row + box.max().x,
                  static_cast<uint8_t>(box.cls()));
      }
    }
  }
  return BlockOfClasses(size, std::move(classes));
}

VoxelBlock FullBlock(const Vec3i& size) {
  return BlockOfBoxes(size, {Box({0, 0, 0}, size, 1)});
}

VoxelBlock NoiseBlock(const Vec3i& size, double density, int class_count,
                      uint64_t seed) {
  Random random(seed);
  std::vector<uint8_t> classes(static_cast<size_t>(core::Volume(size)));
  for (uint8_t& cls : classes) {
    const bool solid = random.Fraction() < density;
    const int drawn = random.Uniform(1, class_count);
    cls = solid ? static_cast<uint8_t>(drawn) : 0;
  }
  return BlockOfClasses(size, std::move(classes));
}

VoxelBlock BuildingBlock(const Vec3i& size, int class_count, uint64_t seed) {
  Random random(seed);
  BoxSet boxes;
  const int box_count = random.Uniform(3, 24);
  for (int i = 0; i < box_count; ++i) {
    Vec3i min, max;
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = random.Uniform(0, size[axis] - 1);
      max[axis] = random.Uniform(min[axis] + 1, size[axis]);
    }
    boxes.emplace_back(min, max, random.Uniform(1, class_count));
  }
  std::vector<uint8_t> classes = ClassBytes(BlockOfBoxes(size, boxes));
  const int holes = random.Uniform(0, 12);
  for (int i = 0; i < holes; ++i) {
    classes[random.Next() % classes.size()] = 0;
  }
  return BlockOfClasses(size, std::move(classes));
}

std::vector<uint8_t> ClassBytes(const VoxelBlock& block) {
  std::vector<uint8_t> classes;
  const Vec3i& size = block.size();
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        classes.push_back(static_cast<uint8_t>(block.ClassAt(x, y, z)));
      }
    }
  }
  return classes;
}

core::Borders RandomBorders(const Vec3i& block_size, int class_count,
                            uint64_t seed) {
  Random random(seed);
  core::Borders borders;
  for (int i = 0; i < core::kFaceCount; ++i) {
    if (random.Uniform(0, 2) == 0) continue;
    const core::Face face = static_cast<core::Face>(i);
    const VoxelBlock neighbour =
        NoiseBlock(block_size, 0.9, class_count, random.Next());
    borders.planes[static_cast<size_t>(i)] =
        core::PlaneOfNeighbour(neighbour, face);
  }
  return borders;
}

std::string Describe(const VoxelBlock& block) {
  return absl::StrCat("block ", block.size().x, "x", block.size().y, "x",
                      block.size().z, ", ", block.occupancy.CountSolid(),
                      " solid, ", core::ClassesOf(block).size(), " classes");
}

core::VoxelBlock MixedBlock(int round, const core::Vec3i& max_size,
                            int max_classes, double density, Random& random) {
  const core::Vec3i size{random.Uniform(1, max_size.x),
                         random.Uniform(1, max_size.y),
                         random.Uniform(1, max_size.z)};
  const int class_count = random.Uniform(1, max_classes);
  return round % 2 == 0 ? NoiseBlock(size, density, class_count, random.Next())
                        : BuildingBlock(size, class_count, random.Next());
}

}  // namespace kiln::tests
