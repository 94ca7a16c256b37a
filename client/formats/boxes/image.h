// client/formats/boxes/image.h
//
// A picture in memory and as a PNG file.

#ifndef KILN_CLIENT_FORMATS_BOXES_IMAGE_H_
#define KILN_CLIENT_FORMATS_BOXES_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "client/formats/palette.h"

namespace kiln::client {

struct Image {
  int width = 0;
  int height = 0;
  std::vector<Color> pixels;  // row by row from the top

  Color& At(int x, int y) {
    return pixels[static_cast<size_t>(y) * static_cast<size_t>(width) +
                  static_cast<size_t>(x)];
  }
};

// PNG of 8 bits a channel, without alpha.
std::vector<uint8_t> EncodePng(const Image& image);

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_BOXES_IMAGE_H_
