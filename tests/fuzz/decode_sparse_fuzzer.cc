// Points and boxes against the plain decoder.

#include <algorithm>

#include "tests/fuzz/encoded_block_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace kiln;  // NOLINT(google-build-using-namespace)
  FuzzedDataProvider data(bytes, size);
  tests::OwnedBlock block;
  fuzz::FillFrame(data, block);
  const bool points = data.ConsumeBool();
  const auto background = fuzz::Numbers(data, 1, 2)[0];
  const auto places = data.ConsumeIntegralInRange<int64_t>(0, 40);
  const core::Vec3i& edges = block.block.size;
  const int edge = std::max({edges.x, edges.y, edges.z, 1});
  const bool each = data.ConsumeBool();
  block.lists[1] =
      fuzz::Numbers(data, fuzz::LengthNear(data, each ? places : 1), 7);
  if (points) {
    block.block.payload = core::PointsPayload{{}, {}, background};
    block.lists[0] = fuzz::Numbers(data, fuzz::LengthNear(data, 3 * places),
                                   static_cast<uint32_t>(edge - 1));
  } else {
    block.block.payload = core::BoxesPayload{{}, {}, background};
    block.lists[0] = fuzz::Numbers(data, fuzz::LengthNear(data, 6 * places),
                                   static_cast<uint32_t>(edge));
    if (data.ConsumeIntegralInRange<int>(0, 7) != 0) {
      // Mostly the right way round.
      auto& bounds = block.lists[0];
      for (size_t i = 0; i + 6 <= bounds.size(); i += 6) {
        for (size_t axis = i; axis < i + 3; ++axis) {
          if (bounds[axis] > bounds[axis + 3]) {
            std::swap(bounds[axis], bounds[axis + 3]);
          }
          if (bounds[axis] == bounds[axis + 3]) ++bounds[axis + 3];
        }
      }
    }
  }
  block.Bind();
  fuzz::CheckAgainstPlainDecoder(block);
  return 0;
}
