#include "core/voxel/sample/sample_castle.h"

#include <algorithm>
#include <cstdlib>

namespace kiln::core::internal {
namespace {

using Material = SampleMaterial;

constexpr int kWallThickness = 3;
constexpr int kWallHeight = 9;
constexpr int kTowerRadius = 6;
constexpr int kTowerHeight = 18;
constexpr int kStoreyHeight = 6;
constexpr int kStoreys = 3;
constexpr int kMoatGap = 4;
constexpr int kMoatWidth = 6;
constexpr int kMoatDepth = 5;

// Draws in voxels relative to the castle's centre; clips at the world's edge.
class Pen {
 public:
  Pen(const CastleSite& site, SampleWorld& world)
      : center_(site.center), world_(world) {}

  void Set(int x, int y, int z, Material material) {
    const Vec3i v = center_ + Vec3i{x, y, z};
    const Vec3i& size = world_.size;
    if (v.x < 0 || v.y < 0 || v.z < 0 || v.x >= size.x || v.y >= size.y ||
        v.z >= size.z) {
      return;
    }
    world_.materials[world_.Index(v.x, v.y, v.z)] =
        static_cast<uint8_t>(material);
  }

  // All of [min, max).
  void Box(const Vec3i& min, const Vec3i& max, Material material) {
    for (int z = min.z; z < max.z; ++z) {
      for (int y = min.y; y < max.y; ++y) {
        for (int x = min.x; x < max.x; ++x) Set(x, y, z, material);
      }
    }
  }
  void Dig(const Vec3i& min, const Vec3i& max) {
    Box(min, max, Material::kAir);
  }

  // The four walls of [min, max), `thickness` deep, without floor or roof.
  void Walls(const Vec3i& min, const Vec3i& max, int thickness,
             Material material) {
    const int t = thickness;
    Box(min, {max.x, max.y, min.z + t}, material);
    Box({min.x, min.y, max.z - t}, max, material);
    Box(min, {min.x + t, max.y, max.z}, material);
    Box({max.x - t, min.y, min.z}, max, material);
  }

  // Layer y of a disc around (x, z): cells nearer than radius + 1/2.
  void Disc(int x, int z, int y, int radius, Material material) {
    for (int dz = -radius; dz <= radius; ++dz) {
      for (int dx = -radius; dx <= radius; ++dx) {
        if (dx * dx + dz * dz <= radius * radius + radius) {
          Set(x + dx, y, z + dz, material);
        }
      }
    }
  }

 private:
  Vec3i center_;
  SampleWorld& world_;
};

// Merlons of two, gaps of two, along the top of the walls of [min, max).
void Battlements(const Vec3i& min, const Vec3i& max, int y, Pen& pen) {
  const auto merlon = [](int along) { return (along & 3) < 2; };
  for (int x = min.x; x < max.x; ++x) {
    if (!merlon(x - min.x)) continue;
    pen.Set(x, y, min.z, Material::kMasonry);
    pen.Set(x, y, max.z - 1, Material::kMasonry);
  }
  for (int z = min.z; z < max.z; ++z) {
    if (!merlon(z - min.z)) continue;
    pen.Set(min.x, y, z, Material::kMasonry);
    pen.Set(max.x - 1, y, z, Material::kMasonry);
  }
}

// A gable roof with overhang whose ridge runs along x.
void GableRoof(const Vec3i& min, const Vec3i& max, int y, Pen& pen) {
  const int depth = max.z - min.z;
  for (int step = 0; step <= (depth + 1) / 2; ++step) {
    const int near = min.z - 1 + step;
    const int far = max.z - step;
    if (near > far) break;
    pen.Box({min.x - 1, y + step, near}, {max.x + 1, y + step + 1, near + 1},
            Material::kRoof);
    pen.Box({min.x - 1, y + step, far}, {max.x + 1, y + step + 1, far + 1},
            Material::kRoof);
    // Gable ends close the loft.
    for (const int x : {min.x, max.x - 1}) {
      pen.Box({x, y + step, near + 1}, {x + 1, y + step + 1, far},
              Material::kPlanks);
    }
  }
}

void DigMoat(int half, Pen& pen) {
  const int inner = half + kMoatGap;
  const int outer = inner + kMoatWidth;
  for (int depth = 1; depth <= kMoatDepth; ++depth) {
    // Sloped banks: one voxel narrower on each side every two layers.
    const int lip = (depth - 1) / 2;
    for (int z = -outer; z < outer; ++z) {
      for (int x = -outer; x < outer; ++x) {
        const int ring = std::max(x < 0 ? -x - 1 : x, z < 0 ? -z - 1 : z);
        if (ring < inner + lip || ring >= outer - lip) continue;
        pen.Set(x, -depth, z, Material::kAir);
        if (depth == kMoatDepth) pen.Set(x, -depth - 1, z, Material::kSand);
      }
    }
  }
}

void BuildCurtainWall(int half, Pen& pen) {
  const Vec3i min = {-half, -2, -half};
  const Vec3i max = {half, kWallHeight, half};
  pen.Box({-half, -1, -half}, {half, 0, half}, Material::kCobble);
  pen.Dig({-half, 0, -half}, {half, kWallHeight + 4, half});
  pen.Walls(min, max, kWallThickness, Material::kMasonry);
  // The parapet leaves a walk of two voxels.
  pen.Walls({-half, kWallHeight, -half}, {half, kWallHeight + 1, half}, 1,
            Material::kMasonry);
  Battlements(min, max, kWallHeight + 1, pen);
  // Arrow slits, splayed: one voxel outside, open to the court.
  for (int along = -half + 12; along < half - 10; along += 8) {
    for (const int side : {-half, half - kWallThickness}) {
      pen.Dig({along, 3, side}, {along + 1, 6, side + kWallThickness});
      pen.Dig({side, 3, along}, {side + kWallThickness, 6, along + 1});
    }
  }
}

// One of eight sectors around a tower's axis, in turning order.
int Sector(int dx, int dz) {
  const bool steep = std::abs(dz) > std::abs(dx);
  if (dx > 0 && dz >= 0) return steep ? 1 : 0;
  if (dx <= 0 && dz > 0) return steep ? 2 : 3;
  if (dx < 0 && dz <= 0) return steep ? 5 : 4;
  return steep ? 6 : 7;
}

// A round tower with a winding stair from the court to its roof.
void BuildTower(int cx, int cz, Pen& pen) {
  constexpr int kInner = kTowerRadius - 2;
  for (int y = -2; y < kTowerHeight; ++y) {
    pen.Disc(cx, cz, y, kTowerRadius, Material::kMasonry);
    if (y >= 0) pen.Disc(cx, cz, y, kInner, Material::kAir);
  }
  // Stair treads, one sector a step, two turns; newel in the middle.
  for (int y = 0; y < kTowerHeight; ++y) {
    for (int dz = -kInner; dz <= kInner; ++dz) {
      for (int dx = -kInner; dx <= kInner; ++dx) {
        if (dx * dx + dz * dz > kInner * kInner + kInner) continue;
        const bool newel = dx == 0 && dz == 0;
        if (newel || Sector(dx, dz) == (y & 7)) {
          pen.Set(cx + dx, y, cz + dz,
                  newel ? Material::kBeam : Material::kCobble);
        }
      }
    }
  }
  // Towards the court: a door below, and along both walls at the walk.
  const int sx = cx > 0 ? -1 : 1;
  const int sz = cz > 0 ? -1 : 1;
  for (int step = 3; step <= kTowerRadius; ++step) {
    const int x = cx + sx * step, z = cz + sz * step;
    pen.Dig({x - 1, 0, z - 1}, {x + 1, 4, z + 1});
  }
  constexpr int kWalk = kWallHeight;
  const int x0 = std::min(cx, cx + sx * (kTowerRadius + 2));
  const int z0 = std::min(cz, cz + sz * (kTowerRadius + 2));
  pen.Dig({x0, kWalk, cz - 1}, {x0 + kTowerRadius + 2, kWalk + 4, cz + 1});
  pen.Dig({cx - 1, kWalk, z0}, {cx + 1, kWalk + 4, z0 + kTowerRadius + 2});
  // Slits outwards, then a ring of battlements and a pointed roof on posts.
  for (const int y : {5, 13}) {
    pen.Dig({cx, y, cz}, {cx + 1, y + 3, cz + 1});
    for (int step = kInner; step <= kTowerRadius; ++step) {
      pen.Dig({cx - sx * step, y, cz}, {cx - sx * step + 1, y + 3, cz + 1});
      pen.Dig({cx, y, cz - sz * step}, {cx + 1, y + 3, cz - sz * step + 1});
    }
  }
  for (int y = kTowerHeight; y < kTowerHeight + 2; ++y) {
    pen.Disc(cx, cz, y, kTowerRadius + 1, Material::kMasonry);
    pen.Disc(cx, cz, y, kInner, Material::kAir);
  }
  for (int step = 0; step <= 2 * (kTowerRadius + 1); ++step) {
    const int y = kTowerHeight + 2 + step;
    const int radius = kTowerRadius + 1 - step / 2;
    pen.Disc(cx, cz, y, radius, Material::kRoof);
    if (radius > 1) pen.Disc(cx, cz, y, radius - 1, Material::kAir);
  }
}

// The gate in the wall at -z: an arched passage, a room above it, a bridge.
void BuildGatehouse(int half, Pen& pen) {
  const Vec3i min = {-8, -2, -half - 3};
  const Vec3i max = {8, 14, -half + 7};
  pen.Box(min, max, Material::kMasonry);
  pen.Dig({min.x + 2, 8, min.z + 2}, {max.x - 2, 13, max.z - 2});
  pen.Box({min.x + 2, 7, min.z + 2}, {max.x - 2, 8, max.z - 2},
          Material::kPlanks);
  Battlements(min, max, 14, pen);
  // The arch: five wide to shoulder height, narrowing above.
  for (int y = 0; y < 6; ++y) {
    const int reach = y < 4 ? 3 : y < 5 ? 2 : 1;
    pen.Dig({-reach, y, min.z}, {reach, y + 1, max.z});
  }
  pen.Box({-3, -1, min.z}, {3, 0, max.z}, Material::kCobble);
  // Doors from the room to the walks, windows to the front and to the court.
  const int walk_z = -half + 1;
  pen.Dig({min.x, kWallHeight, walk_z},
          {min.x + 2, kWallHeight + 3, walk_z + 2});
  pen.Dig({max.x - 2, kWallHeight, walk_z},
          {max.x, kWallHeight + 3, walk_z + 2});
  for (const int x : {-4, 2}) {
    pen.Dig({x, 9, min.z}, {x + 2, 12, min.z + 2});
    pen.Dig({x, 9, max.z - 2}, {x + 2, 12, max.z});
  }
  // The bridge over the moat, and the road to it.
  const int moat_end = -half - kMoatGap - kMoatWidth;
  pen.Box({-3, -1, moat_end - 4}, {3, 0, min.z}, Material::kCobble);
  pen.Box({-3, -1, moat_end - 1}, {3, 0, -half - kMoatGap + 1},
          Material::kPlanks);
  for (const int x : {-4, 3}) {
    pen.Box({x, -1, moat_end - 1}, {x + 1, 1, -half - kMoatGap + 1},
            Material::kBeam);
  }
}

// A straight stair along +x from one storey to the next, with its stairwell.
void BuildStair(int x, int y, int z, Pen& pen) {
  constexpr int kWidth = 2;
  pen.Dig({x, y + kStoreyHeight - 1, z},
          {x + 6, y + kStoreyHeight, z + kWidth});
  for (int step = 0; step < kStoreyHeight; ++step) {
    pen.Box({x + step, y, z}, {x + step + 1, y + step + 1, z + kWidth},
            Material::kPlanks);
  }
}

// Windows of two by two in the outer walls of a storey, every five voxels.
void CutWindows(const Vec3i& min, const Vec3i& max, int y, Pen& pen) {
  for (int x = min.x + 4; x + 2 <= max.x - 3; x += 5) {
    pen.Dig({x, y, min.z}, {x + 2, y + 2, min.z + 2});
    pen.Dig({x, y, max.z - 2}, {x + 2, y + 2, max.z});
  }
  for (int z = min.z + 4; z + 2 <= max.z - 3; z += 5) {
    pen.Dig({min.x, y, z}, {min.x + 2, y + 2, z + 2});
    pen.Dig({max.x - 2, y, z}, {max.x, y + 2, z + 2});
  }
}

// Two walls across a storey that make four rooms, each with doors to the next.
void DivideStorey(const Vec3i& min, const Vec3i& max, int y, Pen& pen) {
  const int top = y + kStoreyHeight - 1;
  const int mid_x = (min.x + max.x) / 2;
  const int mid_z = (min.z + max.z) / 2;
  pen.Box({mid_x, y, min.z + 2}, {mid_x + 1, top, max.z - 2},
          Material::kPlanks);
  pen.Box({min.x + 2, y, mid_z}, {max.x - 2, top, mid_z + 1},
          Material::kPlanks);
  const int quarter_x = (max.x - min.x) / 4;
  const int quarter_z = (max.z - min.z) / 4;
  for (const int side : {-1, 1}) {
    const int door_x = mid_x + side * quarter_x;
    const int door_z = mid_z + side * quarter_z;
    pen.Dig({door_x, y, mid_z}, {door_x + 2, y + 3, mid_z + 1});
    pen.Dig({mid_x, y, door_z}, {mid_x + 1, y + 3, door_z + 2});
  }
}

// The keep: three storeys of four rooms under a gable roof.
void BuildKeep(int half, Pen& pen) {
  const int z0 = 0;
  const Vec3i min = {-half / 2 - 1, 0, z0};
  const Vec3i max = {half / 2 + 1, kStoreys * kStoreyHeight,
                     z0 + half * 2 / 3 + 2};
  pen.Dig(min, {max.x, max.y + 1, max.z});
  pen.Box({min.x, -2, min.z}, {max.x, 0, max.z}, Material::kMasonry);
  pen.Walls(min, max, 2, Material::kMasonry);
  for (int storey = 0; storey < kStoreys; ++storey) {
    const int y = storey * kStoreyHeight;
    pen.Box({min.x + 2, y - 1, min.z + 2}, {max.x - 2, y, max.z - 2},
            Material::kPlanks);
    DivideStorey(min, max, y, pen);
    CutWindows(min, max, y + 2, pen);
  }
  // Ceiling of the last storey, then the stairs: each starts above the end of
  // the one below, so a walker never meets a wall.
  pen.Box({min.x + 2, max.y - 1, min.z + 2}, {max.x - 2, max.y, max.z - 2},
          Material::kPlanks);
  for (int storey = 0; storey + 1 < kStoreys; ++storey) {
    const int z = storey % 2 == 0 ? min.z + 3 : max.z - 5;
    BuildStair(min.x + 3, storey * kStoreyHeight, z, pen);
  }
  // The front door, with steps.
  pen.Dig({-6, 0, min.z}, {-2, 4, min.z + 2});
  GableRoof(min, max, max.y, pen);
  // A chimney through the roof.
  pen.Walls({max.x - 7, max.y, max.z - 8},
            {max.x - 3, max.y + half / 3 + 2, max.z - 4}, 1, Material::kCobble);
}

// A one-room house of beams and planks; its door faces -z.
void BuildHouse(const Vec3i& min, Pen& pen) {
  const Vec3i max = min + Vec3i{9, 5, 8};
  pen.Walls(min, max, 1, Material::kPlanks);
  pen.Box({min.x, -1, min.z}, {max.x, 0, max.z}, Material::kPlanks);
  for (const int x : {min.x, max.x - 1}) {
    for (const int z : {min.z, max.z - 1}) {
      pen.Box({x, 0, z}, {x + 1, 5, z + 1}, Material::kBeam);
    }
  }
  pen.Dig({min.x + 4, 0, min.z}, {min.x + 6, 3, min.z + 1});
  pen.Dig({min.x, 2, min.z + 3}, {min.x + 1, 4, min.z + 5});
  pen.Dig({max.x - 1, 2, min.z + 3}, {max.x, 4, min.z + 5});
  GableRoof(min, max, max.y, pen);
}

// A well: a ring of stone around a shaft.
void BuildWell(int x, int z, Pen& pen) {
  for (int y = -10; y < 2; ++y) {
    pen.Disc(x, z, y, 2, Material::kCobble);
    if (y >= -8) pen.Disc(x, z, y, 1, Material::kAir);
  }
  for (const int side : {-2, 2}) {
    pen.Box({x + side, 0, z}, {x + side + 1, 5, z + 1}, Material::kBeam);
  }
  pen.Box({x - 3, 5, z - 1}, {x + 4, 6, z + 2}, Material::kRoof);
}

}  // namespace

void BuildCastle(const CastleSite& site, SampleWorld& world) {
  Pen pen(site, world);
  const int half = site.half_extent;
  DigMoat(half, pen);
  BuildCurtainWall(half, pen);
  BuildKeep(half, pen);
  BuildGatehouse(half, pen);
  for (const int cz : {-half + 1, half - 2}) {
    for (const int cx : {-half + 1, half - 2}) BuildTower(cx, cz, pen);
  }
  // Houses only where the court has room for them beside the gate.
  if (half >= 28) {
    BuildHouse({-half + 6, 0, -half + 12}, pen);
    BuildHouse({half - 15, 0, -half + 12}, pen);
  }
  BuildWell(half / 4, -half / 4, pen);
}

}  // namespace kiln::core::internal
