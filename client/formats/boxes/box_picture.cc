#include "client/formats/boxes/box_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/errors.h"

namespace kiln::client {
namespace {

using core::Vec3i;

constexpr int kSamples = 2;  // an axis and pixel
constexpr int kMaxHeight = 16384;
constexpr int kMargin = 8;  // pixels around the scene
constexpr Color kBackground = {250, 250, 248};

// What a scene takes of the screen, in voxels. A point comes to
// (x + z, (x - z) / 2 - y), y down; of two points at one place the greater
// x + y - z is nearer.
struct Frame {
  double left = std::numeric_limits<double>::infinity();
  double right = -left;
  double top = left;
  double bottom = -left;
};

Frame FrameOf(const BoxScene& scene) {
  Frame frame;
  for (const BoxBlock& block : scene.blocks) {
    for (const core::Box& box : block.boxes) {
      const Vec3i min = block.origin + box.min();
      const Vec3i max = block.origin + box.max();
      frame.left = std::min<double>(frame.left, min.x + min.z);
      frame.right = std::max<double>(frame.right, max.x + max.z);
      frame.top = std::min(frame.top, (min.x - max.z) / 2.0 - max.y);
      frame.bottom = std::max(frame.bottom, (max.x - min.z) / 2.0 - min.y);
    }
  }
  return frame;
}

class Canvas {
 public:
  Canvas(const Frame& frame, double scale, int width, int height)
      : scale_(scale),
        left_(frame.left - kMargin * kSamples / scale),
        top_(frame.top - kMargin * kSamples / scale),
        width_(width),
        height_(height),
        colors_(static_cast<size_t>(width) * static_cast<size_t>(height),
                kBackground),
        depths_(colors_.size(), -std::numeric_limits<float>::infinity()) {}

  // Requires: `face` is one the viewer sees: +x, +y or -z.
  void DrawFace(const Vec3i& min, const Vec3i& max, core::Face face,
                const Color& color);

  Image Shrink() const;

 private:
  int Column(double u) const {
    return std::clamp(static_cast<int>(std::floor((u - left_) * scale_)), 0,
                      width_ - 1);
  }
  int Row(double v) const {
    return std::clamp(static_cast<int>(std::floor((v - top_) * scale_)), 0,
                      height_ - 1);
  }

  double scale_, left_, top_;
  int width_, height_;
  std::vector<Color> colors_;
  std::vector<float> depths_;
};

Color Shade(const Color& color, int share) {
  const auto scale = [&](uint8_t v) {
    return static_cast<uint8_t>(v * share / 256);
  };
  return {scale(color.r), scale(color.g), scale(color.b)};
}

void Canvas::DrawFace(const Vec3i& min, const Vec3i& max, core::Face face,
                      const Color& color) {
  const int light = face == core::Face::kPlusY    ? 256
                    : face == core::Face::kMinusZ ? 205
                                                  : 160;
  const Color inside = Shade(color, light);
  const Color border = Shade(color, light * 3 / 4);
  const double line = 0.9 / scale_;  // voxels of one sample
  const int x0 = Column(min.x + min.z), x1 = Column(max.x + max.z);
  const int y0 = Row((min.x - max.z) / 2.0 - max.y);
  const int y1 = Row((max.x - min.z) / 2.0 - min.y);
  for (int row = y0; row <= y1; ++row) {
    const double v = (row + 0.5) / scale_ + top_;
    for (int column = x0; column <= x1; ++column) {
      const double u = (column + 0.5) / scale_ + left_;
      // The point of the face's plane that is seen here.
      double p[3];
      if (face == core::Face::kPlusY) {
        p[1] = max.y;
        p[0] = (u + 2 * (v + p[1])) / 2;
        p[2] = u - p[0];
      } else if (face == core::Face::kPlusX) {
        p[0] = max.x;
        p[2] = u - p[0];
        p[1] = (p[0] - p[2]) / 2 - v;
      } else {
        p[2] = min.z;
        p[0] = u - p[2];
        p[1] = (p[0] - p[2]) / 2 - v;
      }
      bool hit = true;
      bool near_border = false;
      for (int axis = 0; axis < 3; ++axis) {
        if (axis == core::FaceAxis(face)) continue;
        hit = hit && p[axis] >= min[axis] && p[axis] < max[axis];
        near_border = near_border || p[axis] < min[axis] + line ||
                      p[axis] > max[axis] - line;
      }
      if (!hit) continue;
      const auto depth = static_cast<float>(p[0] + p[1] - p[2]);
      const size_t at = static_cast<size_t>(row) * static_cast<size_t>(width_) +
                        static_cast<size_t>(column);
      if (depth <= depths_[at]) continue;
      depths_[at] = depth;
      colors_[at] = near_border ? border : inside;
    }
  }
}

Image Canvas::Shrink() const {
  Image image;
  image.width = width_ / kSamples;
  image.height = height_ / kSamples;
  image.pixels.reserve(static_cast<size_t>(image.width) *
                       static_cast<size_t>(image.height));
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      int sum[3] = {};
      for (int i = 0; i < kSamples * kSamples; ++i) {
        const int row = y * kSamples + i / kSamples;
        const int column = x * kSamples + i % kSamples;
        const Color& c =
            colors_[static_cast<size_t>(row) * static_cast<size_t>(width_) +
                    static_cast<size_t>(column)];
        sum[0] += c.r;
        sum[1] += c.g;
        sum[2] += c.b;
      }
      constexpr int kCount = kSamples * kSamples;
      image.pixels.push_back({static_cast<uint8_t>(sum[0] / kCount),
                              static_cast<uint8_t>(sum[1] / kCount),
                              static_cast<uint8_t>(sum[2] / kCount)});
    }
  }
  return image;
}

}  // namespace

absl::StatusOr<Image> DrawBoxes(const BoxScene& scene, int width_pixels) {
  if (CountBoxes(scene) == 0) {
    return core::FieldError("boxes of the picture", "0", "at least 1");
  }
  const Frame frame = FrameOf(scene);
  const int width = width_pixels * kSamples;
  const double scale =
      (width - 2.0 * kMargin * kSamples) / (frame.right - frame.left);
  const double rows =
      (frame.bottom - frame.top) * scale / kSamples + 2.0 * kMargin;
  if (rows > kMaxHeight) {
    return core::RangeError("height of the picture in pixels",
                            static_cast<int64_t>(rows), 1, kMaxHeight);
  }
  Canvas canvas(frame, scale, width, static_cast<int>(rows) * kSamples);
  for (const BoxBlock& block : scene.blocks) {
    for (const core::Box& box : block.boxes) {
      const Color color = ColorOfBox(scene, block, box);
      for (const core::Face face :
           {core::Face::kPlusX, core::Face::kPlusY, core::Face::kMinusZ}) {
        if ((box.exposed_faces() & core::FaceBit(face)) == 0) continue;
        canvas.DrawFace(block.origin + box.min(), block.origin + box.max(),
                        face, color);
      }
    }
  }
  return canvas.Shrink();
}

}  // namespace kiln::client
