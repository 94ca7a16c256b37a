#include "core/voxel/sample/sample_grids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace kiln::core {
namespace {

int64_t SolidCount(absl::string_view name, int edge) {
  const SampleGrid grid = *MakeSampleGrid(name, edge);
  return std::count(grid.voxels.begin(), grid.voxels.end(), 1);
}

// The counts that published box counts belong to.
TEST(SampleGrids, SolidCountsAreThePublishedOnes) {
  const std::pair<const char*, std::vector<int64_t>> published[] = {
      {"hills", {1712, 15666, 130579}},
      {"caves", {1645, 15343, 155447}},
      {"ball", {1904, 15192, 121440}}};
  for (const auto& [name, counts] : published) {
    EXPECT_EQ(SolidCount(name, 16), counts[0]) << name;
    EXPECT_EQ(SolidCount(name, 32), counts[1]) << name;
    EXPECT_EQ(SolidCount(name, 64), counts[2]) << name;
  }
}

TEST(SampleGrids, FlatFillsTheLowerHalf) {
  EXPECT_EQ(SolidCount("flat", 8), 8 * 8 * 4);
  EXPECT_EQ(SolidCount("flat", 5), 5 * 5 * 3);  // the odd layer is solid
}

TEST(SampleGrids, EveryNameIsKnownAndNoOther) {
  for (const absl::string_view name : kSampleGridNames) {
    const auto grid = MakeSampleGrid(name, 4);
    ASSERT_TRUE(grid) << name;
    EXPECT_EQ(grid->name, name);
    EXPECT_EQ(grid->voxels.size(), 64u);
  }
  EXPECT_FALSE(MakeSampleGrid("hill", 4));
}

}  // namespace
}  // namespace kiln::core
