// Entries packed into words against the plain decoder.

#include "core/voxel/decode/payload_layout.h"
#include "tests/fuzz/encoded_block_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace kiln;  // NOLINT(google-build-using-namespace)
  FuzzedDataProvider data(bytes, size);
  tests::OwnedBlock block;
  fuzz::FillFrame(data, block);
  core::PackedPayload packed;
  packed.bits_per_entry = data.ConsumeIntegralInRange<int>(-1, 34);
  packed.word_bits = data.ConsumeIntegralInRange<int>(0, 20) == 0
                         ? data.ConsumeIntegralInRange<int>(-1, 130)
                         : (data.ConsumeBool() ? 32 : 64);
  packed.spanning = data.ConsumeBool();
  packed.byte_order = static_cast<core::ByteOrder>(data.ConsumeBool());
  block.block.payload = packed;
  const int64_t right =
      core::CheckBlockSize(block.block.size).ok()
          ? core::PayloadBytes(block.block.payload, block.block.size)
                .value_or(0)
          : 0;
  block.bytes = fuzz::Bytes(data, fuzz::LengthNear(data, right));
  block.Bind();
  fuzz::CheckAgainstPlainDecoder(block);
  return 0;
}
