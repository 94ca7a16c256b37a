// tests/support/grids.h
//
// The named grids that Kiln's figures are quoted for: hills, caves and a ball
// of N x N x N bytes, 1 = solid, x fastest, then y (up), then z. Their counts
// of solid voxels are fixed, so box counts can be compared with published ones.

#ifndef KILN_TESTS_SUPPORT_GRIDS_H_
#define KILN_TESTS_SUPPORT_GRIDS_H_

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/geometry/vec3.h"
#include "core/voxel/voxel_block.h"
#include "core/voxel/voxel_view.h"

namespace kiln::tests {

struct NamedGrid {
  std::string name;  // "hills", "caves" or "ball"
  int edge = 0;      // voxels
  std::vector<uint8_t> voxels;

  core::Vec3i size() const { return {edge, edge, edge}; }
  core::VoxelView<uint8_t> view() const {
    return core::DenseView(voxels.data(), size());
  }
};

namespace internal {

// A value in [0, 1) for each point of the integer lattice.
inline float LatticeNoise(int x, int y, int z) {
  uint32_t h = static_cast<uint32_t>(x) * 374761393u +
               static_cast<uint32_t>(y) * 668265263u +
               static_cast<uint32_t>(z) * 2147483647u;
  h = (h ^ (h >> 13)) * 1274126177u;
  h ^= h >> 16;
  return static_cast<float>(h & 0xffffff) / 16777216.0f;
}

inline float Mix(float a, float b, float t) { return a + (b - a) * t; }
inline float SmoothStep(float t) { return t * t * (3 - 2 * t); }

// One octave of value noise: the lattice, smoothly interpolated.
inline float ValueNoise(float x, float y, float z) {
  const int x0 = static_cast<int>(std::floor(x));
  const int y0 = static_cast<int>(std::floor(y));
  const int z0 = static_cast<int>(std::floor(z));
  const float tx = SmoothStep(x - static_cast<float>(x0));
  const float ty = SmoothStep(y - static_cast<float>(y0));
  const float tz = SmoothStep(z - static_cast<float>(z0));
  const auto along_x = [&](int y1, int z1) {
    return Mix(LatticeNoise(x0, y1, z1), LatticeNoise(x0 + 1, y1, z1), tx);
  };
  const auto along_xy = [&](int z1) {
    return Mix(along_x(y0, z1), along_x(y0 + 1, z1), ty);
  };
  return Mix(along_xy(z0), along_xy(z0 + 1), tz);
}

// Four octaves of amplitudes 1/2 .. 1/16.
inline float FractalNoise(float x, float y, float z) {
  float sum = 0;
  float amplitude = 0.5f;
  for (int octave = 0; octave < 4; ++octave) {
    sum += amplitude * ValueNoise(x, y, z);
    x *= 2;
    y *= 2;
    z *= 2;
    amplitude *= 0.5f;
  }
  return sum;
}

template <typename IsSolid>
NamedGrid FillGrid(std::string name, int edge, IsSolid is_solid) {
  NamedGrid grid;
  grid.name = std::move(name);
  grid.edge = edge;
  grid.voxels.reserve(static_cast<size_t>(core::Volume(grid.size())));
  for (int z = 0; z < edge; ++z) {
    for (int y = 0; y < edge; ++y) {
      for (int x = 0; x < edge; ++x) {
        grid.voxels.push_back(is_solid(x, y, z) ? 1 : 0);
      }
    }
  }
  return grid;
}

}  // namespace internal

inline NamedGrid HillsGrid(int edge) {
  return internal::FillGrid("hills", edge, [edge](int x, int y, int z) {
    const float height =
        internal::FractalNoise(static_cast<float>(x) * 0.05f, 0,
                               static_cast<float>(z) * 0.05f) *
        static_cast<float>(edge);
    return y < edge * 0.2 + height * 0.7;
  });
}

inline NamedGrid CavesGrid(int edge) {
  return internal::FillGrid("caves", edge, [](int x, int y, int z) {
    return internal::FractalNoise(static_cast<float>(x) * 0.08f,
                                  static_cast<float>(y) * 0.08f,
                                  static_cast<float>(z) * 0.08f) > 0.45;
  });
}

inline NamedGrid BallGrid(int edge) {
  return internal::FillGrid("ball", edge, [edge](int x, int y, int z) {
    const float dx = static_cast<float>(x - edge / 2.0 + 0.5);
    const float dy = static_cast<float>(y - edge / 2.0 + 0.5);
    const float dz = static_cast<float>(z - edge / 2.0 + 0.5);
    return std::sqrt(dx * dx + dy * dy + dz * dz) < edge * 0.48;
  });
}

inline std::vector<NamedGrid> NamedGrids(int edge) {
  return {HillsGrid(edge), CavesGrid(edge), BallGrid(edge)};
}

// The same voxels as a block of one class.
inline core::VoxelBlock BlockOf(const NamedGrid& grid) {
  core::VoxelBlock block;
  block.occupancy.Reset(grid.size());
  for (int z = 0; z < grid.edge; ++z) {
    for (int y = 0; y < grid.edge; ++y) {
      for (int x = 0; x < grid.edge; ++x) {
        if (grid.view().At(x, y, z) != 0) block.occupancy.Set(x, y, z);
      }
    }
  }
  return block;
}

}  // namespace kiln::tests

#endif  // KILN_TESTS_SUPPORT_GRIDS_H_
