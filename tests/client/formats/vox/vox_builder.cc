#include "tests/client/formats/vox/vox_builder.h"

#include <zlib.h>

namespace kiln::tests {
namespace {

std::string Text(const std::string& text) {
  return LittleEndian(static_cast<int>(text.size())) + text;
}

std::string Dictionary(const VoxAttributes& attributes) {
  std::string bytes = LittleEndian(static_cast<int>(attributes.size()));
  for (const auto& [key, value] : attributes) bytes += Text(key) + Text(value);
  return bytes;
}

}  // namespace

std::string LittleEndian(int value) {
  const auto bits = static_cast<uint32_t>(value);
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>(bits >> shift);
  }
  return bytes;
}

VoxBuilder& VoxBuilder::Chunk(const std::string& name,
                              const std::string& content) {
  chunks_ += name + LittleEndian(static_cast<int>(content.size())) +
             LittleEndian(0) + content;
  return *this;
}

VoxBuilder& VoxBuilder::Size(const core::Vec3i& size) {
  return Chunk("SIZE", LittleEndian(size.x) + LittleEndian(size.y) +
                           LittleEndian(size.z));
}

VoxBuilder& VoxBuilder::Xyzi(const VoxBytes& voxels) {
  return Chunk("XYZI", LittleEndian(static_cast<int>(voxels.size() / 4)) +
                           std::string(voxels.begin(), voxels.end()));
}

VoxBuilder& VoxBuilder::Model(const core::Vec3i& size, const VoxBytes& voxels) {
  return Size(size).Xyzi(voxels);
}

VoxBuilder& VoxBuilder::CompressedModel(const core::Vec3i& size,
                                        const std::vector<uint8_t>& colors) {
  uLongf packed_size = compressBound(static_cast<uLong>(colors.size()));
  std::string packed(packed_size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &packed_size, colors.data(),
           static_cast<uLong>(colors.size()));
  packed.resize(packed_size);
  Size(size);
  return Chunk("TDCZ", LittleEndian(size.x) + LittleEndian(size.y) +
                           LittleEndian(size.z) + packed);
}

VoxBuilder& VoxBuilder::Transform(int id, int child,
                                  const std::vector<VoxAttributes>& frames,
                                  const VoxAttributes& attributes, int layer) {
  std::string content = LittleEndian(id) + Dictionary(attributes) +
                        LittleEndian(child) + LittleEndian(-1) +
                        LittleEndian(layer) +
                        LittleEndian(static_cast<int>(frames.size()));
  for (const VoxAttributes& frame : frames) content += Dictionary(frame);
  return Chunk("nTRN", content);
}

VoxBuilder& VoxBuilder::Group(int id, const std::vector<int>& children,
                              const VoxAttributes& attributes) {
  std::string content = LittleEndian(id) + Dictionary(attributes) +
                        LittleEndian(static_cast<int>(children.size()));
  for (const int child : children) content += LittleEndian(child);
  return Chunk("nGRP", content);
}

VoxBuilder& VoxBuilder::Shape(int id, const std::vector<int>& models,
                              const std::vector<int>& frames) {
  std::string content = LittleEndian(id) + Dictionary({}) +
                        LittleEndian(static_cast<int>(models.size()));
  for (size_t i = 0; i < models.size(); ++i) {
    content += LittleEndian(models[i]);
    content += frames.empty() ? Dictionary({})
                              : Dictionary({{"_f", std::to_string(frames[i])}});
  }
  return Chunk("nSHP", content);
}

VoxBuilder& VoxBuilder::Layer(int id, bool hidden) {
  return Chunk("LAYR", LittleEndian(id) +
                           Dictionary({{"_hidden", hidden ? "1" : "0"}}) +
                           LittleEndian(-1));
}

std::vector<uint8_t> VoxBuilder::Bytes() const {
  const std::string file =
      "VOX " + LittleEndian(version_) + "MAIN" + LittleEndian(0) +
      LittleEndian(static_cast<int>(chunks_.size())) + chunks_;
  return {file.begin(), file.end()};
}

}  // namespace kiln::tests
