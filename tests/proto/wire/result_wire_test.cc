#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/bake/baker.h"
#include "proto/wire/bake_wire.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::wire {
namespace {

using ::kiln::tests::IsOk;
using ::kiln::tests::StatusIs;
using ::testing::HasSubstr;

constexpr core::Vec3i kSize{9, 7, 5};

core::BakeResult Bake(const core::Recipe& recipe, int classes, bool tree) {
  core::BakeOptions options;
  options.tree = tree;
  options.lower_bound = true;
  auto result = core::BakeBlock(tests::NoiseBlock(kSize, 0.4, classes, 1), {},
                                recipe, options);
  return *std::move(result);
}

v1::BoxSet TreeProto() {
  core::Recipe recipe;
  recipe.method = core::Method::kTree;
  v1::BoxSet proto;
  ResultToProto(Bake(recipe, 3, true), recipe, {}, proto);
  return proto;
}

testing::Matcher<absl::StatusOr<core::BakeResult>> Refused(
    const std::string& why) {
  return StatusIs(absl::StatusCode::kInternal, HasSubstr("answer: " + why));
}

TEST(ResultWire, ResultsSurviveTheWire) {
  for (const core::Method method : core::kAllMethods) {
    for (const int classes : {1, 3}) {
      core::Recipe recipe;
      recipe.method = method;
      const core::BakeResult result =
          Bake(recipe, classes, method == core::Method::kTree);
      v1::BoxSet proto;
      ResultToProto(result, recipe, {}, proto);
      KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult read,
                                ResultFromProto(proto, kSize));
      EXPECT_EQ(read.boxes, result.boxes);
      EXPECT_EQ(read.size, result.size);
      EXPECT_EQ(read.content_hash, result.content_hash);
      EXPECT_EQ(read.result_hash, result.result_hash);
      EXPECT_EQ(read.solid_voxels, result.solid_voxels);
      EXPECT_EQ(read.lower_bound, result.lower_bound);
      EXPECT_EQ(read.tree_nodes, result.tree_nodes);
      EXPECT_EQ(proto.classes().empty(), classes == 1);
    }
  }
}

TEST(ResultWire, HashesAreMostSignificantByteFirst) {
  core::BakeResult result;
  result.content_hash = {0x0102030405060708u, 0x090a0b0c0d0e0f10u};
  v1::BoxSet proto;
  ResultToProto(result, {}, {}, proto);
  EXPECT_EQ(proto.content_hash(),
            "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10");
}

TEST(ResultWire, EmptyIsSaidExplicitly) {
  core::BakeResult result;
  v1::BoxSet proto;
  ResultToProto(result, {}, {}, proto);
  EXPECT_EQ(proto.outcome(), v1::OUTCOME_EMPTY);
  EXPECT_THAT(ResultFromProto(proto, kSize), IsOk());
  proto.set_outcome(v1::OUTCOME_BOXES);
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("outcome: 1"));
  EXPECT_THAT(ResultFromProto(v1::BoxSet(), kSize), Refused("outcome: 0"));
}

TEST(ResultWire, ChunkAndVoxelSizeAreHandedBack) {
  v1::BlockInput echo;
  echo.mutable_chunk()->set_x(1'000'000);
  echo.mutable_chunk()->set_y(-7);
  echo.mutable_voxel_size_m()->set_z(0.25);
  v1::BoxSet proto;
  ResultToProto({}, {}, echo, proto);
  EXPECT_EQ(proto.chunk().x(), 1'000'000);
  EXPECT_EQ(proto.chunk().y(), -7);
  EXPECT_EQ(proto.voxel_size_m().z(), 0.25);
}

TEST(ResultWire, NoExposureSendsNoFaces) {
  core::Recipe recipe;
  recipe.exposure = core::ExposureRule::kNone;
  v1::BoxSet proto;
  ResultToProto(Bake(recipe, 1, false), recipe, {}, proto);
  EXPECT_EQ(proto.exposed_faces(), "");
  EXPECT_THAT(ResultFromProto(proto, kSize), IsOk());
}

TEST(ResultWire, BoxesOutsideTheBlockAreRefused) {
  for (const uint32_t bound : {10u, 0x80000000u, ~0u}) {
    v1::BoxSet proto = TreeProto();
    proto.set_bounds(3, bound);
    EXPECT_THAT(ResultFromProto(proto, kSize), Refused("bounds of box 0"));
  }
  v1::BoxSet empty = TreeProto();
  empty.set_bounds(3, empty.bounds(0));
  EXPECT_THAT(ResultFromProto(empty, kSize), Refused("bounds of box 0"));
}

TEST(ResultWire, BoxesOutOfOrderOrTwiceAreRefused) {
  v1::BoxSet proto = TreeProto();
  for (int i = 0; i < 6; ++i) proto.set_bounds(6 + i, proto.bounds(i));
  proto.clear_classes();
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("box 1: its place"));
}

TEST(ResultWire, ListsOfOtherLengthsAreRefused) {
  v1::BoxSet bounds = TreeProto();
  bounds.add_bounds(1);
  EXPECT_THAT(ResultFromProto(bounds, kSize), Refused("bounds: length"));
  v1::BoxSet classes = TreeProto();
  classes.mutable_classes()->pop_back();
  EXPECT_THAT(ResultFromProto(classes, kSize), Refused("classes: length"));
  v1::BoxSet faces = TreeProto();
  faces.mutable_exposed_faces()->push_back(1);
  EXPECT_THAT(ResultFromProto(faces, kSize), Refused("exposed_faces: length"));
  v1::BoxSet hash = TreeProto();
  hash.mutable_result_hash()->pop_back();
  EXPECT_THAT(ResultFromProto(hash, kSize), Refused("result_hash: 15 bytes"));
}

TEST(ResultWire, ValuesOutOfRangeAreRefused) {
  v1::BoxSet proto = TreeProto();
  (*proto.mutable_classes())[2] = 0;
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("classes[2]: 0"));
  proto = TreeProto();
  (*proto.mutable_exposed_faces())[1] = 64;
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("exposed_faces[1]: 64"));
  proto = TreeProto();
  proto.set_solid_voxels(9 * 7 * 5 + 1);
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("solid_voxels: 316"));
  proto = TreeProto();
  proto.set_lower_bound(~uint64_t{0});
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("lower_bound"));
}

TEST(ResultWire, TreesThatAreNoneAreRefused) {
  v1::BoxSet proto = TreeProto();
  proto.mutable_tree()->mutable_axes()->push_back(3);
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("tree.values: length"));
  proto.mutable_tree()->add_values(0);
  EXPECT_THAT(ResultFromProto(proto, kSize),
              Refused("tree: nodes after its end"));
  proto = TreeProto();
  proto.mutable_tree()->mutable_axes()->pop_back();
  proto.mutable_tree()->mutable_values()->RemoveLast();
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("tree: nodes missing"));
  proto = TreeProto();
  proto.mutable_tree()->set_values(0, 0);
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("tree.values[0]: 0"));
  proto = TreeProto();
  (*proto.mutable_tree()->mutable_axes())[0] = 4;
  EXPECT_THAT(ResultFromProto(proto, kSize), Refused("tree.axes[0]: 4"));
}

}  // namespace
}  // namespace kiln::wire
