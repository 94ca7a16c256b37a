#include "client/formats/grid_blocks.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <vector>

#include "core/base/random.h"
#include "core/voxel/decode/block_decoder.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using core::Vec3i;
using testing::HasSubstr;
using tests::StatusIs;

constexpr absl::StatusCode kBad = absl::StatusCode::kInvalidArgument;

VoxelGrid RandomGrid(int extent, int voxels, uint64_t seed) {
  core::Random random(seed);
  VoxelGrid grid;
  const auto coordinate = [&] {
    return static_cast<int>(random.Below(static_cast<uint32_t>(extent))) -
           extent / 2;
  };
  for (int i = 0; i < voxels; ++i) {
    const Vec3i at = {coordinate(), coordinate(), coordinate()};
    EXPECT_TRUE(grid.Set(at, static_cast<uint8_t>(1 + random.Below(5))).ok());
  }
  return grid;
}

std::tuple<int, int, int> KeyOf(const Vec3i& v) { return {v.z, v.y, v.x}; }

TEST(CutIntoBlocks, BlocksAreAlignedSortedAndHoldVoxels) {
  const VoxelGrid grid = RandomGrid(90, 60, 1);
  for (const int edge : {1, 3, 16, 17, 32, 100, 256}) {
    std::set<std::tuple<int, int, int>> expected;
    for (int z = grid.min().z; z < grid.max().z; ++z) {
      for (int y = grid.min().y; y < grid.max().y; ++y) {
        for (int x = grid.min().x; x < grid.max().x; ++x) {
          if (grid.At({x, y, z}) == 0) continue;
          const auto down = [&](int v) {
            int origin = 0;
            while (origin > v) origin -= edge;
            while (origin + edge <= v) origin += edge;
            return origin;
          };
          expected.insert({down(z), down(y), down(x)});
        }
      }
    }
    KILN_ASSERT_OK_AND_ASSIGN(const auto blocks, CutIntoBlocks(grid, edge));
    std::vector<std::tuple<int, int, int>> origins;
    for (const GridBlock& block : blocks) {
      origins.push_back(KeyOf(block.origin));
      EXPECT_EQ(block.size, (Vec3i{edge, edge, edge}));
    }
    EXPECT_EQ(origins, std::vector(expected.begin(), expected.end()))
        << "edge " << edge;
  }
}

TEST(CutIntoBlocks, ZeroIsTheWholeScene) {
  VoxelGrid grid;
  KILN_ASSERT_OK(grid.Set({-200, 7, 3}, 1));
  KILN_ASSERT_OK(grid.Set({55, 7, 4}, 1));
  KILN_ASSERT_OK_AND_ASSIGN(const auto blocks, CutIntoBlocks(grid, 0));
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].origin, (Vec3i{-200, 7, 3}));
  EXPECT_EQ(blocks[0].size, (Vec3i{256, 1, 2}));
  KILN_ASSERT_OK(grid.Set({56, 7, 4}, 1));
  EXPECT_THAT(CutIntoBlocks(grid, 0), StatusIs(kBad, HasSubstr("size.x: 257")));
}

TEST(CutIntoBlocks, EmptySceneHasNoBlocks) {
  for (const int edge : {0, 32}) {
    KILN_ASSERT_OK_AND_ASSIGN(const auto blocks,
                              CutIntoBlocks(VoxelGrid(), edge));
    EXPECT_TRUE(blocks.empty());
  }
}

TEST(CutIntoBlocks, EdgeOutOfRangeIsRefused) {
  EXPECT_THAT(CutIntoBlocks(VoxelGrid(), -1), StatusIs(kBad));
  EXPECT_THAT(CutIntoBlocks(VoxelGrid(), 257), StatusIs(kBad));
}

// What the core decodes of a block is what the grid holds there.
TEST(BlockInput, EncodingKeepsVoxelsAndClasses) {
  const VoxelGrid grid = RandomGrid(40, 9000, 2);
  for (const bool by_class : {false, true}) {
    for (const GridBlock& block :
         {GridBlock{{-16, -16, -16}, {32, 32, 32}},
          GridBlock{{-3, 0, 5}, {7, 1, 3}}, GridBlock{{90, 0, 0}, {2, 2, 2}}}) {
      const BlockInput input(grid, block, by_class);
      KILN_ASSERT_OK_AND_ASSIGN(const core::VoxelBlock decoded,
                                core::DecodeBlock(input.input().block));
      ASSERT_EQ(decoded.size(), block.size);
      for (int z = 0; z < block.size.z; ++z) {
        for (int y = 0; y < block.size.y; ++y) {
          for (int x = 0; x < block.size.x; ++x) {
            const int material = grid.At(block.origin + Vec3i{x, y, z});
            ASSERT_EQ(decoded.ClassAt(x, y, z), by_class        ? material
                                                : material != 0 ? 1
                                                                : 0);
          }
        }
      }
    }
  }
}

TEST(BlockInput, OneMaterialAloneIsUniform) {
  VoxelGrid grid;
  for (int x = 0; x < 3; ++x) KILN_ASSERT_OK(grid.Set({x, 0, 0}, 9));
  const BlockInput input(grid, {{0, 0, 0}, {3, 1, 1}}, /*by_class=*/true);
  EXPECT_TRUE(std::holds_alternative<core::UniformPayload>(
      input.input().block.payload));
  KILN_ASSERT_OK_AND_ASSIGN(const core::VoxelBlock decoded,
                            core::DecodeBlock(input.input().block));
  EXPECT_EQ(decoded.ClassAt(2, 0, 0), 9);
}

// Two flush blocks bury the faces between them, and the scene's outside is air
// (dimforge/parry#344, from the tool's side).
TEST(BlockInput, NeighboursDecideExposure) {
  VoxelGrid grid;
  for (int x = 0; x < 8; ++x) KILN_ASSERT_OK(grid.Set({x, 0, 0}, 1));
  const BlockInput left(grid, {{0, 0, 0}, {4, 4, 4}}, false);
  const BlockInput right(grid, {{4, 0, 0}, {4, 4, 4}}, false);
  KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult a,
                            core::Bake(left.input(), {}));
  KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult b,
                            core::Bake(right.input(), {}));
  ASSERT_EQ(a.boxes.size(), 1u);
  ASSERT_EQ(b.boxes.size(), 1u);
  EXPECT_EQ(a.boxes[0].exposed_faces(),
            core::kAllFaces & ~core::FaceBit(core::Face::kPlusX));
  EXPECT_EQ(b.boxes[0].exposed_faces(),
            core::kAllFaces & ~core::FaceBit(core::Face::kMinusX));
}

TEST(BlockInput, MovedInputStillDecodes) {
  const VoxelGrid grid = RandomGrid(20, 500, 3);
  const GridBlock block = {{-8, -8, -8}, {16, 16, 16}};
  BlockInput first(grid, block, /*by_class=*/true);
  KILN_ASSERT_OK_AND_ASSIGN(const core::VoxelBlock before,
                            core::DecodeBlock(first.input().block));
  std::vector<BlockInput> inputs;
  inputs.push_back(std::move(first));
  for (int i = 0; i < 20; ++i) inputs.emplace_back(grid, block, true);
  KILN_ASSERT_OK_AND_ASSIGN(const core::VoxelBlock after,
                            core::DecodeBlock(inputs[0].input().block));
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace kiln::client
