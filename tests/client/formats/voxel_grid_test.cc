#include "client/formats/voxel_grid.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <vector>

#include "core/base/random.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using core::Vec3i;
using tests::StatusIs;

constexpr absl::StatusCode kBad = absl::StatusCode::kInvalidArgument;

TEST(VoxelGrid, EmptyGridHoldsNothing) {
  const VoxelGrid grid;
  EXPECT_EQ(grid.solid_voxels(), 0);
  EXPECT_EQ(grid.At({0, 0, 0}), 0);
  EXPECT_EQ(grid.min(), grid.max());
  EXPECT_TRUE(grid.BrickOrigins().empty());
}

TEST(VoxelGrid, LastMaterialOfAVoxelWins) {
  VoxelGrid grid;
  KILN_ASSERT_OK(grid.Set({-1, 0, 5}, 3));
  KILN_ASSERT_OK(grid.Set({-1, 0, 5}, 7));
  EXPECT_EQ(grid.At({-1, 0, 5}), 7);
  EXPECT_EQ(grid.solid_voxels(), 1);
}

TEST(VoxelGrid, CoordinatesAreChecked) {
  VoxelGrid grid;
  constexpr int kMost = kMaxCoordinate;
  KILN_ASSERT_OK(grid.Set({kMost - 1, -kMost, kMost - 1}, 1));
  EXPECT_THAT(grid.Set({kMost, 0, 0}, 1), StatusIs(kBad));
  EXPECT_THAT(grid.Set({0, -kMost - 1, 0}, 1), StatusIs(kBad));
  EXPECT_EQ(grid.At({kMost - 1, -kMost, kMost - 1}), 1);
  EXPECT_EQ(grid.At({2147483647, -2147483647, 0}), 0);
}

TEST(VoxelGrid, BricksAreLimited) {
  VoxelGrid grid(/*max_bricks=*/2);
  KILN_ASSERT_OK(grid.Set({0, 0, 0}, 1));
  KILN_ASSERT_OK(grid.Set({16, 0, 0}, 1));
  EXPECT_THAT(grid.Set({32, 0, 0}, 1), StatusIs(kBad));
  EXPECT_THAT(grid.Set({15, 15, 15}, 1), tests::IsOk());
}

TEST(VoxelGrid, CopyMatchesVoxelByVoxel) {
  core::Random random(7);
  VoxelGrid grid;
  std::map<std::tuple<int, int, int>, uint8_t> expected;
  const auto coordinate = [&] {
    return static_cast<int>(random.Below(60)) - 30;
  };
  for (int i = 0; i < 3000; ++i) {
    const Vec3i at = {coordinate(), coordinate(), coordinate()};
    const auto material = static_cast<uint8_t>(1 + random.Below(255));
    KILN_ASSERT_OK(grid.Set(at, material));
    expected[{at.x, at.y, at.z}] = material;
  }
  EXPECT_EQ(grid.solid_voxels(), static_cast<int64_t>(expected.size()));
  const Vec3i min = {-35, -9, -33};
  const Vec3i size = {70, 33, 61};
  std::vector<uint8_t> cells(static_cast<size_t>(core::Volume(size)), 0xee);
  grid.CopyBox(min, size, cells.data());
  size_t i = 0;
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x, ++i) {
        const auto found = expected.find({min.x + x, min.y + y, min.z + z});
        ASSERT_EQ(cells[i], found == expected.end() ? 0 : found->second);
      }
    }
  }
}

TEST(VoxelGrid, BoundsAndBricksAreInOrder) {
  VoxelGrid grid;
  KILN_ASSERT_OK(grid.Set({40, -3, 2}, 1));
  KILN_ASSERT_OK(grid.Set({-20, 5, 2}, 1));
  KILN_ASSERT_OK(grid.Set({40, 5, -9}, 1));
  EXPECT_EQ(grid.min(), (Vec3i{-20, -3, -9}));
  EXPECT_EQ(grid.max(), (Vec3i{41, 6, 3}));
  EXPECT_EQ(grid.BrickOrigins(),
            (std::vector<Vec3i>{{32, 0, -16}, {32, -16, 0}, {-32, 0, 0}}));
}

}  // namespace
}  // namespace kiln::client
