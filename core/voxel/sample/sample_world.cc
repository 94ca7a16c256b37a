#include "core/voxel/sample/sample_world.h"

#include <algorithm>
#include <iterator>

#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "core/voxel/sample/sample_castle.h"

namespace kiln::core {
namespace {

using internal::CastleSite;

constexpr int kMinEdge = 48;
constexpr int kMaxGroundEdge = 1024;
constexpr int kMaxHeight = 256;

// Fixed point: 1.0 in noise, weights and fractions.
constexpr int64_t kOne = 1 << 16;

struct MaterialInfo {
  absl::string_view name;
  uint32_t color;
};
constexpr MaterialInfo kMaterials[kSampleMaterialCount] = {
    {"air", 0x000000},    {"grass", 0x6aa84f},  {"dirt", 0x8a6642},
    {"stone", 0x84878c},  {"sand", 0xdcc58a},   {"snow", 0xf2f5f7},
    {"trunk", 0x5f4330},  {"leaves", 0x3f7d3a}, {"masonry", 0xb7ab98},
    {"cobble", 0x75706a}, {"planks", 0xb08350}, {"beam", 0x6b4a2e},
    {"roof", 0xa8453a},
};

// Which noise a hash belongs to: each gets numbers of its own from one seed.
enum Channel : uint64_t {
  kHills = 1,
  kValleys,
  kTunnelA,
  kTunnelB,
  kCaverns,
  kTrees,
  kRocks,
};

// A hash of a lattice point: the finalizer of SplitMix64 over all inputs.
uint64_t HashPoint(uint64_t seed, uint64_t channel, int x, int y, int z) {
  uint64_t h = seed * 0x9e3779b97f4a7c15u + channel;
  for (const int v : {x, y, z}) {
    h = (h ^ static_cast<uint32_t>(v)) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
  }
  h = (h ^ (h >> 30)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

// 0..kOne - 1 at a lattice point.
int64_t LatticeValue(uint64_t seed, uint64_t channel, int x, int y, int z) {
  return static_cast<int64_t>(HashPoint(seed, channel, x, y, z) >> 48);
}

// 3t^2 - 2t^3 of a fraction, so that noise has no creases at lattice planes.
int64_t Smooth(int64_t t) { return ((t * t) >> 16) * (3 * kOne - 2 * t) >> 16; }

int64_t Lerp(int64_t a, int64_t b, int64_t t) {
  return a + (((b - a) * t) >> 16);
}

// Value noise in a plane, 0..kOne - 1; one lattice cell is `cell` voxels.
// Requires: x, z >= 0.
int64_t Noise2(uint64_t seed, uint64_t channel, int cell, int x, int z) {
  const int cx = x / cell, cz = z / cell;
  const int64_t tx = Smooth((x % cell) * kOne / cell);
  const int64_t tz = Smooth((z % cell) * kOne / cell);
  const auto at = [&](int dx, int dz) {
    return LatticeValue(seed, channel, cx + dx, cell, cz + dz);
  };
  return Lerp(Lerp(at(0, 0), at(1, 0), tx), Lerp(at(0, 1), at(1, 1), tx), tz);
}

// Value noise in space along a column, which asks for y = 0, 1, 2 ... in turn:
// the eight lattice values change once in `cell` steps only.
class ColumnNoise {
 public:
  ColumnNoise(uint64_t seed, uint64_t channel, int cell, int x, int z)
      : seed_(seed),
        channel_(channel),
        cell_(cell),
        x_(x / cell),
        z_(z / cell),
        tx_(Smooth((x % cell) * kOne / cell)),
        tz_(Smooth((z % cell) * kOne / cell)) {}

  int64_t At(int y) {
    const int cy = y / cell_;
    if (cy != layer_) {
      below_ = cy == layer_ + 1 && layer_ >= 0 ? above_ : Plane(cy);
      above_ = Plane(cy + 1);
      layer_ = cy;
    }
    return Lerp(below_, above_, Smooth((y % cell_) * kOne / cell_));
  }

 private:
  int64_t Plane(int y) const {
    const auto at = [&](int dx, int dz) {
      return LatticeValue(seed_, channel_, x_ + dx, y, z_ + dz);
    };
    return Lerp(Lerp(at(0, 0), at(1, 0), tx_), Lerp(at(0, 1), at(1, 1), tx_),
                tz_);
  }

  uint64_t seed_, channel_;
  int cell_, x_, z_;
  int64_t tx_, tz_;
  int layer_ = -2;
  int64_t below_ = 0, above_ = 0;
};

class Terrain {
 public:
  explicit Terrain(const SampleOptions& options);

  const CastleSite& site() const { return site_; }
  // First layer of air above the ground, caves not counted.
  int Height(int x, int z) const {
    return heights_[static_cast<size_t>(x + size_.x * z)];
  }
  void FillColumn(int x, int z, SampleWorld& world) const;
  void PlantTrees(SampleWorld& world) const;

 private:
  int OpenHeight(int x, int z) const;
  SampleMaterial Ground(int y, int height, int slope) const;
  int Slope(int x, int z) const;
  // Voxels from (x, z) to the castle's reach, <= 0 inside.
  int CastleDistance(int x, int z) const {
    return std::max(std::abs(x - site_.center.x),
                    std::abs(z - site_.center.z)) -
           site_.Reach();
  }
  void PlantTree(int x, int z, uint64_t hash, SampleWorld& world) const;

  uint64_t seed_;
  Vec3i size_;
  int sea_;  // below this the shore is sand
  CastleSite site_;
  std::vector<int> heights_;
};

Terrain::Terrain(const SampleOptions& options)
    : seed_(options.seed), size_(options.size), sea_(options.size.y * 5 / 16) {
  const int ground = std::min(size_.x, size_.z);
  site_.half_extent = std::clamp(ground / 5, 0, 36);
  // A castle below 20 voxels has no rooms left; small worlds are wild.
  if (site_.half_extent < 20) site_.half_extent = 0;
  site_.center = {size_.x / 2, size_.y * 7 / 16, size_.z / 2};
  heights_.reserve(static_cast<size_t>(size_.x) * static_cast<size_t>(size_.z));
  for (int z = 0; z < size_.z; ++z) {
    for (int x = 0; x < size_.x; ++x) heights_.push_back(OpenHeight(x, z));
  }
}

int Terrain::OpenHeight(int x, int z) const {
  int64_t hills = 0;
  int64_t weights = 0;
  for (const auto& [cell, weight] :
       {std::pair{72, 8}, {36, 4}, {18, 2}, {9, 1}}) {
    hills += weight * Noise2(seed_, kHills, cell, x, z);
    weights += weight;
  }
  hills /= weights;
  // Valleys wind where a second noise crosses its middle.
  const int64_t middle = Noise2(seed_, kValleys, 80, x, z) - kOne / 2;
  const int64_t valley = std::clamp<int64_t>(std::abs(middle) * 6, 0, kOne);
  // Squared: wide lowlands, steep heights.
  const int64_t relief = (hills * hills) >> 16;
  const int low = sea_ - size_.y / 16;
  const int span = size_.y * 15 / 16 - low;
  int64_t height = low + ((relief * span * Smooth(valley)) >> 32);

  if (site_.half_extent > 0) {
    constexpr int kSlope = 22;  // voxels from the castle's hill to open land
    const int distance = std::clamp(CastleDistance(x, z), 0, kSlope);
    height = Lerp(site_.center.y, height, Smooth(distance * kOne / kSlope));
  }
  return static_cast<int>(std::clamp<int64_t>(height, 4, size_.y - 2));
}

int Terrain::Slope(int x, int z) const {
  const int h = Height(x, z);
  int slope = 0;
  if (x > 0) slope = std::max(slope, std::abs(h - Height(x - 1, z)));
  if (z > 0) slope = std::max(slope, std::abs(h - Height(x, z - 1)));
  return slope;
}

SampleMaterial Terrain::Ground(int y, int height, int slope) const {
  const int depth = height - 1 - y;
  if (depth >= 4) return SampleMaterial::kStone;
  if (height <= sea_ + 1) return SampleMaterial::kSand;
  if (height >= size_.y * 3 / 4) {
    return depth < 2 && slope < 3 ? SampleMaterial::kSnow
                                  : SampleMaterial::kStone;
  }
  if (slope >= 3) return SampleMaterial::kStone;
  return depth == 0 ? SampleMaterial::kGrass : SampleMaterial::kDirt;
}

void Terrain::FillColumn(int x, int z, SampleWorld& world) const {
  const int height = Height(x, z);
  const int slope = Slope(x, z);
  // Caves leave a floor at the bottom of the world and a roof under the castle.
  constexpr int kFloor = 2;
  const bool under_castle = site_.half_extent > 0 && CastleDistance(x, z) <= 0;
  const int ceiling = under_castle ? height - 14 : height;
  ColumnNoise tunnel_a(seed_, kTunnelA, 22, x, z);
  ColumnNoise tunnel_b(seed_, kTunnelB, 27, x, z);
  ColumnNoise caverns(seed_, kCaverns, 30, x, z);
  for (int y = 0; y < height; ++y) {
    if (y >= kFloor && y < ceiling) {
      // Where two noises are both near their middle there is a line: a tunnel.
      const int64_t a = tunnel_a.At(y) - kOne / 2;
      const int64_t b = tunnel_b.At(y) - kOne / 2;
      if (((a * a + b * b) >> 16) < kOne / 256) continue;
      if (y < height - 8 && caverns.At(y) > kOne * 13 / 16) continue;
    }
    world.materials[world.Index(x, y, z)] =
        static_cast<uint8_t>(Ground(y, height, slope));
  }
}

void Terrain::PlantTrees(SampleWorld& world) const {
  // One try in each square of a coarse grid, jittered inside it.
  constexpr int kSpacing = 9;
  constexpr int kMargin = 3;
  for (int gz = 0; gz * kSpacing < size_.z; ++gz) {
    for (int gx = 0; gx * kSpacing < size_.x; ++gx) {
      const uint64_t hash = HashPoint(seed_, kTrees, gx, 0, gz);
      const int x = gx * kSpacing + static_cast<int>(hash % kSpacing);
      const int z = gz * kSpacing + static_cast<int>((hash >> 8) % kSpacing);
      if (x < kMargin || z < kMargin || x >= size_.x - kMargin ||
          z >= size_.z - kMargin) {
        continue;
      }
      if (site_.half_extent > 0 && CastleDistance(x, z) < 4) continue;
      // Forests: most tries take root where the noise is high.
      if (Noise2(seed_, kTrees, 40, x, z) < kOne * 7 / 16) continue;
      PlantTree(x, z, hash >> 16, world);
    }
  }
}

void Terrain::PlantTree(int x, int z, uint64_t hash, SampleWorld& world) const {
  const int ground = Height(x, z);
  const int trunk = 4 + static_cast<int>(hash % 3);
  const int radius = 2 + static_cast<int>((hash >> 4) % 2);
  if (ground + trunk + radius >= size_.y) return;
  if (world.At(x, ground - 1, z) !=
      static_cast<uint8_t>(SampleMaterial::kGrass)) {
    return;
  }
  const int middle = ground + trunk;
  for (int dz = -radius; dz <= radius; ++dz) {
    for (int dy = -radius; dy <= radius; ++dy) {
      for (int dx = -radius; dx <= radius; ++dx) {
        if (dx * dx + dy * dy + dz * dz > radius * radius + 1) continue;
        uint8_t& voxel =
            world.materials[world.Index(x + dx, middle + dy, z + dz)];
        if (voxel == 0) voxel = static_cast<uint8_t>(SampleMaterial::kLeaves);
      }
    }
  }
  for (int y = ground; y < middle; ++y) {
    world.materials[world.Index(x, y, z)] =
        static_cast<uint8_t>(SampleMaterial::kTrunk);
  }
}

absl::Status CheckSize(const Vec3i& size) {
  if (size.x < kMinEdge || size.x > kMaxGroundEdge) {
    return RangeError("size.x", size.x, kMinEdge, kMaxGroundEdge);
  }
  if (size.y < kMinEdge || size.y > kMaxHeight) {
    return RangeError("size.y", size.y, kMinEdge, kMaxHeight);
  }
  if (size.z < kMinEdge || size.z > kMaxGroundEdge) {
    return RangeError("size.z", size.z, kMinEdge, kMaxGroundEdge);
  }
  return absl::OkStatus();
}

}  // namespace

absl::string_view SampleMaterialName(int id) {
  return id >= 0 && id < kSampleMaterialCount ? kMaterials[id].name : "";
}

uint32_t SampleMaterialColor(int id) {
  return id >= 0 && id < kSampleMaterialCount ? kMaterials[id].color : 0;
}

absl::StatusOr<SampleWorld> MakeSampleWorld(const SampleOptions& options) {
  KILN_RETURN_IF_ERROR(CheckSize(options.size));
  SampleWorld world;
  world.size = options.size;
  world.materials.resize(static_cast<size_t>(Volume(world.size)));
  const Terrain terrain(options);
  for (int z = 0; z < world.size.z; ++z) {
    for (int x = 0; x < world.size.x; ++x) terrain.FillColumn(x, z, world);
  }
  terrain.PlantTrees(world);
  if (terrain.site().half_extent > 0) {
    internal::BuildCastle(terrain.site(), world);
  }
  return world;
}

}  // namespace kiln::core
