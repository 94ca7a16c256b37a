// core/voxel/sample/sample_world.h
//
// The project's own sample world: hills with caves under them and a castle with
// rooms, doors and stairs on top. What demos, benchmarks and tests bake.
//
// There is no water: it does not collide, so lakes and the moat are dry.

#ifndef KILN_CORE_VOXEL_SAMPLE_SAMPLE_WORLD_H_
#define KILN_CORE_VOXEL_SAMPLE_SAMPLE_WORLD_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/geometry/vec3.h"

namespace kiln::core {

// Ids of the sample's voxels; 0 is air. Values are part of the golden hash.
enum class SampleMaterial : uint8_t {
  kAir = 0,
  kGrass,
  kDirt,
  kStone,
  kSand,
  kSnow,
  kTrunk,
  kLeaves,
  kMasonry,
  kCobble,
  kPlanks,
  kBeam,
  kRoof,
};
inline constexpr int kSampleMaterialCount = 13;  // with air

// "grass" ...; "" for an id that is none.
absl::string_view SampleMaterialName(int id);
// 0xRRGGBB; 0 for an id that is none.
uint32_t SampleMaterialColor(int id);

struct SampleOptions {
  uint64_t seed = 1;
  // x and z 48..1024, y 48..256. May be longer than a block: it is meant to be
  // cut into blocks.
  Vec3i size = {192, 96, 192};
};

// Dense: voxel (x, y, z) is materials[x + size.x * (y + size.y * z)].
struct SampleWorld {
  Vec3i size;
  std::vector<uint8_t> materials;

  size_t Index(int x, int y, int z) const {
    return static_cast<size_t>(x) +
           static_cast<size_t>(size.x) *
               (static_cast<size_t>(y) +
                static_cast<size_t>(size.y) * static_cast<size_t>(z));
  }
  uint8_t At(int x, int y, int z) const { return materials[Index(x, y, z)]; }
};

// Errors:      kInvalidArgument for a size out of range.
// Guarantees:  the same bytes for the same options on every machine and with
//              every compiler: integers only.
// Cost:        about 60 ns and one byte a voxel.
absl::StatusOr<SampleWorld> MakeSampleWorld(const SampleOptions& options = {});

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_SAMPLE_SAMPLE_WORLD_H_
