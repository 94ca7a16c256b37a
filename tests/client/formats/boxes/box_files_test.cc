// JSON, OBJ, glTF and PNG of boxes, each read back by something else than what
// wrote it.

#include <gtest/gtest.h>
#include <tiny_gltf.h>
#include <zlib.h>

#include <array>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "client/formats/boxes/box_glb.h"
#include "client/formats/boxes/box_json.h"
#include "client/formats/boxes/box_obj.h"
#include "client/formats/boxes/box_picture.h"
#include "client/formats/boxes/box_scene.h"
#include "client/formats/boxes/image.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using core::Box;
using core::Vec3i;

// Two blocks, three boxes, two classes.
BoxScene SmallScene() {
  BoxScene scene;
  scene.blocks.push_back({{0, 0, -32},
                          {32, 32, 32},
                          {Box({1, 2, 3}, {4, 6, 8}, 1, core::kAllFaces),
                           Box({0, 0, 9}, {32, 1, 32}, 7, 0x2a)}});
  scene.blocks.push_back(
      {{-32, 0, 0}, {32, 32, 32}, {Box({31, 0, 0}, {32, 32, 2}, 7, 0x01)}});
  scene.palette[1] = {200, 10, 10};
  scene.palette[7] = {10, 200, 10};
  return scene;
}

TEST(BoxJson, NumbersAreThoseOfTheBoxes) {
  const auto json = nlohmann::json::parse(BoxesToJson(SmallScene()));
  const auto expected = nlohmann::json::parse(R"({"blocks": [
    {"origin": [0, 0, -32], "size": [32, 32, 32],
     "boxes": [[1, 2, 3, 4, 6, 8, 1, 63], [0, 0, 9, 32, 1, 32, 7, 42]]},
    {"origin": [-32, 0, 0], "size": [32, 32, 32],
     "boxes": [[31, 0, 0, 32, 32, 2, 7, 1]]}]})");
  EXPECT_EQ(json, expected);
}

TEST(BoxJson, EmptySceneIsAnEmptyList) {
  EXPECT_EQ(nlohmann::json::parse(BoxesToJson({})),
            nlohmann::json::parse(R"({"blocks": []})"));
}

struct Obj {
  std::vector<std::string> objects;
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<size_t, 4>> quads;
};

Obj ParseObj(const std::string& text) {
  Obj obj;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "o") {
      words >> obj.objects.emplace_back();
    } else if (kind == "v") {
      auto& v = obj.vertices.emplace_back();
      words >> v[0] >> v[1] >> v[2];
    } else if (kind == "f") {
      auto& q = obj.quads.emplace_back();
      words >> q[0] >> q[1] >> q[2] >> q[3];
    }
    EXPECT_FALSE(words.fail()) << line;
  }
  return obj;
}

// Six times the volume that a closed surface of triangles encloses; positive
// only where they face outwards.
template <typename Point>
double SixVolumes(const Point& a, const Point& b, const Point& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) +
         a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

int64_t VolumeOf(const BoxScene& scene) {
  int64_t volume = 0;
  for (const BoxBlock& block : scene.blocks) {
    for (const Box& box : block.boxes) volume += core::Volume(box.size());
  }
  return volume;
}

TEST(BoxObj, QuadsEncloseTheBoxesFacingOutwards) {
  const BoxScene scene = SmallScene();
  const Obj obj = ParseObj(BoxesToObj(scene));
  EXPECT_EQ(obj.objects,
            (std::vector<std::string>{"block_0_0_-32", "block_-32_0_0"}));
  EXPECT_EQ(obj.vertices.size(), 24u);
  EXPECT_EQ(obj.quads.size(), 18u);
  double volume = 0;
  for (const auto& quad : obj.quads) {
    const auto& a = obj.vertices.at(quad[0] - 1);
    const auto& c = obj.vertices.at(quad[2] - 1);
    volume += SixVolumes(a, obj.vertices.at(quad[1] - 1), c);
    volume += SixVolumes(a, c, obj.vertices.at(quad[3] - 1));
  }
  EXPECT_EQ(volume, 6.0 * static_cast<double>(VolumeOf(scene)));
  EXPECT_EQ(obj.vertices.front(), (std::array<double, 3>{1, 2, -29}));
}

TEST(BoxObj, ByClassGivesAnObjectAClass) {
  BoxScene scene = SmallScene();
  scene.by_class = true;
  const Obj obj = ParseObj(BoxesToObj(scene));
  EXPECT_EQ(obj.objects, (std::vector<std::string>{"class_1", "class_7"}));
  EXPECT_EQ(obj.quads.size(), 18u);
}

template <typename T>
T Read(const tinygltf::Model& model, int accessor, size_t element,
       size_t component, size_t components) {
  const auto& a = model.accessors.at(static_cast<size_t>(accessor));
  const auto& view = model.bufferViews.at(static_cast<size_t>(a.bufferView));
  const auto& data = model.buffers.at(0).data;
  const size_t at = view.byteOffset + a.byteOffset +
                    (element * components + component) * sizeof(T);
  EXPECT_LE(at + sizeof(T), data.size());
  T value;
  std::memcpy(&value, data.data() + at, sizeof(T));
  return value;
}

absl::StatusOr<tinygltf::Model> LoadGlb(const std::vector<uint8_t>& bytes) {
  tinygltf::Model model;
  tinygltf::TinyGLTF loader;
  std::string error, warning;
  if (!loader.LoadBinaryFromMemory(&model, &error, &warning, bytes.data(),
                                   static_cast<unsigned>(bytes.size())) ||
      !warning.empty()) {
    return absl::InvalidArgumentError(error + warning);
  }
  return model;
}

TEST(BoxGlb, TrianglesEncloseTheBoxesFacingOutwards) {
  const BoxScene scene = SmallScene();
  KILN_ASSERT_OK_AND_ASSIGN(const auto bytes, BoxesToGlb(scene));
  KILN_ASSERT_OK_AND_ASSIGN(const tinygltf::Model model, LoadGlb(bytes));
  ASSERT_EQ(model.meshes.size(), 2u);
  EXPECT_EQ(model.nodes[0].name, "block 0 0 -32");
  double volume = 0;
  std::set<std::array<int, 3>> colors;
  for (const tinygltf::Mesh& mesh : model.meshes) {
    const tinygltf::Primitive& primitive = mesh.primitives.at(0);
    const int positions = primitive.attributes.at("POSITION");
    const size_t count = model.accessors.at(primitive.indices).count;
    for (size_t i = 0; i < count; i += 3) {
      std::array<std::array<double, 3>, 3> corners{};
      for (size_t j = 0; j < 3; ++j) {
        const auto vertex =
            Read<uint32_t>(model, primitive.indices, i + j, 0, 1);
        for (size_t axis = 0; axis < 3; ++axis) {
          corners[j][axis] =
              double{Read<float>(model, positions, vertex, axis, 3)};
        }
        std::array<int, 3> color{};
        for (size_t c = 0; c < 3; ++c) {
          color[c] = Read<uint8_t>(model, primitive.attributes.at("COLOR_0"),
                                   vertex, c, 4);
        }
        colors.insert(color);
      }
      volume += SixVolumes(corners[0], corners[1], corners[2]);
    }
  }
  EXPECT_EQ(volume, 6.0 * static_cast<double>(VolumeOf(scene)));
  EXPECT_EQ(colors.size(), 3u) << "each box has a colour of its own";
}

TEST(BoxGlb, BoundsOfPositionsAreThoseOfTheBoxes) {
  KILN_ASSERT_OK_AND_ASSIGN(const auto bytes, BoxesToGlb(SmallScene()));
  KILN_ASSERT_OK_AND_ASSIGN(const tinygltf::Model model, LoadGlb(bytes));
  const tinygltf::Accessor& first = model.accessors.at(static_cast<size_t>(
      model.meshes.at(0).primitives.at(0).attributes.at("POSITION")));
  EXPECT_EQ(first.minValues, (std::vector<double>{0, 0, -29}));
  EXPECT_EQ(first.maxValues, (std::vector<double>{32, 6, 0}));
}

TEST(BoxGlb, EmptySceneLoads) {
  KILN_ASSERT_OK_AND_ASSIGN(const auto bytes, BoxesToGlb({}));
  KILN_ASSERT_OK_AND_ASSIGN(const tinygltf::Model model, LoadGlb(bytes));
  EXPECT_TRUE(model.meshes.empty());
}

TEST(BoxColor, ByClassIsAShadeOfTheMaterial) {
  BoxScene scene = SmallScene();
  scene.by_class = true;
  const BoxBlock& block = scene.blocks[0];
  const Color color = ColorOfBox(scene, block, block.boxes[0]);
  EXPECT_NEAR(color.r, 200, 25);
  EXPECT_NEAR(color.g, 10, 2);
  EXPECT_EQ(color, ColorOfBox(scene, block, block.boxes[0]));
}

TEST(BoxPicture, TopAndSidesAreShadedApart) {
  BoxScene scene;
  scene.by_class = true;
  scene.palette[1] = {200, 100, 50};
  scene.blocks.push_back({{5, -3, 9},
                          {10, 10, 10},
                          {Box({0, 0, 0}, {10, 10, 10}, 1, core::kAllFaces)}});
  KILN_ASSERT_OK_AND_ASSIGN(Image image, DrawBoxes(scene, 200));
  EXPECT_EQ(image.width, 200);
  const int middle = image.width / 2;
  const Color top = image.At(middle, image.height / 4);
  const Color left = image.At(image.width / 4, image.height * 5 / 8);
  const Color right = image.At(image.width * 3 / 4, image.height * 5 / 8);
  EXPECT_GT(top.r, left.r);
  EXPECT_GT(left.r, right.r);
  EXPECT_EQ(image.At(0, 0), (Color{250, 250, 248}));
}

TEST(BoxPicture, SceneWithoutBoxesIsRefused) {
  EXPECT_THAT(DrawBoxes({}, 200),
              tests::StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(Png, PixelsInflateBack) {
  Image image;
  image.width = 3;
  image.height = 2;
  for (uint8_t i = 0; i < 6; ++i) {
    image.pixels.push_back({i, static_cast<uint8_t>(2 * i), 255});
  }
  const std::vector<uint8_t> png = EncodePng(image);
  // Signature 8, IHDR 25, then the IDAT chunk.
  ASSERT_GT(png.size(), 45u);
  EXPECT_EQ(png[19], 3);  // low byte of the width
  const size_t length = size_t{png[35]} << 8 | png[36];
  std::vector<uint8_t> rows(100);
  uLongf size = rows.size();
  ASSERT_EQ(uncompress(rows.data(), &size, png.data() + 41,
                       static_cast<uLong>(length)),
            Z_OK);
  ASSERT_EQ(size, 2 * (1 + 3 * 3u));
  EXPECT_EQ(rows[1 + 3], 1);   // red of pixel (1, 0)
  EXPECT_EQ(rows[10 + 2], 6);  // green of pixel (0, 1)
}

}  // namespace
}  // namespace kiln::client
