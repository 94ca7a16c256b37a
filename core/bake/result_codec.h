// core/bake/result_codec.h
//
// The canonical bytes of a result, which result_hash is taken over. They are
// not what travels over gRPC: protobuf does not promise one encoding.

#ifndef KILN_CORE_BAKE_RESULT_CODEC_H_
#define KILN_CORE_BAKE_RESULT_CODEC_H_

#include <cstdint>
#include <vector>

#include "core/bake/recipe.h"
#include "core/base/hash.h"
#include "core/geometry/vec3.h"
#include "core/voxel/box_set.h"

namespace kiln::core {

// Grows with every change that gives other bytes for the same content and
// recipe (CHANGELOG entries marked [bytes]).
inline constexpr uint8_t kResultFormatVersion = 1;

// Layout, integers little-endian: "KILN", u8 format version, u8 method,
// u8 effort, u8 exposure rule, u32 size x, y, z, u32 number of boxes, then each
// box's key (box_set.h) as u64. Requires: `boxes` in canonical order.
std::vector<uint8_t> EncodeResult(const Vec3i& size, const BoxSet& boxes,
                                  const Recipe& recipe);

// HashBytes(EncodeResult(...)), without making the bytes.
Hash128 ResultHash(const Vec3i& size, const BoxSet& boxes,
                   const Recipe& recipe);

}  // namespace kiln::core

#endif  // KILN_CORE_BAKE_RESULT_CODEC_H_
