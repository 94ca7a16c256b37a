// client/formats/palette.h
//
// The colours of a scene's materials, for those who look at it. They have no
// part in a bake.

#ifndef KILN_CLIENT_FORMATS_PALETTE_H_
#define KILN_CLIENT_FORMATS_PALETTE_H_

#include <array>
#include <cstdint>

namespace kiln::client {

struct Color {
  uint8_t r = 0, g = 0, b = 0;

  friend bool operator==(const Color&, const Color&) = default;
};

// By material, 1..255; entry 0 is not used.
using Palette = std::array<Color, 256>;

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_PALETTE_H_
