#include "core/bake/baker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "core/bake/result_codec.h"

namespace kiln::core {
namespace {

using ::testing::HasSubstr;

// A block of 3 x 2 x 2 with ids 0, 1 and 2: a floor of 1 with a 2 on it.
struct SmallBlock {
  std::vector<uint8_t> ids = {1, 1, 1, 0, 2, 0,   // z = 0: y = 0, y = 1
                              1, 1, 1, 0, 0, 0};  // z = 1
  std::vector<uint32_t> class_ids = {2};
  std::vector<uint32_t> classes = {9};

  BakeInput Input() const {
    BakeInput input;
    input.block.size = {3, 2, 2};
    input.block.payload = ArrayPayload{.bytes = ids};
    return input;
  }
};

BakeInput Solid(const Vec3i& size) {
  BakeInput input;
  input.block.size = size;
  input.block.payload = UniformPayload{1};
  return input;
}

TEST(Bake, EveryMethodGivesBothHashes) {
  const SmallBlock small;
  for (const Method method : kAllMethods) {
    const Recipe recipe{.method = method};
    const auto result = Bake(small.Input(), recipe);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->solid_voxels, 7) << MethodName(method);
    EXPECT_EQ(result->boxes.size(), 2u) << MethodName(method);
    EXPECT_EQ(result->result_hash,
              ResultHash(result->size, result->boxes, recipe));
    EXPECT_EQ(result->content_hash, Bake(small.Input(), {})->content_hash);
  }
}

TEST(Bake, AirGivesNoBoxes) {
  BakeInput input = Solid({8, 8, 8});
  input.block.payload = UniformPayload{0};
  const auto result = Bake(input, {}, {.lower_bound = true});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->boxes.empty());
  EXPECT_EQ(result->solid_voxels, 0);
  EXPECT_EQ(result->lower_bound, 0);
}

TEST(Bake, ClassesAreKeptApart) {
  const SmallBlock small;
  BakeInput input = small.Input();
  input.block.solidity.class_ids = small.class_ids;
  input.block.solidity.classes = small.classes;
  const auto result = Bake(input, {});
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->boxes.size(), 2u);
  EXPECT_EQ(result->boxes[0].cls(), 1);
  EXPECT_EQ(result->boxes[1].cls(), 9);
}

TEST(Bake, UnknownNeighboursLeaveFacesExposed) {
  const auto result = Bake(Solid({4, 4, 4}), {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->boxes[0].exposed_faces(), kAllFaces);
}

TEST(Bake, SolidNeighbourBuriesTheFaceItTouches) {
  BakeInput input = Solid({4, 4, 4});
  input.neighbours[static_cast<size_t>(Face::kPlusX)] =
      UniformNeighbour::kSolid;
  input.neighbours[static_cast<size_t>(Face::kMinusY)] =
      BlockNeighbour{Solid({4, 7, 4}).block};
  input.neighbours[static_cast<size_t>(Face::kPlusZ)] =
      PlaneNeighbour{Solid({4, 4, 1}).block};
  input.neighbours[static_cast<size_t>(Face::kMinusX)] = UniformNeighbour::kAir;
  const auto result = Bake(input, {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->boxes[0].exposed_faces(), FaceBit(Face::kMinusX) |
                                                  FaceBit(Face::kPlusY) |
                                                  FaceBit(Face::kMinusZ));
}

TEST(Bake, NeighbourOfAnotherSizeIsRefusedByName) {
  BakeInput input = Solid({4, 4, 4});
  input.neighbours[static_cast<size_t>(Face::kPlusZ)] =
      PlaneNeighbour{Solid({4, 5, 1}).block};
  const auto result = Bake(input, {});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(result.status().message()),
              HasSubstr("neighbours.plus_z.plane.size.y: 5"));
}

TEST(Bake, EffortOutsideSearchIsRefused) {
  const auto result = Bake(Solid({2, 2, 2}), {.effort = 1});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(result.status().message()),
              HasSubstr("recipe.effort: 1"));
}

TEST(Bake, TreeComesOnlyWithItsMethod) {
  const auto refused = Bake(Solid({2, 2, 2}), {}, {.tree = true});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  const auto result =
      Bake(Solid({2, 2, 2}), {.method = Method::kTree}, {.tree = true});
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->tree_nodes.size(), 1u);
  EXPECT_TRUE(result->tree_nodes[0].is_leaf());
}

TEST(Bake, CancelledCallGivesNoResult) {
  CancelSource source;
  source.Cancel();
  const auto result = Bake(Solid({2, 2, 2}), {}, {.cancel = source.token()});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kCancelled);
}

TEST(Bake, PassedDeadlineGivesNoResult) {
  const CancelSource source(std::chrono::steady_clock::time_point::min());
  const auto result = Bake(Solid({2, 2, 2}), {}, {.cancel = source.token()});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(BakeAll, ResultsComeInTheOrderOfInputs) {
  std::vector<BakeInput> inputs;
  for (int edge = 1; edge <= 32; ++edge) inputs.push_back(Solid({edge, 1, 1}));
  TaskArena arena(4);
  const auto results = BakeAll(inputs, {}, {}, arena);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ((*results)[i].solid_voxels, inputs[i].block.size.x);
  }
}

TEST(BakeAll, FirstBadBlockIsNamed) {
  std::vector<BakeInput> inputs(8, Solid({2, 2, 2}));
  inputs[3].block.size.y = 0;
  inputs[6].block.size.x = 999;
  TaskArena arena(4);
  const auto results = BakeAll(inputs, {}, {}, arena);
  EXPECT_EQ(results.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(results.status().message()),
              HasSubstr("blocks[3].block.size.y: 0"));
}

TEST(EstimatedCost, GrowsWithVoxelsMethodAndBound) {
  const int64_t small = EstimatedCost(Solid({8, 8, 8}), {}, {});
  EXPECT_EQ(small, 512);
  EXPECT_EQ(EstimatedCost(Solid({16, 16, 16}), {}, {}), 8 * small);
  EXPECT_GT(EstimatedCost(Solid({8, 8, 8}), {.method = Method::kTree}, {}),
            small);
  EXPECT_GT(EstimatedCost(Solid({8, 8, 8}), {}, {.lower_bound = true}), small);
}

TEST(EstimatedCost, GrowsWithNeighboursToBeDecoded) {
  BakeInput input = Solid({8, 8, 8});
  const int64_t alone = EstimatedCost(input, {}, {});
  input.neighbours[0] = UniformNeighbour::kAir;
  EXPECT_EQ(EstimatedCost(input, {}, {}), alone);
  input.neighbours[1] = PlaneNeighbour{Solid({1, 8, 8}).block};
  const int64_t with_plane = EstimatedCost(input, {}, {});
  EXPECT_GT(with_plane, alone);
  input.neighbours[2] = BlockNeighbour{Solid({8, 8, 8}).block};
  EXPECT_GT(EstimatedCost(input, {}, {}), with_plane);
}

}  // namespace
}  // namespace kiln::core
