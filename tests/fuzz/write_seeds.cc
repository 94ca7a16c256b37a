// Writes the seed corpora of the voxel and wire fuzzers:
//   write_fuzz_seeds tests/fuzz/corpus
// Run it again after a change of the messages and commit what it writes.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/bake/baker.h"
#include "core/base/errors.h"
#include "proto/wire/bake_wire.h"
#include "proto/wire/compression.h"
#include "proto/wire/status_wire.h"
#include "tests/support/block_encoders.h"
#include "tests/support/random_blocks.h"

namespace {

using namespace kiln;  // NOLINT(google-build-using-namespace)

void Write(const std::string& root, const std::string& fuzzer,
           const std::string& name, const std::string& bytes) {
  const std::filesystem::path folder =
      std::filesystem::path(root) / (fuzzer + "_fuzzer");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name, std::ios::binary) << bytes;
}

// Every payload, with a palette and classes, in some compression.
void WriteBlocks(const std::string& root) {
  const tests::PlainVoxels voxels = tests::RandomVoxels({5, 4, 3}, 5, 1);
  const std::vector<uint32_t> palette = {4, 0, 5, 70000, 9, 2};
  tests::OwnedSolidity solidity;
  solidity.kind = core::Solidity::Kind::kEmptyIds;
  solidity.ids = {0, 4};
  solidity.class_ids = {5};
  solidity.classes = {17};
  const auto choices = tests::EncodingsFor(5);
  // Some of the many widths, and the four last: runs, points, boxes, columns.
  for (size_t i = 0; i < choices.size();
       i += i + 27 < choices.size() ? 23 : 1) {
    const auto encoded = tests::Encode(
        voxels, choices[i], tests::kAllAxisOrders[i % 6], palette, solidity);
    core::BakeInput input;
    input.block = encoded->block;
    input.neighbours[0] = core::UniformNeighbour::kSolid;
    input.neighbours[3] = core::BlockNeighbour{encoded->block};
    v1::BakeVoxelsRequest request;
    wire::RequestToProto({&input, 1}, {}, {},
                         {static_cast<wire::Compression>(i % 4), 5}, request);
    Write(root, "voxel_wire", choices[i].name,
          request.blocks(0).block().SerializeAsString());
    Write(root, "request_wire", choices[i].name, request.SerializeAsString());
  }
}

void WriteResults(const std::string& root) {
  for (const core::Method method : core::kAllMethods) {
    core::Recipe recipe;
    recipe.method = method;
    core::BakeOptions options;
    options.tree = method == core::Method::kTree;
    options.lower_bound = true;
    const auto result = core::BakeBlock(tests::NoiseBlock({4, 3, 3}, 0.4, 2, 1),
                                        {}, recipe, options);
    v1::BoxSet proto;
    wire::ResultToProto(*result, recipe, {}, proto);
    Write(root, "result_wire", std::string(core::MethodName(method)),
          "\x03\x02\x02" + proto.SerializeAsString());
  }
}

void WriteOthers(const std::string& root) {
  const absl::Status busy =
      core::BusyError("the queue is full", std::chrono::milliseconds(250));
  Write(root, "status_wire", "busy",
        wire::StatusToProto(busy).SerializeAsString());
  Write(root, "status_wire", "invalid",
        wire::StatusToProto(core::RangeError("size.x", 0, 1, 256))
            .SerializeAsString());
  const std::vector<uint8_t> raw(300, 7);
  for (int i = 1; i <= 3; ++i) {
    const std::string head = {static_cast<char>(i - 1), 44, 1};
    Write(root, "compression", std::to_string(i),
          head + wire::Compress(static_cast<wire::Compression>(i), raw));
  }
  // The decoders' fuzzers read their input as a list of choices.
  tests::Random random(1);
  for (const char* fuzzer :
       {"decode_dense", "decode_packed", "decode_runs", "decode_sparse"}) {
    for (int i = 0; i < 4; ++i) {
      std::string bytes;
      for (int j = 0; j < 40 << i; ++j) {
        bytes += static_cast<char>(random.Next());
      }
      Write(root, fuzzer, "random" + std::to_string(i), bytes);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s tests/fuzz/corpus\n", argv[0]);
    return 2;
  }
  WriteBlocks(argv[1]);
  WriteResults(argv[1]);
  WriteOthers(argv[1]);
  return 0;
}
