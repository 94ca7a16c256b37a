// Zylann/godot_voxel#867, overte-org/overte#295: colliders came out wrong with
// voxels that are not cubes, and did not follow when the scale changed.
// Zylann/godot_voxel#496, #278: they broke far from the origin.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/bake/baker.h"
#include "kiln/v1/bake.pb.h"
#include "proto/wire/bake_wire.h"
#include "tests/support/status_matchers.h"

namespace kiln {
namespace {

// Two floor voxels and one on top, anywhere and of any size.
v1::BlockInput Step(int chunk_x, double height_m) {
  v1::BlockInput input;
  v1::VoxelBlock& block = *input.mutable_block();
  block.mutable_size()->set_x(2);
  block.mutable_size()->set_y(2);
  block.mutable_size()->set_z(1);
  block.mutable_bitset()->mutable_bits()->set_data("\x07");
  input.mutable_chunk()->set_x(chunk_x);
  v1::VoxelScale& scale = *input.mutable_voxel_size_m();
  scale.set_x(0.25);
  scale.set_y(height_m);
  scale.set_z(0.25);
  return input;
}

v1::BoxSet Baked(const v1::BlockInput& input) {
  v1::BoxSet proto;
  const auto wire_input = wire::InputFromProto(input);
  EXPECT_THAT(wire_input, tests::IsOk());
  if (!wire_input.ok()) return proto;
  const auto result = core::Bake((*wire_input)->input, {});
  EXPECT_THAT(result, tests::IsOk());
  if (result.ok()) wire::ResultToProto(*result, {}, input, proto);
  return proto;
}

void ExpectSameBoxes(const v1::BoxSet& a, const v1::BoxSet& b) {
  EXPECT_GT(a.bounds_size(), 0);
  EXPECT_TRUE(std::equal(a.bounds().begin(), a.bounds().end(),
                         b.bounds().begin(), b.bounds().end()));
  EXPECT_EQ(a.exposed_faces(), b.exposed_faces());
  EXPECT_EQ(a.content_hash(), b.content_hash());
  EXPECT_EQ(a.result_hash(), b.result_hash());
}

TEST(VoxelScale, ChangeKeepsEveryBoxAndHash) {
  const v1::BoxSet flat = Baked(Step(0, 0.25));
  const v1::BoxSet tall = Baked(Step(0, 1.0));
  ExpectSameBoxes(flat, tall);
  EXPECT_EQ(flat.voxel_size_m().y(), 0.25);
  EXPECT_EQ(tall.voxel_size_m().y(), 1.0);
}

TEST(VoxelScale, ChunkFarFromTheOriginGivesTheSameBoxes) {
  const v1::BoxSet near = Baked(Step(0, 1.0));
  const v1::BoxSet far = Baked(Step(1 << 26, 1.0));
  ExpectSameBoxes(near, far);
  EXPECT_EQ(far.chunk().x(), 1 << 26);
}

}  // namespace
}  // namespace kiln
