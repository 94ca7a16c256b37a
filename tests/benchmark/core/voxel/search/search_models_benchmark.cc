// What search buys on real content, against the best of six axis orders: nine
// MagicaVoxel models, each as one block, and the same models cut into sections
// of 16^3. One thread, no exposure. Compare columns of one run only.
//
// Counters: off_best6, the share of boxes saved against effort 0 and
// over_bound, boxes over the proven lower bound, less one, both as geometric
// means over the models; boxes of all models; ms_a_section, CPU time over the
// sections of 16^3 that hold a voxel.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "client/formats/file_io.h"
#include "client/formats/vox/vox_reader.h"
#include "client/formats/vox/vox_scene.h"
#include "client/formats/voxel_grid.h"
#include "core/voxel/boxes/lower_bound.h"
#include "core/voxel/search/box_search.h"

namespace kiln::core {
namespace {

// Beside the source tree, which `./dev bench` runs in.
constexpr char kFolder[] = "../shared/data/vox/";
constexpr const char* kModels[] = {"monu10",        "monu16",     "nature",
                                   "menger",        "maze",       "obj_house4",
                                   "scene_store11", "chr_knight", "T-Rex"};

absl::StatusOr<client::VoxelGrid> LoadModel(const std::string& name) {
  auto bytes = client::ReadFile(kFolder + name + ".vox");
  if (!bytes.ok()) return bytes.status();
  const auto file = client::ReadVox(*bytes);
  if (!file.ok()) return file.status();
  const auto instances = client::PlaceModels(*file);
  if (!instances.ok()) return instances.status();
  client::VoxelGrid grid;
  const absl::Status added = client::AddToGrid(*file, *instances, {}, grid);
  if (!added.ok()) return added;
  return grid;
}

VoxelBlock BlockAt(const client::VoxelGrid& grid, const Vec3i& min,
                   const Vec3i& size) {
  std::vector<uint8_t> materials(static_cast<size_t>(Volume(size)));
  grid.CopyBox(min, size, materials.data());
  VoxelBlock block;
  block.occupancy.Reset(size);
  const uint8_t* material = materials.data();
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        if (*material++ != 0) block.occupancy.Set(x, y, z);
      }
    }
  }
  return block;
}

// The blocks of 16^3 of `grid` that hold a voxel, from its minimum corner on.
std::vector<VoxelBlock> SectionsOf(const client::VoxelGrid& grid) {
  std::vector<VoxelBlock> sections;
  const Vec3i extent = grid.max() - grid.min();
  for (int z = 0; z < extent.z; z += 16) {
    for (int y = 0; y < extent.y; y += 16) {
      for (int x = 0; x < extent.x; x += 16) {
        VoxelBlock section =
            BlockAt(grid, grid.min() + Vec3i{x, y, z}, {16, 16, 16});
        if (section.occupancy.CountSolid() > 0) {
          sections.push_back(std::move(section));
        }
      }
    }
  }
  return sections;
}

struct Model {
  VoxelBlock whole;
  std::vector<VoxelBlock> sections;
};

absl::StatusOr<std::vector<Model>> LoadModels() {
  std::vector<Model> models;
  for (const char* name : kModels) {
    const auto grid = LoadModel(name);
    if (!grid.ok()) return grid.status();
    models.push_back({BlockAt(*grid, grid->min(), grid->max() - grid->min()),
                      SectionsOf(*grid)});
  }
  return models;
}

// Arguments: whether models are cut into sections, effort.
void BM_Search_Models(benchmark::State& state) {
  const auto models = LoadModels();
  if (!models.ok()) {
    state.SkipWithError(std::string(models.status().message()).c_str());
    return;
  }
  const bool cut = state.range(0) != 0;
  const int effort = static_cast<int>(state.range(1));
  state.SetLabel(cut ? "sections" : "whole");
  const auto count = [&](const Model& model, auto count_block) {
    if (!cut) return static_cast<int64_t>(count_block(model.whole));
    int64_t sum = 0;
    for (const VoxelBlock& section : model.sections) {
      sum += static_cast<int64_t>(count_block(section));
    }
    return sum;
  };
  std::vector<int64_t> boxes(models->size());
  double seconds = 0;
  for (auto _ : state) {
    const std::clock_t start = std::clock();
    for (size_t i = 0; i < models->size(); ++i) {
      boxes[i] = count((*models)[i], [&](const VoxelBlock& block) {
        return SearchBoxes(block, effort).value().size();
      });
    }
    seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  double log_best6 = 0;
  double log_bound = 0;
  int64_t sum = 0;
  size_t sections = 0;
  for (size_t i = 0; i < models->size(); ++i) {
    const Model& model = (*models)[i];
    const auto best6 = count(model, [](const VoxelBlock& block) {
      return SearchBoxes(block, 0).value().size();
    });
    const auto bound = count(model, [](const VoxelBlock& block) {
      return PartitionCountLowerBound(block).value();
    });
    const double found = static_cast<double>(boxes[i]);
    log_best6 += std::log(found / static_cast<double>(best6));
    log_bound += std::log(found / static_cast<double>(bound));
    sum += boxes[i];
    sections += model.sections.size();
  }
  const double model_count = static_cast<double>(models->size());
  state.counters["boxes"] = static_cast<double>(sum);
  state.counters["off_best6"] = 1.0 - std::exp(log_best6 / model_count);
  state.counters["over_bound"] = std::exp(log_bound / model_count) - 1.0;
  state.counters["ms_a_section"] = 1e3 * seconds /
                                   static_cast<double>(state.iterations()) /
                                   static_cast<double>(sections);
}

BENCHMARK(BM_Search_Models)
    ->ArgsProduct({{0, 1}, {0, 1, 2, 3}})
    ->ArgNames({"cut", "effort"})
    ->Iterations(1)
    ->Repetitions(1)  // effort 3 takes half a minute
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kiln::core
