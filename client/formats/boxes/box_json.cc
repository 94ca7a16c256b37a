#include "client/formats/boxes/box_json.h"

#include "absl/strings/str_cat.h"

namespace kiln::client {
namespace {

using core::Vec3i;

void AppendVec(const Vec3i& v, std::string& out) {
  absl::StrAppend(&out, v.x, ",", v.y, ",", v.z);
}

void AppendBlock(const BoxBlock& block, std::string& out) {
  out += "{\"origin\":[";
  AppendVec(block.origin, out);
  out += "],\"size\":[";
  AppendVec(block.size, out);
  out += "],\"boxes\":[";
  const char* separator = "";
  for (const core::Box& box : block.boxes) {
    absl::StrAppend(&out, separator, "[");
    AppendVec(box.min(), out);
    out += ",";
    AppendVec(box.max(), out);
    absl::StrAppend(&out, ",", box.cls(), ",", int{box.exposed_faces()}, "]");
    separator = ",";
  }
  out += "]}";
}

}  // namespace

// Written by hand: a document tree of a million boxes would take hundreds of
// megabytes, and there is nothing to escape.
std::string BoxesToJson(const BoxScene& scene) {
  std::string out = "{\"blocks\":[";
  const char* separator = "\n";
  for (const BoxBlock& block : scene.blocks) {
    out += separator;
    AppendBlock(block, out);
    separator = ",\n";
  }
  out += "\n]}\n";
  return out;
}

}  // namespace kiln::client
