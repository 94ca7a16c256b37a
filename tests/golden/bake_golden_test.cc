// Frozen content and result hashes of named inputs under every recipe. They
// change only when result bytes are meant to change: then the result format
// version grows, CHANGELOG gets a [bytes] entry, and
//   KILN_UPDATE_GOLDEN=1 ./dev test -R golden
// writes the table again.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/bake/baker.h"
#include "core/base/parallel.h"
#include "core/voxel/sample/sample_world.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

constexpr char kTablePath[] = "tests/golden/bake_hashes.tsv";

// One input, by class: the array that `Input` borrows is kept beside it.
struct NamedBlock {
  std::string name;
  Vec3i size;
  std::vector<uint8_t> classes;
};

// Every class its own, so that a table covers classes too.
std::vector<uint32_t> AllClassIds() {
  std::vector<uint32_t> ids;
  for (uint32_t id = 1; id <= 255; ++id) ids.push_back(id);
  return ids;
}

std::vector<NamedBlock> NamedBlocks() {
  std::vector<NamedBlock> blocks;
  for (const int edge : {16, 32}) {
    for (core::SampleGrid& grid : tests::NamedGrids(edge)) {
      blocks.push_back({grid.name + std::to_string(edge), grid.size(),
                        std::move(grid.voxels)});
    }
  }
  const VoxelBlock building = tests::BuildingBlock({40, 17, 70}, 5, 2026);
  blocks.push_back({"building5", building.size(), tests::ClassBytes(building)});
  const VoxelBlock noise = tests::NoiseBlock({65, 9, 12}, 0.5, 3, 11);
  blocks.push_back({"noise3", noise.size(), tests::ClassBytes(noise)});
  const auto world = MakeSampleWorld({.seed = 1, .size = {64, 48, 64}});
  EXPECT_TRUE(world.ok()) << world.status();
  if (world.ok()) blocks.push_back({"sample", world->size, world->materials});
  return blocks;
}

std::vector<Recipe> Recipes() {
  std::vector<Recipe> recipes;
  for (const Method method : kAllMethods) recipes.push_back({.method = method});
  recipes.push_back({.method = Method::kSearch, .effort = 1});
  recipes.push_back({.exposure = ExposureRule::kPerClass});
  recipes.push_back({.exposure = ExposureRule::kNone});
  return recipes;
}

std::string RecipeName(const Recipe& recipe) {
  std::ostringstream name;
  name << MethodName(recipe.method) << '/' << recipe.effort << '/'
       << static_cast<int>(recipe.exposure);
  return name.str();
}

// "input recipe" -> "boxes content_hash result_hash".
using Table = std::map<std::string, std::string>;

Table BakeTable(int threads) {
  const std::vector<NamedBlock> blocks = NamedBlocks();
  const std::vector<uint32_t> ids = AllClassIds();
  std::vector<BakeInput> inputs;
  for (const NamedBlock& block : blocks) {
    BakeInput input;
    input.block.size = block.size;
    input.block.payload = ArrayPayload{.bytes = block.classes};
    input.block.solidity.class_ids = ids;
    input.block.solidity.classes = ids;
    inputs.push_back(input);
  }
  TaskArena arena(threads);
  Table table;
  for (const Recipe& recipe : Recipes()) {
    const auto results = BakeAll(inputs, recipe, {}, arena);
    EXPECT_TRUE(results.ok()) << results.status();
    if (!results.ok()) return {};
    for (size_t i = 0; i < blocks.size(); ++i) {
      const BakeResult& result = (*results)[i];
      table[blocks[i].name + '\t' + RecipeName(recipe)] =
          std::to_string(result.boxes.size()) + '\t' +
          ToHex(result.content_hash) + '\t' + ToHex(result.result_hash);
    }
  }
  return table;
}

Table ReadTable() {
  std::ifstream file(kTablePath);
  Table table;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    // The key is the first two of five columns.
    const size_t key_end = line.find('\t', line.find('\t') + 1);
    table[line.substr(0, key_end)] = line.substr(key_end + 1);
  }
  return table;
}

void WriteTable(const Table& table) {
  std::ofstream file(kTablePath);
  file << "# input\tmethod/effort/exposure\tboxes\tcontent_hash\tresult_hash\n";
  for (const auto& [key, value] : table) file << key << '\t' << value << '\n';
}

TEST(BakeGolden, HashesAreTheFrozenOnesOnAnyThreadCount) {
  if (std::getenv("KILN_UPDATE_GOLDEN") != nullptr) {
    WriteTable(BakeTable(1));
    GTEST_SKIP() << "wrote " << kTablePath;
  }
  const Table frozen = ReadTable();
  ASSERT_FALSE(frozen.empty()) << "no " << kTablePath;
  for (const int threads : {1, 2, std::max(3, AvailableCores())}) {
    EXPECT_EQ(BakeTable(threads), frozen) << threads << " threads";
  }
}

}  // namespace
}  // namespace kiln::core
