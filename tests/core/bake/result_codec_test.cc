#include "core/bake/result_codec.h"

#include <gtest/gtest.h>

#include <vector>

namespace kiln::core {
namespace {

const Vec3i kSize = {4, 5, 6};
const BoxSet kBoxes = {Box({0, 0, 0}, {4, 1, 6}, 1, 0x3f),
                       Box({1, 1, 2}, {2, 5, 3}, 7, 0x08)};

TEST(ResultCodec, LayoutIsAsDocumented) {
  const std::vector<uint8_t> bytes = EncodeResult(
      kSize, {kBoxes[1]}, {.method = Method::kSearch, .effort = 2});
  const std::vector<uint8_t> expected = {
      'K', 'I', 'L', 'N', 1, 2, 2, 1,  // version, method, effort, rule
      4,   0,   0,   0,   5, 0, 0, 0, 6, 0, 0, 0,  // size
      1,   0,   0,   0,                            // boxes
      8,   7,   1,   4,   2, 1, 1, 2};             // key, lowest byte first
  EXPECT_EQ(bytes, expected);
}

TEST(ResultCodec, HashIsOfTheEncodedBytes) {
  EXPECT_EQ(ResultHash(kSize, kBoxes, {}),
            HashBytes(EncodeResult(kSize, kBoxes, {})));
  EXPECT_EQ(ResultHash(kSize, {}, {}), HashBytes(EncodeResult(kSize, {}, {})));
}

TEST(ResultCodec, EachPartOfTheResultChangesTheHash) {
  const Hash128 hash = ResultHash(kSize, kBoxes, {});
  EXPECT_NE(hash, ResultHash({5, 5, 6}, kBoxes, {}));
  EXPECT_NE(hash, ResultHash(kSize, {kBoxes[0]}, {}));
  EXPECT_NE(hash, ResultHash(kSize, kBoxes, {.method = Method::kGrow}));
  EXPECT_NE(hash,
            ResultHash(kSize, kBoxes, {.exposure = ExposureRule::kPerClass}));
  BoxSet reexposed = kBoxes;
  reexposed[0].set_exposed_faces(0x3e);
  EXPECT_NE(hash, ResultHash(kSize, reexposed, {}));
}

}  // namespace
}  // namespace kiln::core
