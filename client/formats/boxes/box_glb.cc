#include "client/formats/boxes/box_glb.h"

#include <tiny_gltf.h>

#include <cmath>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"

namespace kiln::client {
namespace {

using core::Vec3i;

constexpr int64_t kVerticesPerBox = 8;
constexpr int64_t kIndicesPerBox = 36;
constexpr int64_t kBytesPerBox =
    kVerticesPerBox * (12 + 4) + kIndicesPerBox * 4;
constexpr int64_t kMaxBoxes = (int64_t{1} << 32) / kBytesPerBox - 4096;

// Vertex colours of glTF are linear, palettes are sRGB.
uint8_t ToLinear(uint8_t srgb) {
  const double v = srgb / 255.0;
  const double linear =
      v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  return static_cast<uint8_t>(std::lround(linear * 255.0));
}

template <typename T>
void Append(T value, std::vector<uint8_t>& out) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof(T));
}

// The three streams of the buffer, over all blocks.
struct Streams {
  std::vector<uint8_t> positions;  // 3 floats
  std::vector<uint8_t> colors;     // 4 bytes
  std::vector<uint8_t> indices;    // uint32, from the block's first vertex
};

void AppendBox(const BoxScene& scene, const BoxBlock& block,
               const core::Box& box, uint32_t first_vertex, Streams& out) {
  const Vec3i min = block.origin + box.min();
  const Vec3i max = block.origin + box.max();
  const Color color = ColorOfBox(scene, block, box);
  for (int i = 0; i < 8; ++i) {
    Append(static_cast<float>(i & 1 ? max.x : min.x), out.positions);
    Append(static_cast<float>(i & 2 ? max.y : min.y), out.positions);
    Append(static_cast<float>(i & 4 ? max.z : min.z), out.positions);
    for (const uint8_t v : {color.r, color.g, color.b}) {
      out.colors.push_back(ToLinear(v));
    }
    out.colors.push_back(255);
  }
  for (int face = 0; face < core::kFaceCount; ++face) {
    const BoxFace quad = FaceOfBox(block, box, static_cast<core::Face>(face));
    for (const int i : {0, 1, 2, 0, 2, 3}) {
      const Vec3i& corner = quad.corners[i];
      const uint32_t index = (corner.x == max.x ? 1u : 0u) |
                             (corner.y == max.y ? 2u : 0u) |
                             (corner.z == max.z ? 4u : 0u);
      Append(first_vertex + index, out.indices);
    }
  }
}

int AddAccessor(int view, size_t offset, int component, int type, size_t count,
                tinygltf::Model& model) {
  tinygltf::Accessor accessor;
  accessor.bufferView = view;
  accessor.byteOffset = offset;
  accessor.componentType = component;
  accessor.type = type;
  accessor.count = count;
  model.accessors.push_back(std::move(accessor));
  return static_cast<int>(model.accessors.size()) - 1;
}

// A mesh and a node for `block`, whose data is appended to `streams`.
void AddBlock(const BoxScene& scene, const BoxBlock& block, Streams& streams,
              tinygltf::Model& model) {
  const size_t positions_at = streams.positions.size();
  const size_t colors_at = streams.colors.size();
  const size_t indices_at = streams.indices.size();
  Vec3i low = block.origin + block.boxes.front().min();
  Vec3i high = low;
  uint32_t vertices = 0;
  for (const core::Box& box : block.boxes) {
    AppendBox(scene, block, box, vertices, streams);
    vertices += static_cast<uint32_t>(kVerticesPerBox);
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], block.origin[axis] + box.min()[axis]);
      high[axis] = std::max(high[axis], block.origin[axis] + box.max()[axis]);
    }
  }
  const int positions =
      AddAccessor(0, positions_at, TINYGLTF_COMPONENT_TYPE_FLOAT,
                  TINYGLTF_TYPE_VEC3, vertices, model);
  // Required for positions.
  for (int axis = 0; axis < 3; ++axis) {
    model.accessors.back().minValues.push_back(low[axis]);
    model.accessors.back().maxValues.push_back(high[axis]);
  }
  const int colors =
      AddAccessor(1, colors_at, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
                  TINYGLTF_TYPE_VEC4, vertices, model);
  model.accessors.back().normalized = true;
  const int indices = AddAccessor(
      2, indices_at, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, TINYGLTF_TYPE_SCALAR,
      block.boxes.size() * static_cast<size_t>(kIndicesPerBox), model);

  tinygltf::Primitive primitive;
  primitive.attributes["POSITION"] = positions;
  primitive.attributes["COLOR_0"] = colors;
  primitive.indices = indices;
  primitive.material = 0;
  primitive.mode = TINYGLTF_MODE_TRIANGLES;
  tinygltf::Mesh mesh;
  mesh.name = absl::StrCat("block ", block.origin.x, " ", block.origin.y, " ",
                           block.origin.z);
  mesh.primitives.push_back(std::move(primitive));
  tinygltf::Node node;
  node.name = mesh.name;
  node.mesh = static_cast<int>(model.meshes.size());
  model.meshes.push_back(std::move(mesh));
  model.scenes.front().nodes.push_back(static_cast<int>(model.nodes.size()));
  model.nodes.push_back(std::move(node));
}

void AddView(std::vector<uint8_t>& stream, int target, tinygltf::Model& model) {
  std::vector<uint8_t>& buffer = model.buffers.front().data;
  tinygltf::BufferView view;
  view.buffer = 0;
  view.byteOffset = buffer.size();
  view.byteLength = stream.size();
  view.target = target;
  model.bufferViews.push_back(std::move(view));
  buffer.insert(buffer.end(), stream.begin(), stream.end());
  stream = {};
}

tinygltf::Model MakeModel(const BoxScene& scene) {
  tinygltf::Model model;
  model.asset.version = "2.0";
  model.asset.generator = "Kiln";
  model.scenes.emplace_back();
  model.defaultScene = 0;
  Streams streams;
  for (const BoxBlock& block : scene.blocks) {
    if (!block.boxes.empty()) AddBlock(scene, block, streams, model);
  }
  if (model.meshes.empty()) {
    // The format knows no empty scene or buffer.
    model.nodes.emplace_back();
    model.nodes.back().name = "no boxes";
    model.scenes.front().nodes.push_back(0);
    return model;
  }
  tinygltf::Material material;
  material.name = "box";
  material.pbrMetallicRoughness.metallicFactor = 0;
  material.pbrMetallicRoughness.roughnessFactor = 1;
  model.materials.push_back(std::move(material));
  model.buffers.emplace_back();
  AddView(streams.positions, TINYGLTF_TARGET_ARRAY_BUFFER, model);
  AddView(streams.colors, TINYGLTF_TARGET_ARRAY_BUFFER, model);
  AddView(streams.indices, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER, model);
  return model;
}

}  // namespace

absl::StatusOr<std::vector<uint8_t>> BoxesToGlb(const BoxScene& scene) {
  const int64_t boxes = CountBoxes(scene);
  if (boxes > kMaxBoxes) {
    return core::RangeError("boxes of a .glb file", boxes, 0, kMaxBoxes);
  }
  tinygltf::Model model = MakeModel(scene);
  std::ostringstream stream;
  tinygltf::TinyGLTF writer;
  if (!writer.WriteGltfSceneToStream(&model, stream, /*prettyPrint=*/false,
                                     /*writeBinary=*/true)) {
    return core::InternalError("writing glTF failed");
  }
  const std::string text = std::move(stream).str();
  return std::vector<uint8_t>(text.begin(), text.end());
}

}  // namespace kiln::client
