// tests/support/random_blocks.h
//
// Blocks for tests: written out by hand or drawn from a seed. The same seed
// gives the same block on any machine (std distributions do not promise that).

#ifndef KILN_TESTS_SUPPORT_RANDOM_BLOCKS_H_
#define KILN_TESTS_SUPPORT_RANDOM_BLOCKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/geometry/vec3.h"
#include "core/voxel/box_set.h"
#include "core/voxel/exposure.h"
#include "core/voxel/voxel_block.h"

namespace kiln::tests {

// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next();
  // Uniform in [low, high]. Requires: low <= high.
  int Uniform(int low, int high);
  // In [0, 1).
  double Fraction();

 private:
  uint64_t state_;
};

// A normalized block of these classes, x fastest, then y, then z; 0 is air.
// Requires: as many classes as the size has voxels.
core::VoxelBlock BlockOfClasses(const core::Vec3i& size,
                                std::vector<uint8_t> classes);

// A block with these solid voxels.
core::VoxelBlock BlockOfVoxels(const core::Vec3i& size,
                               const std::vector<core::Vec3i>& voxels);

// A block with these boxes; the last one wins where they overlap.
core::VoxelBlock BlockOfBoxes(const core::Vec3i& size,
                              const core::BoxSet& boxes);

core::VoxelBlock FullBlock(const core::Vec3i& size);

// Each voxel is solid with probability `density`, its class 1..class_count.
// Requires: 1 <= class_count <= 255.
core::VoxelBlock NoiseBlock(const core::Vec3i& size, double density,
                            int class_count, uint64_t seed);

// A few overlapping boxes of random classes with some voxels taken out again:
// closer to what people build than noise is.
core::VoxelBlock BuildingBlock(const core::Vec3i& size, int class_count,
                               uint64_t seed);

// Noise of `density` in even rounds and a building in odd ones, of 1..max_size
// voxels an axis and 1..max_classes classes.
core::VoxelBlock MixedBlock(int round, const core::Vec3i& max_size,
                            int max_classes, double density, Random& random);

// The dense classes of a block, 0 for air.
std::vector<uint8_t> ClassBytes(const core::VoxelBlock& block);

// Random planes beyond a block of this size; about one in three is UNKNOWN.
core::Borders RandomBorders(const core::Vec3i& block_size, int class_count,
                            uint64_t seed);

// Names a block in a failure message: size, solid voxels, classes.
std::string Describe(const core::VoxelBlock& block);

}  // namespace kiln::tests

#endif  // KILN_TESTS_SUPPORT_RANDOM_BLOCKS_H_
