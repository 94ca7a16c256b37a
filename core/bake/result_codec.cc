#include "core/bake/result_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace kiln::core {
namespace {

static_assert(std::endian::native == std::endian::little && sizeof(Box) == 8,
              "boxes are encoded as they lie in memory");

constexpr size_t kHeaderBytes = 8 + 4 * sizeof(uint32_t);

std::array<uint8_t, kHeaderBytes> EncodeHeader(const Vec3i& size,
                                               const BoxSet& boxes,
                                               const Recipe& recipe) {
  std::array<uint8_t, kHeaderBytes> header = {
      'K',
      'I',
      'L',
      'N',
      kResultFormatVersion,
      static_cast<uint8_t>(recipe.method),
      static_cast<uint8_t>(recipe.effort),
      static_cast<uint8_t>(recipe.exposure)};
  const uint32_t numbers[] = {
      static_cast<uint32_t>(size.x), static_cast<uint32_t>(size.y),
      static_cast<uint32_t>(size.z), static_cast<uint32_t>(boxes.size())};
  std::memcpy(header.data() + 8, numbers, sizeof(numbers));
  return header;
}

std::span<const uint8_t> BytesOf(const BoxSet& boxes) {
  return {reinterpret_cast<const uint8_t*>(boxes.data()),
          boxes.size() * sizeof(Box)};
}

}  // namespace

std::vector<uint8_t> EncodeResult(const Vec3i& size, const BoxSet& boxes,
                                  const Recipe& recipe) {
  const auto header = EncodeHeader(size, boxes, recipe);
  const std::span<const uint8_t> body = BytesOf(boxes);
  std::vector<uint8_t> bytes(header.size() + body.size());
  std::copy(body.begin(), body.end(),
            std::copy(header.begin(), header.end(), bytes.begin()));
  return bytes;
}

Hash128 ResultHash(const Vec3i& size, const BoxSet& boxes,
                   const Recipe& recipe) {
  Hasher hasher;
  hasher.AddBytes(EncodeHeader(size, boxes, recipe));
  hasher.AddBytes(BytesOf(boxes));
  return hasher.Finish();
}

}  // namespace kiln::core
