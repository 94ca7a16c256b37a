#include "client/formats/boxes/box_scene.h"

#include <algorithm>

namespace kiln::client {
namespace {

using core::Vec3i;

// A number that looks random but belongs to this box at this place (SplitMix64
// finalizer).
uint64_t HashOf(const Vec3i& at, const core::Box& box) {
  uint64_t h = box.identity();
  for (const int v : {at.x, at.y, at.z}) {
    h = (h ^ static_cast<uint32_t>(v)) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 27;
  }
  h *= 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

// `share` in 1/256, above 256 lighter.
uint8_t Scale(uint8_t value, int share) {
  return static_cast<uint8_t>(std::min(255, value * share / 256));
}

// A fully saturated hue, 0..1535, mixed half with light grey.
Color Pastel(int hue) {
  const int rise = hue % 256;
  const int fall = 255 - rise;
  constexpr int kFull = 255;
  const int table[6][3] = {{kFull, rise, 0}, {fall, kFull, 0},
                           {0, kFull, rise}, {0, fall, kFull},
                           {rise, 0, kFull}, {kFull, 0, fall}};
  const auto& rgb = table[hue / 256 % 6];
  const auto mix = [](int v) { return static_cast<uint8_t>((v + 220) / 2); };
  return {mix(rgb[0]), mix(rgb[1]), mix(rgb[2])};
}

}  // namespace

int64_t CountBoxes(const BoxScene& scene) {
  int64_t count = 0;
  for (const BoxBlock& block : scene.blocks) {
    count += static_cast<int64_t>(block.boxes.size());
  }
  return count;
}

Color ColorOfBox(const BoxScene& scene, const BoxBlock& block,
                 const core::Box& box) {
  const uint64_t hash = HashOf(block.origin, box);
  if (!scene.by_class) return Pastel(static_cast<int>(hash % 1536));
  const Color& base = scene.palette[static_cast<size_t>(box.cls())];
  const int share = 230 + static_cast<int>(hash % 52);
  return {Scale(base.r, share), Scale(base.g, share), Scale(base.b, share)};
}

BoxFace FaceOfBox(const BoxBlock& block, const core::Box& box,
                  core::Face face) {
  const Vec3i min = block.origin + box.min();
  const Vec3i max = block.origin + box.max();
  const int axis = core::FaceAxis(face);
  const int u = (axis + 1) % 3;
  const int v = (axis + 2) % 3;
  const bool plus = core::IsPlusFace(face);
  BoxFace result;
  for (int i = 0; i < 4; ++i) {
    // (u, v) turn counter-clockwise about +axis; the minus face the other way.
    const int turn = plus ? i : 3 - i;
    Vec3i& corner = result.corners[i];
    corner[axis] = plus ? max[axis] : min[axis];
    corner[u] = turn == 1 || turn == 2 ? max[u] : min[u];
    corner[v] = turn >= 2 ? max[v] : min[v];
  }
  return result;
}

}  // namespace kiln::client
