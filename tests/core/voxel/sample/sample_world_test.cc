#include "core/voxel/sample/sample_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <vector>

#include "core/base/hash.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using tests::StatusIs;

TEST(Sample, DefaultWorldMatchesGoldenHash) {
  KILN_ASSERT_OK_AND_ASSIGN(const SampleWorld world, MakeSampleWorld());
  EXPECT_EQ(ToHex(HashBytes(world.materials)),
            "7f6e3e759b4cdb5a5a514c8137fe6d88");
}

TEST(Sample, SeedChangesTheWorld) {
  SampleOptions options{.seed = 1, .size = {64, 48, 64}};
  KILN_ASSERT_OK_AND_ASSIGN(const SampleWorld first, MakeSampleWorld(options));
  KILN_ASSERT_OK_AND_ASSIGN(const SampleWorld again, MakeSampleWorld(options));
  options.seed = 2;
  KILN_ASSERT_OK_AND_ASSIGN(const SampleWorld other, MakeSampleWorld(options));
  EXPECT_EQ(first.materials, again.materials);
  EXPECT_NE(first.materials, other.materials);
}

TEST(Sample, SizeOutOfRangeIsRefused) {
  for (const Vec3i size : {Vec3i{47, 96, 192}, Vec3i{192, 47, 192},
                           Vec3i{192, 257, 192}, Vec3i{192, 96, 1025}}) {
    EXPECT_THAT(MakeSampleWorld({.seed = 1, .size = size}),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(Sample, SidesMayDiffer) {
  for (const Vec3i size :
       {Vec3i{48, 48, 48}, Vec3i{300, 64, 50}, Vec3i{51, 256, 170}}) {
    KILN_ASSERT_OK_AND_ASSIGN(const SampleWorld world,
                              MakeSampleWorld({.seed = 7, .size = size}));
    EXPECT_EQ(static_cast<int64_t>(world.materials.size()), Volume(size));
    for (int z = 0; z < size.z; ++z) {
      for (int x = 0; x < size.x; ++x) EXPECT_NE(world.At(x, 0, z), 0);
    }
  }
}

TEST(Sample, DefaultWorldShowsEveryMaterial) {
  KILN_ASSERT_OK_AND_ASSIGN(const SampleWorld world,
                            MakeSampleWorld({.seed = 2}));
  std::set<int> seen(world.materials.begin(), world.materials.end());
  seen.insert(static_cast<int>(SampleMaterial::kSnow));  // only on high peaks
  EXPECT_EQ(seen.size(), static_cast<size_t>(kSampleMaterialCount));
  for (const int id : seen) EXPECT_NE(SampleMaterialName(id), "");
}

// Where somebody two voxels tall gets who climbs and drops one voxel a step.
class Walker {
 public:
  explicit Walker(const SampleWorld& world)
      : world_(world), seen_(world.materials.size()) {}

  void WalkFrom(const Vec3i& start) {
    std::deque<Vec3i> open = {start};
    while (!open.empty()) {
      const Vec3i at = open.front();
      open.pop_front();
      for (const Vec3i step :
           {Vec3i{1, 0, 0}, Vec3i{-1, 0, 0}, Vec3i{0, 0, 1}, Vec3i{0, 0, -1}}) {
        for (const int climb : {-1, 0, 1}) {
          const Vec3i to = at + step + Vec3i{0, climb, 0};
          if (!CanStand(to)) continue;
          // Headroom over the step, on the side that is lower.
          const Vec3i low = climb > 0 ? at : to;
          if (climb != 0 && Solid(low + Vec3i{0, 2, 0})) continue;
          std::vector<bool>::reference seen =
              seen_[world_.Index(to.x, to.y, to.z)];
          if (seen) continue;
          seen = true;
          open.push_back(to);
        }
      }
    }
  }
  bool Reached(const Vec3i& v) const {
    return seen_[world_.Index(v.x, v.y, v.z)];
  }

  bool CanStand(const Vec3i& v) const {
    return v.y > 0 && Solid(v + Vec3i{0, -1, 0}) && !Solid(v) &&
           !Solid(v + Vec3i{0, 1, 0});
  }

 private:
  bool Solid(const Vec3i& v) const {
    const Vec3i& s = world_.size;
    if (v.x < 0 || v.z < 0 || v.x >= s.x || v.z >= s.z) return true;
    return v.y < s.y && world_.At(v.x, v.y, v.z) != 0;
  }

  const SampleWorld& world_;
  std::vector<bool> seen_;
};

// The castle is meant to be walked: from the road over the bridge and through
// the gate to all storeys of the keep and, by the winding stairs, to the walls.
TEST(Sample, CastleIsWalkableToTheTop) {
  for (const int edge : {100, 128, 192}) {
    KILN_ASSERT_OK_AND_ASSIGN(
        const SampleWorld world,
        MakeSampleWorld({.seed = 1, .size = {edge, 96, edge}}));
    const int half = std::min(edge / 5, 36);
    const Vec3i center = {edge / 2, 96 * 7 / 16, edge / 2};
    Walker walker(world);
    walker.WalkFrom(center + Vec3i{0, 0, -half - 12});

    const auto reached = [&](const Vec3i& v) {
      return walker.Reached(center + v);
    };
    EXPECT_TRUE(reached({0, 0, -half + 10})) << "court, edge " << edge;
    for (int storey = 0; storey < 3; ++storey) {
      for (const int side : {-4, 4}) {  // rooms left and right of the wall
        EXPECT_TRUE(reached({side, storey * 6, 6}))
            << "storey " << storey << ", edge " << edge;
      }
    }
    EXPECT_TRUE(reached({half / 2 + 3, 9, half - 2})) << "wall walk " << edge;
    EXPECT_TRUE(reached({0, 8, -half})) << "room over the gate " << edge;
  }
}

}  // namespace
}  // namespace kiln::core
