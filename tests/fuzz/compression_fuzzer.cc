// Decompression of any bytes into a room of any size, and back again.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "proto/wire/compression.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kiln::wire::Compression;
  if (size < 3) return 0;
  const auto compression = static_cast<Compression>(1 + data[0] % 3);
  const std::span<const uint8_t> bytes(data + 3, size - 3);
  // Exactly as large as said, so that the sanitizer sees a byte too many.
  std::vector<uint8_t> raw(data[1] + 256u * (data[2] % 64));
  raw.shrink_to_fit();
  const bool good = kiln::wire::Decompress(compression, bytes, raw).ok();
  const std::span<const uint8_t> source = good ? raw : bytes;
  const std::string packed = kiln::wire::Compress(compression, source);
  if (packed.empty()) return 0;
  std::vector<uint8_t> back(source.size());
  KILN_CHECK(
      kiln::wire::Decompress(
          compression,
          {reinterpret_cast<const uint8_t*>(packed.data()), packed.size()},
          back)
          .ok());
  KILN_CHECK(std::equal(back.begin(), back.end(), source.begin()));
  return 0;
}
