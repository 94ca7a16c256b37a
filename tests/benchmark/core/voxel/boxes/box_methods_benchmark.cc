// What the box methods cost on the named grids: bytes in, ordered boxes out,
// one thread, no exposure, no bound, no hash. Compare columns of one run only.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "core/voxel/box_diff.h"
#include "core/voxel/boxes/box_grow.h"
#include "core/voxel/boxes/box_partition.h"
#include "core/voxel/boxes/box_tree.h"
#include "core/voxel/exposure.h"
#include "core/voxel/sample/sample_grids.h"
#include "core/voxel/search/box_cover.h"
#include "tests/support/box_oracles.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"

namespace {

int64_t g_allocations = 0;  // by operator new, on the one thread there is

}  // namespace

// Not inlined: GCC would see a delete that frees what new made, and warn.
[[gnu::noinline]] void* operator new(size_t bytes) {
  ++g_allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}

namespace kiln::core {
namespace {

core::SampleGrid GridOf(const benchmark::State& state) {
  return tests::NamedGrids(static_cast<int>(state.range(1)))
      .at(static_cast<size_t>(state.range(0)));
}

void Report(benchmark::State& state, const core::SampleGrid& grid,
            size_t boxes) {
  state.SetLabel(grid.name);
  state.counters["boxes"] = static_cast<double>(boxes);
  state.counters["voxels/s"] =
      benchmark::Counter(static_cast<double>(Volume(grid.size())),
                         benchmark::Counter::kIsIterationInvariantRate);
}

void BM_Boxes_Tree(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  size_t boxes = 0;
  for (auto _ : state) boxes = BuildBoxTree(grid.view())->boxes.size();
  Report(state, grid, boxes);
}

void BM_Boxes_Grow(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  size_t boxes = 0;
  for (auto _ : state) boxes = GrowBoxes(grid.view())->size();
  Report(state, grid, boxes);
}

void BM_Boxes_NaiveBitRows(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  BoxSet boxes;
  for (auto _ : state) tests::NaiveBitRowBoxes(grid.view(), boxes);
  Report(state, grid, boxes.size());
}

void BM_Boxes_Partition(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  BoxSet boxes;
  PartitionIntoBoxes(grid.view(), boxes);
  const int64_t before = g_allocations;
  for (auto _ : state) PartitionIntoBoxes(grid.view(), boxes);
  // In all iterations together: 0, or steady state allocates.
  state.counters["allocations"] = static_cast<double>(g_allocations - before);
  Report(state, grid, boxes.size());
}

void BM_Boxes_Cover(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  const VoxelBlock block = tests::BlockOf(grid);
  size_t boxes = 0;
  for (auto _ : state) boxes = CoverWithBoxes(block)->size();
  Report(state, grid, boxes);
}

// Nothing but what no method can do without: every byte is read and every box
// is written.
void BM_Boxes_PhysicalLimit(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  BoxSet boxes;
  PartitionIntoBoxes(grid.view(), boxes);
  BoxSet copy(boxes.size());
  for (auto _ : state) {
    int sum = 0;
    for (const uint8_t voxel : grid.voxels) sum |= voxel;
    benchmark::DoNotOptimize(sum);
    std::copy(boxes.begin(), boxes.end(), copy.begin());
    benchmark::ClobberMemory();
  }
  Report(state, grid, boxes.size());
}

// Caves of 8^3 to 256^3 in one block; higher than 64, they take the plain way.
void BM_Boxes_PartitionScaling(benchmark::State& state) {
  const core::SampleGrid grid =
      *MakeSampleGrid("caves", static_cast<int>(state.range(0)));
  BoxSet boxes;
  for (auto _ : state) PartitionIntoBoxes(grid.view(), boxes);
  Report(state, grid, boxes.size());
  state.counters["s/voxel"] =
      benchmark::Counter(static_cast<double>(Volume(grid.size())),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

// Caves cut into chunks that are baked in turn: branches cannot be learnt by
// heart, as those of one chunk that is baked again and again are.
template <bool kGrow>
void BM_Boxes_ManyChunks(benchmark::State& state) {
  const int edge = static_cast<int>(state.range(0));
  const core::SampleGrid grid = *MakeSampleGrid("caves", 192);
  std::vector<VoxelView<uint8_t>> chunks;
  for (int z = 0; z < grid.edge; z += edge) {
    for (int y = 0; y < grid.edge; y += edge) {
      for (int x = 0; x < grid.edge; x += edge) {
        chunks.push_back(grid.view());
        chunks.back().min = {x, y, z};
        chunks.back().max = {x + edge, y + edge, z + edge};
      }
    }
  }
  BoxSet boxes;
  size_t next = 0;
  for (auto _ : state) {
    if constexpr (kGrow) {
      boxes = GrowBoxes(chunks[next]).value();
    } else {
      PartitionIntoBoxes(chunks[next], boxes);
    }
    next = (next + 1) % chunks.size();
  }
}

// The same from a block, as the service does it: bits in, a new result out.
void BM_Boxes_PartitionOfBlock(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  const VoxelBlock block = tests::BlockOf(grid);
  size_t boxes = 0;
  for (auto _ : state) boxes = PartitionIntoBoxes(block)->size();
  Report(state, grid, boxes);
}

// Every voxel of hills and caves in one of eight classes, in layers of 4.
void BM_Boxes_PartitionByClass(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  std::vector<uint8_t> classes = grid.voxels;
  for (size_t i = 0; i < classes.size(); ++i) {
    const size_t y =
        i / static_cast<size_t>(grid.edge) % static_cast<size_t>(grid.edge);
    if (classes[i] != 0) classes[i] = static_cast<uint8_t>(1 + y / 4 % 8);
  }
  const VoxelBlock block = tests::BlockOfClasses(grid.size(), classes);
  size_t boxes = 0;
  for (auto _ : state) boxes = PartitionIntoBoxes(block)->size();
  Report(state, grid, boxes);
}

void BM_Boxes_Exposure(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  const VoxelBlock block = tests::BlockOf(grid);
  BoxSet boxes = PartitionIntoBoxes(block).value();
  for (auto _ : state) {
    MarkExposedFaces(block, {}, ExposureRule::kAnySolid, boxes);
  }
  Report(state, grid, boxes.size());
}

// One voxel of a chunk toggled: partition, exposure and the difference.
void BM_Boxes_EditOneVoxel(benchmark::State& state) {
  const core::SampleGrid grid = GridOf(state);
  VoxelBlock block = tests::BlockOf(grid);
  BoxSet before = PartitionIntoBoxes(block).value();
  MarkExposedFaces(block, {}, ExposureRule::kAnySolid, before);
  tests::Random random(1);
  int64_t changed = 0;
  for (auto _ : state) {
    const int x = random.Uniform(0, grid.edge - 1);
    const int y = random.Uniform(0, grid.edge - 1);
    const int z = random.Uniform(0, grid.edge - 1);
    block.occupancy.Row(y, z)[0] ^= uint64_t{1} << x;
    BoxSet after = PartitionIntoBoxes(block).value();
    MarkExposedFaces(block, {}, ExposureRule::kAnySolid, after);
    const BoxDiff diff = DiffBoxes(before, after);
    changed += static_cast<int64_t>(diff.removed.size() + diff.added.size());
    block.occupancy.Row(y, z)[0] ^= uint64_t{1} << x;
  }
  Report(state, grid, before.size());
  state.counters["boxes changed"] = benchmark::Counter(
      static_cast<double>(changed), benchmark::Counter::kAvgIterations);
}

void NamedGridsOfBothSizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"grid", "edge"})->Unit(benchmark::kMicrosecond);
  for (const int edge : {32, 64}) {
    for (const int grid : {0, 1, 2}) benchmark->Args({grid, edge});
  }
}

BENCHMARK(BM_Boxes_Tree)->Apply(NamedGridsOfBothSizes);
BENCHMARK(BM_Boxes_Grow)->Apply(NamedGridsOfBothSizes);
BENCHMARK(BM_Boxes_NaiveBitRows)->Apply(NamedGridsOfBothSizes);
BENCHMARK(BM_Boxes_Partition)->Apply(NamedGridsOfBothSizes);
BENCHMARK(BM_Boxes_PhysicalLimit)->Apply(NamedGridsOfBothSizes);
BENCHMARK(BM_Boxes_PartitionScaling)
    ->ArgName("edge")
    ->RangeMultiplier(2)
    ->Range(8, 256)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Boxes_ManyChunks<true>)
    ->Name("BM_Boxes_GrowManyChunks")
    ->Arg(32)
    ->Arg(64)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Boxes_ManyChunks<false>)
    ->Name("BM_Boxes_PartitionManyChunks")
    ->Arg(32)
    ->Arg(64)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Boxes_Cover)->Apply(NamedGridsOfBothSizes);
BENCHMARK(BM_Boxes_PartitionOfBlock)->Apply(NamedGridsOfBothSizes);
BENCHMARK(BM_Boxes_PartitionByClass)->Apply(NamedGridsOfBothSizes);
BENCHMARK(BM_Boxes_Exposure)->Apply(NamedGridsOfBothSizes);
BENCHMARK(BM_Boxes_EditOneVoxel)->Apply(NamedGridsOfBothSizes);

}  // namespace
}  // namespace kiln::core
