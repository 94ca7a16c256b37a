#include "client/formats/boxes/image.h"

#include <zlib.h>

#include "absl/strings/string_view.h"

namespace kiln::client {
namespace {

void AppendU32(uint32_t value, std::vector<uint8_t>& out) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<uint8_t>(value >> shift));
  }
}

void AppendChunk(absl::string_view name, const std::vector<uint8_t>& content,
                 std::vector<uint8_t>& out) {
  AppendU32(static_cast<uint32_t>(content.size()), out);
  const size_t start = out.size();
  out.insert(out.end(), name.begin(), name.end());
  out.insert(out.end(), content.begin(), content.end());
  AppendU32(static_cast<uint32_t>(crc32(0, out.data() + start,
                                        static_cast<uInt>(out.size() - start))),
            out);
}

}  // namespace

std::vector<uint8_t> EncodePng(const Image& image) {
  std::vector<uint8_t> rows;
  const auto width = static_cast<size_t>(image.width);
  rows.reserve((width * 3 + 1) * static_cast<size_t>(image.height));
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    if (i % width == 0) rows.push_back(0);  // no filter
    const Color& pixel = image.pixels[i];
    for (const uint8_t v : {pixel.r, pixel.g, pixel.b}) rows.push_back(v);
  }
  uLongf packed_size = compressBound(static_cast<uLong>(rows.size()));
  std::vector<uint8_t> packed(packed_size);
  // Cannot fail with a buffer of that bound.
  compress2(packed.data(), &packed_size, rows.data(),
            static_cast<uLong>(rows.size()), Z_BEST_COMPRESSION);
  packed.resize(packed_size);

  std::vector<uint8_t> out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  std::vector<uint8_t> header;
  AppendU32(static_cast<uint32_t>(image.width), header);
  AppendU32(static_cast<uint32_t>(image.height), header);
  for (const uint8_t v : {8, 2, 0, 0, 0}) header.push_back(v);  // 8 bit, RGB
  AppendChunk("IHDR", header, out);
  AppendChunk("IDAT", packed, out);
  AppendChunk("IEND", {}, out);
  return out;
}

}  // namespace kiln::client
