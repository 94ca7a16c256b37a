#include "client/formats/boxes/box_obj.h"

#include <array>

#include "absl/strings/str_cat.h"

namespace kiln::client {
namespace {

using core::Vec3i;

class ObjWriter {
 public:
  explicit ObjWriter(std::string& out) : out_(out) {}

  void Object(const std::string& name) {
    absl::StrAppend(&out_, "o ", name, "\n");
  }

  void Box(const BoxBlock& block, const core::Box& box) {
    // Corner i is at the maximum of x, y, z where bit 0, 1, 2 of i is set.
    const Vec3i min = block.origin + box.min();
    const Vec3i max = block.origin + box.max();
    for (int i = 0; i < 8; ++i) {
      absl::StrAppend(&out_, "v ", i & 1 ? max.x : min.x, " ",
                      i & 2 ? max.y : min.y, " ", i & 4 ? max.z : min.z, "\n");
    }
    for (int face = 0; face < core::kFaceCount; ++face) {
      out_ += "f";
      const BoxFace quad = FaceOfBox(block, box, static_cast<core::Face>(face));
      for (const Vec3i& corner : quad.corners) {
        const int index = (corner.x == max.x ? 1 : 0) |
                          (corner.y == max.y ? 2 : 0) |
                          (corner.z == max.z ? 4 : 0);
        absl::StrAppend(&out_, " ", vertices_ + 1 + index);
      }
      out_ += "\n";
    }
    vertices_ += 8;
  }

 private:
  std::string& out_;
  int64_t vertices_ = 0;
};

}  // namespace

std::string BoxesToObj(const BoxScene& scene) {
  std::string out = absl::StrCat("# Kiln: ", CountBoxes(scene),
                                 " boxes, unit 1 voxel, y up\n");
  ObjWriter writer(out);
  if (!scene.by_class) {
    for (const BoxBlock& block : scene.blocks) {
      if (block.boxes.empty()) continue;
      writer.Object(absl::StrCat("block_", block.origin.x, "_", block.origin.y,
                                 "_", block.origin.z));
      for (const core::Box& box : block.boxes) writer.Box(block, box);
    }
    return out;
  }
  std::array<bool, 256> present{};
  for (const BoxBlock& block : scene.blocks) {
    for (const core::Box& box : block.boxes) {
      present[static_cast<size_t>(box.cls())] = true;
    }
  }
  for (int cls = 1; cls < 256; ++cls) {
    if (!present[static_cast<size_t>(cls)]) continue;
    writer.Object(absl::StrCat("class_", cls));
    for (const BoxBlock& block : scene.blocks) {
      for (const core::Box& box : block.boxes) {
        if (box.cls() == cls) writer.Box(block, box);
      }
    }
  }
  return out;
}

}  // namespace kiln::client
