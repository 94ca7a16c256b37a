#include "core/voxel/sample/sample_grids.h"

#include <cmath>

#include "core/base/random.h"

namespace kiln::core {
namespace {

// A value in [0, 1) for each point of the integer lattice.
float Lattice(int x, int y, int z) {
  uint32_t h = static_cast<uint32_t>(x) * 374761393u +
               static_cast<uint32_t>(y) * 668265263u +
               static_cast<uint32_t>(z) * 2147483647u;
  h = (h ^ (h >> 13)) * 1274126177u;
  h ^= h >> 16;
  return static_cast<float>(h & 0xffffff) / 16777216.0f;
}

float Mix(float a, float b, float t) { return a + (b - a) * t; }
float Smooth(float t) { return t * t * (3 - 2 * t); }

// Value noise: the lattice, smoothly interpolated.
float Octave(float x, float y, float z) {
  const int ix = static_cast<int>(std::floor(x));
  const int iy = static_cast<int>(std::floor(y));
  const int iz = static_cast<int>(std::floor(z));
  const float tx = Smooth(x - static_cast<float>(ix));
  const float ty = Smooth(y - static_cast<float>(iy));
  const float tz = Smooth(z - static_cast<float>(iz));
  float layers[2];
  for (int k = 0; k < 2; ++k) {
    layers[k] = Mix(
        Mix(Lattice(ix, iy, iz + k), Lattice(ix + 1, iy, iz + k), tx),
        Mix(Lattice(ix, iy + 1, iz + k), Lattice(ix + 1, iy + 1, iz + k), tx),
        ty);
  }
  return Mix(layers[0], layers[1], tz);
}

// Four octaves of amplitudes 1/2 .. 1/16.
float Noise(float x, float y, float z) {
  float sum = 0;
  float amplitude = 0.5f;
  for (int i = 0; i < 4; ++i) {
    sum += amplitude * Octave(x, y, z);
    x *= 2, y *= 2, z *= 2, amplitude *= 0.5f;
  }
  return sum;
}

template <typename IsSolid>
std::vector<uint8_t> Fill(int edge, IsSolid is_solid) {
  std::vector<uint8_t> voxels;
  const auto n = static_cast<size_t>(edge);
  voxels.reserve(n * n * n);
  for (int z = 0; z < edge; ++z) {
    for (int y = 0; y < edge; ++y) {
      for (int x = 0; x < edge; ++x) voxels.push_back(is_solid(x, y, z));
    }
  }
  return voxels;
}

float Scaled(int coordinate, float scale) {
  return static_cast<float>(coordinate) * scale;
}

bool InHills(int x, int y, int z, int edge) {
  const float height =
      Noise(Scaled(x, 0.05f), 0, Scaled(z, 0.05f)) * static_cast<float>(edge);
  return y < edge * 0.2 + height * 0.7;
}

bool InCaves(int x, int y, int z) {
  return Noise(Scaled(x, 0.08f), Scaled(y, 0.08f), Scaled(z, 0.08f)) > 0.45;
}

bool InBall(int x, int y, int z, int edge) {
  const auto centred = [edge](int c) {
    return static_cast<float>(c - edge / 2.0 + 0.5);
  };
  const float dx = centred(x), dy = centred(y), dz = centred(z);
  return std::sqrt(dx * dx + dy * dy + dz * dz) < edge * 0.48;
}

}  // namespace

std::optional<SampleGrid> MakeSampleGrid(absl::string_view name, int edge) {
  const auto filled = [name, edge](auto is_solid) {
    return SampleGrid{std::string(name), edge, Fill(edge, is_solid)};
  };
  if (name == "hills") {
    return filled(
        [edge](int x, int y, int z) { return InHills(x, y, z, edge); });
  }
  if (name == "caves") return filled(InCaves);
  if (name == "ball") {
    return filled(
        [edge](int x, int y, int z) { return InBall(x, y, z, edge); });
  }
  if (name == "flat") {
    return filled([edge](int, int y, int) { return 2 * y < edge; });
  }
  if (name == "noise") {
    Random random(1);
    return filled([&random](int, int, int) { return random.Below(2); });
  }
  return std::nullopt;
}

}  // namespace kiln::core
