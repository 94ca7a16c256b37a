// tests/support/box_oracles.h
//
// What results of box methods are held against: brute force, one voxel at a
// time, with nothing in common with the code under test.

#ifndef KILN_TESTS_SUPPORT_BOX_ORACLES_H_
#define KILN_TESTS_SUPPORT_BOX_ORACLES_H_

#include <gtest/gtest.h>

#include <cstdint>

#include "core/voxel/box_set.h"
#include "core/voxel/exposure.h"
#include "core/voxel/voxel_block.h"
#include "core/voxel/voxel_view.h"

namespace kiln::tests {

// Whether the boxes lie inside the block, are in canonical order, and hold
// each solid voxel exactly once and nothing else, each box one class only.
testing::AssertionResult IsExactPartition(const core::VoxelBlock& block,
                                          const core::BoxSet& boxes);

// The same, but boxes of one class may overlap.
testing::AssertionResult IsExactCover(const core::VoxelBlock& block,
                                      const core::BoxSet& boxes);

// Whether identities grow strictly.
testing::AssertionResult IsCanonical(const core::BoxSet& boxes);

// The rule of box_partition.h by its definition: slices by z, then x, then y;
// the first free voxel grows along y, then x, then z.
core::BoxSet PartitionByVoxels(const core::VoxelBlock& block);

// The exposed faces of one box, cell by cell.
uint8_t ExposedFacesByVoxels(const core::VoxelBlock& block,
                             const core::Borders& borders,
                             core::ExposureRule rule, const core::Box& box);

// The yardstick "naive bit rows": rows of bits along x, grown along x, y, z,
// plain loops, no instruction set in mind. Bytes in, ordered boxes out.
// Requires: size.x <= 64.
void NaiveBitRowBoxes(const core::VoxelView<uint8_t>& voxels,
                      core::BoxSet& boxes);

}  // namespace kiln::tests

#endif  // KILN_TESTS_SUPPORT_BOX_ORACLES_H_
