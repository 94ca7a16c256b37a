// Runs and columns against the plain decoder.

#include <algorithm>

#include "core/voxel/decode/payload_layout.h"
#include "tests/fuzz/encoded_block_fuzz.h"

namespace {

using namespace kiln;  // NOLINT(google-build-using-namespace)

// Runs that mostly fill the block exactly.
void MakeRuns(FuzzedDataProvider& data, tests::OwnedBlock& block) {
  block.block.payload = core::RunsPayload{};
  int64_t left = core::Volume(block.block.size);
  while (left > 0 && block.lists[1].size() < 1000) {
    const auto count =
        data.remaining_bytes() == 0
            ? left
            : std::min<int64_t>(left, data.ConsumeIntegral<uint8_t>());
    block.lists[1].push_back(static_cast<uint32_t>(count));
    left -= count;
  }
  const auto runs = static_cast<int64_t>(block.lists[1].size());
  block.lists[0] = fuzz::Numbers(data, fuzz::LengthNear(data, runs), 7);
  block.lists[1].resize(fuzz::LengthNear(data, runs), 1);
}

void MakeColumns(FuzzedDataProvider& data, tests::OwnedBlock& block) {
  block.block.payload = core::ColumnsPayload{};
  const core::Vec3i& size = block.block.size;
  const int64_t columns = int64_t{size.x} * size.z;
  int64_t runs = 0;
  for (int64_t i = 0; i < columns; ++i) {
    int left = size.y;
    const int first = data.ConsumeIntegralInRange<int>(0, left);
    left -= first;
    uint32_t count = 0;
    while (left > 0 && data.ConsumeBool()) {
      const int length = data.ConsumeIntegralInRange<int>(1, left);
      block.lists[2].push_back(static_cast<uint32_t>(length));
      left -= length;
      ++count;
    }
    block.lists[0].push_back(static_cast<uint32_t>(first));
    block.lists[1].push_back(count);
    runs += count;
  }
  block.lists[3] = fuzz::Numbers(data, fuzz::LengthNear(data, runs), 7);
  for (const size_t list : {size_t{4}, size_t{5}}) {
    const int64_t length = data.ConsumeBool() ? 1 : columns;
    block.lists[list] = fuzz::Numbers(data, fuzz::LengthNear(data, length), 7);
  }
  if (data.ConsumeIntegralInRange<int>(0, 15) == 0) {
    const auto list = data.ConsumeIntegralInRange<size_t>(0, 2);
    block.lists[list] = fuzz::Numbers(data, fuzz::LengthNear(data, columns), 3);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  FuzzedDataProvider data(bytes, size);
  tests::OwnedBlock block;
  fuzz::FillFrame(data, block);
  const bool runs = data.ConsumeBool();
  if (core::CheckBlockSize(block.block.size).ok()) {
    if (runs) {
      MakeRuns(data, block);
    } else {
      MakeColumns(data, block);
    }
  }
  block.Bind();
  fuzz::CheckAgainstPlainDecoder(block);
  return 0;
}
