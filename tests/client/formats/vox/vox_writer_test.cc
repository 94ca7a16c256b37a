#include "client/formats/vox/vox_writer.h"

#include <gtest/gtest.h>

#include <vector>

#include "client/formats/vox/vox_reader.h"
#include "client/formats/vox/vox_scene.h"
#include "core/base/random.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using core::Vec3i;

VoxelGrid RandomGrid(const Vec3i& min, const Vec3i& size, int voxels) {
  core::Random random(11);
  VoxelGrid grid;
  for (int i = 0; i < voxels; ++i) {
    Vec3i at = min;
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] +=
          static_cast<int>(random.Below(static_cast<uint32_t>(size[axis])));
    }
    EXPECT_TRUE(grid.Set(at, static_cast<uint8_t>(1 + random.Below(255))).ok());
  }
  return grid;
}

TEST(VoxWriter, ReaderGivesTheSameGrid) {
  Palette palette{};
  palette[1] = {1, 2, 3};
  palette[255] = {250, 251, 252};
  for (const auto& [min, size] :
       {std::pair{Vec3i{0, 0, 0}, Vec3i{1, 1, 1}},
        {Vec3i{-7, 3, -1}, Vec3i{5, 4, 3}},
        {Vec3i{-300, -20, 100}, Vec3i{700, 33, 520}}}) {
    const VoxelGrid grid = RandomGrid(min, size, 2000);
    KILN_ASSERT_OK_AND_ASSIGN(const auto bytes, WriteVox(grid, palette));
    KILN_ASSERT_OK_AND_ASSIGN(const VoxFile file, ReadVox(bytes));
    EXPECT_EQ(file.palette, palette);
    KILN_ASSERT_OK_AND_ASSIGN(const auto instances, PlaceModels(file));
    VoxelGrid again;
    KILN_ASSERT_OK(AddToGrid(file, instances, {}, again));
    ASSERT_EQ(again.min(), grid.min());
    ASSERT_EQ(again.max(), grid.max());
    EXPECT_EQ(again.solid_voxels(), grid.solid_voxels());
    const Vec3i extent = grid.max() - grid.min();
    std::vector<uint8_t> expected(static_cast<size_t>(core::Volume(extent)));
    std::vector<uint8_t> actual(expected.size());
    grid.CopyBox(grid.min(), extent, expected.data());
    again.CopyBox(grid.min(), extent, actual.data());
    EXPECT_EQ(actual, expected);
  }
}

TEST(VoxWriter, EmptyGridIsAValidFile) {
  KILN_ASSERT_OK_AND_ASSIGN(const auto bytes, WriteVox(VoxelGrid(), {}));
  KILN_ASSERT_OK_AND_ASSIGN(const VoxFile file, ReadVox(bytes));
  KILN_ASSERT_OK_AND_ASSIGN(const auto instances, PlaceModels(file));
  EXPECT_TRUE(instances.empty());
}

}  // namespace
}  // namespace kiln::client
