// Writes the seed corpus of vox_reader_fuzzer:
//   write_vox_fuzz_seeds tests/fuzz/corpus
// Each seed is a byte of options (vox_reader_fuzzer.cc), then a small file.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/client/formats/vox/vox_builder.h"

namespace {

using kiln::tests::LittleEndian;
using kiln::tests::VoxBuilder;

const kiln::tests::VoxBytes kVoxels = {0, 0, 0, 1, 1, 2, 0, 2, 3, 1, 1, 255};

void Write(const std::string& root, const std::string& name, char options,
           const VoxBuilder& builder) {
  const std::filesystem::path folder =
      std::filesystem::path(root) / "vox_reader_fuzzer";
  std::filesystem::create_directories(folder);
  const auto bytes = builder.Bytes();
  std::ofstream file(folder / name, std::ios::binary);
  file << options << std::string(bytes.begin(), bytes.end());
}

VoxBuilder Scene() {
  VoxBuilder builder(200);
  builder.Model({4, 3, 2}, kVoxels)
      .Model({3, 3, 3}, {1, 1, 1, 7})
      .Transform(0, 1, {{}}, {}, -1)
      .Group(1, {2, 6})
      .Transform(2, 3, {{{"_r", "36"}, {"_t", "-1 10 4"}}}, {{"_name", "a"}})
      .Group(3, {4})
      .Transform(4, 5, {{{"_f", "0"}}, {{"_f", "3"}, {"_r", "97"}}}, {}, 1)
      .Shape(5, {0, 1}, {0, 2})
      .Transform(6, 7, {{{"_t", "40 -33 0"}}}, {{"_hidden", "1"}})
      .Shape(7, {1})
      .Layer(0, false)
      .Layer(1, true);
  return builder;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
    return 2;
  }
  const std::string root = argv[1];
  Write(root, "one_model", 0, VoxBuilder().Model({4, 3, 2}, kVoxels));
  Write(root, "frames", 2,
        VoxBuilder()
            .Chunk("PACK", LittleEndian(2))
            .Model({4, 3, 2}, kVoxels)
            .Model({1, 1, 1}, {0, 0, 0, 9}));
  Write(root, "compressed", 0,
        VoxBuilder()
            .CompressedModel({3, 2, 1}, {0, 1, 2, 0, 0, 3})
            .Chunk("RGBA", std::string(255 * 4, '\x55'))
            .Chunk("IMAP", std::string(256, '\0')));
  Write(root, "scene", 0, Scene());
  Write(root, "scene_hidden_frame_3", 7, Scene());
  return 0;
}
