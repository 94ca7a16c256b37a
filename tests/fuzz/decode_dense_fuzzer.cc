// Bitsets and arrays against the plain decoder.

#include "core/voxel/decode/payload_layout.h"
#include "tests/fuzz/encoded_block_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace kiln;  // NOLINT(google-build-using-namespace)
  FuzzedDataProvider data(bytes, size);
  tests::OwnedBlock block;
  fuzz::FillFrame(data, block);
  const int width = data.ConsumeIntegralInRange<int>(0, 5);
  if (width == 0) {
    block.block.payload = core::BitsetPayload{};
  } else {
    block.block.payload = core::ArrayPayload{
        {}, width, static_cast<core::ByteOrder>(data.ConsumeBool())};
  }
  const int64_t right =
      core::CheckBlockSize(block.block.size).ok()
          ? core::PayloadBytes(block.block.payload, block.block.size)
                .value_or(0)
          : 0;
  block.bytes = fuzz::Bytes(data, fuzz::LengthNear(data, right));
  if (width == 0 && right > 0 && data.ConsumeBool() && !block.bytes.empty()) {
    const int used = static_cast<int>(core::Volume(block.block.size) % 8);
    if (used != 0) {
      block.bytes.back() &= static_cast<uint8_t>((1 << used) - 1);
    }
  }
  block.Bind();
  fuzz::CheckAgainstPlainDecoder(block);
  return 0;
}
