#include "client/formats/vox/vox_scene.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/formats/vox/vox_reader.h"
#include "tests/client/formats/vox/vox_builder.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using core::Vec3i;
using testing::HasSubstr;
using tests::IsOk;
using tests::StatusIs;
using tests::VoxBuilder;

constexpr absl::StatusCode kBad = absl::StatusCode::kInvalidArgument;

// Voxels of a grid in the file's axes, with their colours.
using Voxels = std::map<std::tuple<int, int, int>, int>;

absl::StatusOr<Voxels> SceneOf(const VoxBuilder& builder,
                               VoxSceneOptions options = {}) {
  options.axes = SceneAxes::kFile;
  const absl::StatusOr<VoxFile> file = ReadVox(builder.Bytes());
  if (!file.ok()) return file.status();
  const auto instances = PlaceModels(*file, options);
  if (!instances.ok()) return instances.status();
  VoxelGrid grid;
  const absl::Status added = AddToGrid(*file, *instances, options, grid);
  if (!added.ok()) return added;
  Voxels voxels;
  for (int z = grid.min().z; z < grid.max().z; ++z) {
    for (int y = grid.min().y; y < grid.max().y; ++y) {
      for (int x = grid.min().x; x < grid.max().x; ++x) {
        if (const int color = grid.At({x, y, z})) voxels[{x, y, z}] = color;
      }
    }
  }
  return voxels;
}

// 3x3 matrix of a packed rotation, by the words of the format's description.
using Matrix = std::array<std::array<int, 3>, 3>;
std::optional<Matrix> MatrixOf(int packed) {
  const int rows[3] = {packed & 3, (packed >> 2) & 3, 0};
  if (rows[0] == 3 || rows[1] == 3 || rows[0] == rows[1]) return std::nullopt;
  Matrix matrix{};
  std::set<int> free = {0, 1, 2};
  for (int row = 0; row < 2; ++row) free.erase(rows[row]);
  for (int row = 0; row < 3; ++row) {
    const int column = row < 2 ? rows[row] : *free.begin();
    matrix[row][column] = (packed >> (4 + row)) & 1 ? -1 : 1;
  }
  return matrix;
}

// The middle of a voxel goes through the matrix about floor(size / 2); the
// voxel that holds the result is what it becomes.
Vec3i PlaceByMatrix(const Matrix& matrix, const Vec3i& size, const Vec3i& voxel,
                    const Vec3i& translation) {
  Vec3i result;
  for (int row = 0; row < 3; ++row) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      sum += matrix[row][i] * (voxel[i] + 0.5 - std::floor(size[i] / 2.0));
    }
    result[row] = static_cast<int>(std::floor(sum + translation[row]));
  }
  return result;
}

// An L in three dimensions fills different cells under each of the 48.
tests::VoxBytes MarkedVoxels(const Vec3i& size) {
  tests::VoxBytes bytes;
  uint8_t color = 1;
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        for (const int v : {x, y, z}) bytes.push_back(static_cast<uint8_t>(v));
        bytes.push_back(color++);
      }
    }
  }
  return bytes;
}

TEST(VoxScene, AllRotationsAndMirrorsMatchAMatrix) {
  int count = 0;
  for (const Vec3i& size :
       {Vec3i{3, 3, 3}, Vec3i{4, 3, 1}, Vec3i{2, 2, 2}, Vec3i{1, 2, 5}}) {
    const tests::VoxBytes bytes = MarkedVoxels(size);
    for (int packed = 0; packed < 128; ++packed) {
      const std::optional<Matrix> matrix = MatrixOf(packed);
      if (!matrix) continue;
      ++count;
      const Vec3i translation = {5, -7, 11};
      KILN_ASSERT_OK_AND_ASSIGN(
          const Voxels voxels,
          SceneOf(
              VoxBuilder()
                  .Model(size, bytes)
                  .Transform(
                      0, 1, {{{"_r", absl::StrCat(packed)}, {"_t", "5 -7 11"}}})
                  .Shape(1, {0})));
      Voxels expected;
      for (size_t i = 0; i < bytes.size(); i += 4) {
        const Vec3i at = PlaceByMatrix(
            *matrix, size, {bytes[i], bytes[i + 1], bytes[i + 2]}, translation);
        expected[{at.x, at.y, at.z}] = bytes[i + 3];
      }
      EXPECT_EQ(voxels, expected) << "rotation " << packed;
    }
  }
  EXPECT_EQ(count, 4 * 48);
}

// Nested poses multiply: the same as one matrix for the parent, one for the
// child, applied to points.
TEST(VoxScene, NestedGroupsMultiply) {
  const Vec3i size = {4, 3, 1};
  const tests::VoxBytes bytes = MarkedVoxels(size);
  for (const int outer : {4, 17, 40, 97, 116}) {
    for (const int inner : {4, 9, 33, 52, 98}) {
      ASSERT_TRUE(MatrixOf(outer) && MatrixOf(inner));
      KILN_ASSERT_OK_AND_ASSIGN(
          const Voxels voxels,
          SceneOf(
              VoxBuilder()
                  .Model(size, bytes)
                  .Transform(0, 1)
                  .Group(1, {2})
                  .Transform(
                      2, 3, {{{"_r", absl::StrCat(outer)}, {"_t", "10 20 30"}}})
                  .Group(3, {4})
                  .Transform(4, 5,
                             {{{"_r", absl::StrCat(inner)}, {"_t", "1 -2 3"}}})
                  .Shape(5, {0})));
      const Matrix a = *MatrixOf(outer);
      const Matrix b = *MatrixOf(inner);
      Matrix product{};
      Vec3i translation = {10, 20, 30};
      const Vec3i inner_translation = {1, -2, 3};
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          translation[i] += a[i][j] * inner_translation[j];
          for (int k = 0; k < 3; ++k) product[i][j] += a[i][k] * b[k][j];
        }
      }
      Voxels expected;
      for (size_t i = 0; i < bytes.size(); i += 4) {
        const Vec3i at = PlaceByMatrix(
            product, size, {bytes[i], bytes[i + 1], bytes[i + 2]}, translation);
        expected[{at.x, at.y, at.z}] = bytes[i + 3];
      }
      EXPECT_EQ(voxels, expected) << outer << " over " << inner;
    }
  }
}

TEST(VoxScene, WithoutAGraphModelsLieAtTheOrigin) {
  KILN_ASSERT_OK_AND_ASSIGN(const Voxels voxels, SceneOf(VoxBuilder().Model(
                                                     {5, 5, 5}, {1, 2, 3, 9})));
  EXPECT_EQ(voxels, (Voxels{{{1, 2, 3}, 9}}));
}

TEST(VoxScene, YUpTurnsTheFileOntoItsBack) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const VoxFile file,
      ReadVox(VoxBuilder().Model({5, 5, 5}, {1, 2, 3, 9}).Bytes()));
  KILN_ASSERT_OK_AND_ASSIGN(const auto instances, PlaceModels(file));
  VoxelGrid grid;
  KILN_ASSERT_OK(AddToGrid(file, instances, {}, grid));
  EXPECT_EQ(grid.At({1, 3, -3}), 9);
  EXPECT_EQ(grid.solid_voxels(), 1);
}

TEST(VoxScene, PackShowsTheFrameAskedFor) {
  VoxBuilder builder;
  builder.Chunk("PACK", tests::LittleEndian(2))
      .Model({1, 1, 1}, {0, 0, 0, 5})
      .Model({1, 1, 1}, {0, 0, 0, 6});
  KILN_ASSERT_OK_AND_ASSIGN(const Voxels first, SceneOf(builder));
  EXPECT_EQ(first, (Voxels{{{0, 0, 0}, 5}}));
  KILN_ASSERT_OK_AND_ASSIGN(const Voxels second,
                            SceneOf(builder, {.frame = 1}));
  EXPECT_EQ(second, (Voxels{{{0, 0, 0}, 6}}));
  EXPECT_THAT(SceneOf(builder, {.frame = 2}),
              StatusIs(kBad, HasSubstr("frame: 2 is not allowed")));
}

// One voxel of its own colour for each model, a shape each, in a row.
VoxBuilder Row(int models) {
  VoxBuilder builder;
  for (int i = 0; i < models; ++i) {
    builder.Model({1, 1, 1}, {0, 0, 0, static_cast<uint8_t>(i + 1)});
  }
  return builder;
}

TEST(VoxScene, HiddenNodesAreLeftOutUnlessAsked) {
  VoxBuilder builder = Row(2);
  builder.Transform(0, 1)
      .Group(1, {2, 4})
      .Transform(2, 3, {{}}, {{"_hidden", "1"}})
      .Group(3, {6})
      .Transform(4, 5, {{{"_t", "1 0 0"}}}, {{"_hidden", "0"}})
      .Shape(5, {1})
      .Transform(6, 7)
      .Shape(7, {0});
  KILN_ASSERT_OK_AND_ASSIGN(const Voxels shown, SceneOf(builder));
  EXPECT_EQ(shown, (Voxels{{{1, 0, 0}, 2}}));
  KILN_ASSERT_OK_AND_ASSIGN(const Voxels all,
                            SceneOf(builder, {.hidden = true}));
  EXPECT_EQ(all, (Voxels{{{0, 0, 0}, 1}, {{1, 0, 0}, 2}}));
}

TEST(VoxScene, HiddenLayersAreLeftOutUnlessAsked) {
  VoxBuilder builder = Row(3);
  builder.Transform(0, 1, {{}}, {}, -1)
      .Group(1, {2, 4, 6})
      .Transform(2, 3, {{}}, {}, 0)
      .Shape(3, {0})
      .Transform(4, 5, {{{"_t", "1 0 0"}}}, {}, 1)
      .Shape(5, {1})
      .Transform(6, 7, {{{"_t", "2 0 0"}}}, {}, 9)  // a layer without LAYR
      .Shape(7, {2})
      .Layer(0, false)
      .Layer(1, true);
  KILN_ASSERT_OK_AND_ASSIGN(const Voxels shown, SceneOf(builder));
  EXPECT_EQ(shown, (Voxels{{{0, 0, 0}, 1}, {{2, 0, 0}, 3}}));
  KILN_ASSERT_OK_AND_ASSIGN(const Voxels all,
                            SceneOf(builder, {.hidden = true}));
  EXPECT_EQ(all.size(), 3u);
}

// Programs list a group's children in either order; what counts is where the
// nodes stand in the file.
TEST(VoxScene, LaterInTheFileWinsWhereModelsOverlap) {
  VoxBuilder builder = Row(2);
  builder.Transform(0, 1)
      .Group(1, {4, 2})
      .Transform(2, 3)
      .Shape(3, {0})
      .Transform(4, 5)
      .Shape(5, {1});
  KILN_ASSERT_OK_AND_ASSIGN(const Voxels voxels, SceneOf(builder));
  EXPECT_EQ(voxels, (Voxels{{{0, 0, 0}, 2}}));
}

TEST(VoxScene, AnimationShowsTheFrameAskedFor) {
  VoxBuilder builder = Row(2);
  builder.Transform(0, 1, {{{"_f", "2"}}, {{"_f", "6"}, {"_t", "10 0 0"}}})
      .Shape(1, {0, 1}, {0, 4});
  for (const auto& [frame, x, color] :
       {std::tuple{0, 0, 1}, {3, 0, 1}, {4, 0, 2}, {6, 10, 2}, {99, 10, 2}}) {
    KILN_ASSERT_OK_AND_ASSIGN(const Voxels voxels,
                              SceneOf(builder, {.frame = frame}));
    EXPECT_EQ(voxels, (Voxels{{{x, 0, 0}, color}})) << "frame " << frame;
  }
}

TEST(VoxScene, BrokenGraphsAreRefused) {
  EXPECT_THAT(SceneOf(Row(1).Transform(1, 2).Shape(2, {0})),
              StatusIs(kBad, HasSubstr("no node 0")));
  EXPECT_THAT(SceneOf(Row(1).Transform(0, 7)),
              StatusIs(kBad, HasSubstr("no node 7")));
  EXPECT_THAT(SceneOf(Row(1).Transform(0, 1).Shape(1, {1})),
              StatusIs(kBad, HasSubstr("1 is not one of the 1")));
  EXPECT_THAT(SceneOf(Row(1).Transform(0, 1).Shape(1, {-1})),
              StatusIs(kBad, HasSubstr("-1 is not one")));
  EXPECT_THAT(SceneOf(Row(1).Transform(0, 1).Group(1, {2}).Transform(2, 1)),
              StatusIs(kBad, HasSubstr("a node is inside itself")));
  EXPECT_THAT(SceneOf(Row(1).Transform(0, 0)),
              StatusIs(kBad, HasSubstr("a node is inside itself")));
}

TEST(VoxScene, DeepGraphsAreRefused) {
  const auto chain = [](int nodes) {
    VoxBuilder builder = Row(1);
    for (int id = 0; id + 1 < nodes; ++id) builder.Transform(id, id + 1);
    builder.Shape(nodes - 1, {0});
    return builder;
  };
  EXPECT_THAT(SceneOf(chain(256)), IsOk());
  EXPECT_THAT(SceneOf(chain(257)), StatusIs(kBad, HasSubstr("deeper than")));
  EXPECT_THAT(SceneOf(chain(100000)), StatusIs(kBad, HasSubstr("deeper than")));
}

// Forty groups that each name the next one twice: 2^40 copies of one voxel.
TEST(VoxScene, ExponentialGraphsAreRefused) {
  VoxBuilder builder = Row(1);
  for (int id = 0; id < 40; ++id) builder.Group(id, {id + 1, id + 1});
  builder.Shape(40, {0});
  EXPECT_THAT(SceneOf(builder), StatusIs(kBad, HasSubstr("nodes over all")));
}

TEST(VoxScene, PlacedVoxelsAreLimited) {
  VoxBuilder builder;
  builder.Model({2, 1, 1}, {0, 0, 0, 1, 1, 0, 0, 1})
      .Group(0, {1, 1, 1})
      .Shape(1, {0});
  EXPECT_THAT(SceneOf(builder, {.max_placed_voxels = 6}), IsOk());
  EXPECT_THAT(SceneOf(builder, {.max_placed_voxels = 5}),
              StatusIs(kBad, HasSubstr("placed models: 6")));
}

TEST(VoxScene, TranslationsThatAddUpTooFarAreRefused) {
  const std::vector<tests::VoxAttributes> far = {{{"_t", "16777216 0 0"}}};
  EXPECT_THAT(
      SceneOf(Row(1).Transform(0, 1, far).Transform(1, 2, far).Shape(2, {0})),
      StatusIs(kBad, HasSubstr("33554432 with its parents")));
  // In range by itself, its voxel is one beyond.
  EXPECT_THAT(SceneOf(Row(1).Transform(0, 1, far).Shape(1, {0})),
              StatusIs(kBad, HasSubstr("voxel coordinate: 16777216")));
}

}  // namespace
}  // namespace kiln::client
