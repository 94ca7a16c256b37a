// Decoding alone and decoding followed by a partition, for every encoding. The
// content is a hill: long runs at the bottom, air at the top, ores between.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "core/voxel/boxes/box_partition.h"
#include "core/voxel/decode/block_decoder.h"
#include "tests/support/block_encoders.h"

namespace kiln::core {
namespace {

using ::kiln::tests::Encode;
using ::kiln::tests::EncodingChoice;
using ::kiln::tests::OwnedBlock;
using ::kiln::tests::OwnedSolidity;
using ::kiln::tests::PlainVoxels;

// Entries 0..max_entry, 0 is air.
PlainVoxels Hill(int edge, uint32_t max_entry) {
  PlainVoxels voxels;
  voxels.size = {edge, edge, edge};
  uint32_t random = 1;
  for (int z = 0; z < edge; ++z) {
    for (int y = 0; y < edge; ++y) {
      for (int x = 0; x < edge; ++x) {
        const double height =
            edge * (0.5 + 0.3 * std::sin(x * 0.31) * std::cos(z * 0.23));
        random = random * 1664525u + 1013904223u;
        uint32_t entry = y < height ? 1 : 0;
        if (entry != 0 && random >> 28 == 0)
          entry = 1 + (random >> 8) % max_entry;
        voxels.entries.push_back(entry);
      }
    }
  }
  return voxels;
}

// A palette of ids that no table would hold, with two kinds of air in it.
std::vector<uint32_t> PaletteOf(uint32_t entries) {
  std::vector<uint32_t> palette;
  for (uint32_t i = 0; i < entries; ++i) palette.push_back(100 + 37 * i);
  return palette;
}

OwnedSolidity TwoAirs() {
  OwnedSolidity solidity;
  solidity.kind = Solidity::Kind::kEmptyIds;
  solidity.ids = {100, 137};
  return solidity;
}

// The same, with entries 2 and 3 in classes of their own.
OwnedSolidity ThreeClasses() {
  OwnedSolidity solidity = TwoAirs();
  solidity.ids = {100};
  solidity.class_ids = {174, 211};
  solidity.classes = {2, 3};
  return solidity;
}

void Run(benchmark::State& state, const OwnedBlock& encoded, bool partition) {
  for (auto _ : state) {
    auto block = DecodeBlock(encoded.block);
    if (!block.ok()) {
      state.SkipWithError(std::string(block.status().message()).c_str());
      break;
    }
    benchmark::DoNotOptimize(block->occupancy.words().data());
    if (!partition) continue;
    auto boxes = PartitionIntoBoxes(*block);
    benchmark::DoNotOptimize(boxes->data());
  }
  state.counters["blocks/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["voxels/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) *
                             static_cast<double>(Volume(encoded.block.size)),
                         benchmark::Counter::kIsRate);
}

struct Case {
  std::string name;
  EncodingChoice choice;
  uint32_t max_entry;
  AxisOrder order = AxisOrder::kXyz;
  bool palette = false;
  bool classes = false;
};

PackedPayload Packed(int bits, int word_bits, bool spanning,
                     ByteOrder order = ByteOrder::kLittle) {
  return {{}, bits, word_bits, spanning, order};
}

std::vector<Case> Cases() {
  const EncodingChoice array1{"", ArrayPayload{{}, 1, ByteOrder::kLittle}};
  const EncodingChoice array2{"", ArrayPayload{{}, 2, ByteOrder::kLittle}};
  const EncodingChoice array4{"", ArrayPayload{{}, 4, ByteOrder::kLittle}};
  std::vector<Case> cases = {
      {"Bitset", {"", BitsetPayload{}}, 1},
      {"U8", array1, 255},
      {"U8_Palette", array1, 199, AxisOrder::kXyz, true},
      {"U8_Classes", array1, 199, AxisOrder::kXyz, true, true},
      {"U16", array2, 4000},
      {"U16_Palette", array2, 4000, AxisOrder::kXyz, true},
      {"U32", array4, 100000},
      {"Runs", {"", RunsPayload{}}, 15},
      {"Points", {"", PointsPayload{}}, 15},
      {"Boxes", {"", BoxesPayload{}}, 15},
      {"Columns", {"", ColumnsPayload{}}, 15},
      {"Packed15_64", {"", Packed(15, 64, false)}, 20000},
      {"Packed4_Classes",
       {"", Packed(4, 64, false)},
       15,
       AxisOrder::kXyz,
       true,
       true},
      {"Bedrock5_YFastest",
       {"", Packed(5, 32, false)},
       20,
       AxisOrder::kYzx,
       true},
  };
  for (const int bits : {4, 5, 6, 7, 8}) {
    const uint32_t max_entry = (1u << bits) - 2;
    const std::string name = std::to_string(bits);
    const EncodingChoice padded{"", Packed(bits, 64, false, ByteOrder::kBig)};
    cases.push_back(
        {"Minecraft" + name, padded, max_entry, AxisOrder::kXzy, true});
    cases.push_back({"Spanning" + name,
                     {"", Packed(bits, 64, true)},
                     max_entry,
                     AxisOrder::kXzy,
                     true});
  }
  const std::pair<const char*, AxisOrder> orders[] = {{"Yxz", AxisOrder::kYxz},
                                                      {"Zyx", AxisOrder::kZyx}};
  for (const auto& order : orders) {
    cases.push_back(
        {std::string("U8_") + order.first, array1, 255, order.second});
    cases.push_back({std::string("U8_Classes_") + order.first, array1, 199,
                     order.second, true, true});
  }
  return cases;
}

void Register(const Case& c, int edge, bool partition) {
  const auto palette =
      c.palette ? PaletteOf(c.max_entry + 1) : std::vector<uint32_t>();
  const OwnedSolidity solidity = c.classes   ? ThreeClasses()
                                 : c.palette ? TwoAirs()
                                             : OwnedSolidity();
  const std::shared_ptr<const OwnedBlock> encoded =
      Encode(Hill(edge, c.max_entry), c.choice, c.order, palette, solidity);
  const std::string name = std::string("BM_") +
                           (partition ? "DecodeAndPartition_" : "Decode_") +
                           c.name + "/" + std::to_string(edge);
  benchmark::RegisterBenchmark(name.c_str(),
                               [encoded, partition](benchmark::State& s) {
                                 Run(s, *encoded, partition);
                               });
}

// Registered before main, as BENCHMARK would: benchmark_main owns main.
const bool kRegistered = [] {
  for (const bool partition : {false, true}) {
    for (const Case& c : Cases()) {
      for (const int edge : {16, 32}) Register(c, edge, partition);
    }
  }
  return true;
}();

}  // namespace
}  // namespace kiln::core
