// What the searching box methods cost, and what they buy: search by effort,
// cover and lower bound on the named grids, exact solvers on random 4 x 4 x 4.
// One thread, no exposure. Compare columns of one run only.
//
// Counters: boxes; off_best6, the share of boxes saved against effort 0;
// worst_us, the slowest of the random grids.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "core/base/cancel_poll.h"
#include "core/voxel/boxes/box_grow.h"
#include "core/voxel/boxes/lower_bound.h"
#include "core/voxel/boxes/mask_grid.h"
#include "core/voxel/search/box_cover.h"
#include "core/voxel/search/box_search.h"
#include "core/voxel/search/exact_cover.h"
#include "core/voxel/search/exact_partition.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"

namespace kiln::core {
namespace {

// Arguments: index of the grid, its edge.
VoxelBlock BlockFor(benchmark::State& state) {
  const core::SampleGrid grid =
      tests::NamedGrids(static_cast<int>(state.range(1)))
          .at(static_cast<size_t>(state.range(0)));
  state.SetLabel(grid.name);
  return tests::BlockOf(grid);
}

void BM_Search_Effort(benchmark::State& state) {
  const VoxelBlock block = BlockFor(state);
  const int effort = static_cast<int>(state.range(2));
  size_t boxes = 0;
  for (auto _ : state) boxes = SearchBoxes(block, effort).value().size();
  const double best6 =
      static_cast<double>(SearchBoxes(block, 0).value().size());
  state.counters["boxes"] = static_cast<double>(boxes);
  state.counters["off_best6"] = 1.0 - static_cast<double>(boxes) / best6;
}

void BM_Cover_Greedy(benchmark::State& state) {
  const VoxelBlock block = BlockFor(state);
  size_t boxes = 0;
  for (auto _ : state) boxes = CoverWithBoxes(block).value().size();
  state.counters["boxes"] = static_cast<double>(boxes);
}

// The yardstick of the cover's time.
void BM_Cover_Grow(benchmark::State& state) {
  const VoxelBlock block = BlockFor(state);
  const std::vector<uint8_t> bytes = tests::ClassBytes(block);
  const VoxelView<uint8_t> view = DenseView(bytes.data(), block.size());
  size_t boxes = 0;
  for (auto _ : state) boxes = GrowBoxes(view).value().size();
  state.counters["boxes"] = static_cast<double>(boxes);
}

void BM_LowerBound_Covers(benchmark::State& state) {
  const VoxelBlock block = BlockFor(state);
  int64_t bound = 0;
  for (auto _ : state) bound = BoxCountLowerBound(block).value();
  state.counters["bound"] = static_cast<double>(bound);
}

void BM_LowerBound_Partitions(benchmark::State& state) {
  const VoxelBlock block = BlockFor(state);
  int64_t bound = 0;
  for (auto _ : state) bound = PartitionCountLowerBound(block).value();
  state.counters["bound"] = static_cast<double>(bound);
}

// Random 4 x 4 x 4 grids of a density in percent, a new one each time.
template <typename Solve>
void SolveRandomGrids(benchmark::State& state, Solve solve) {
  const double density = static_cast<double>(state.range(0)) / 100.0;
  tests::Random random(7);
  double worst_us = 0;
  int64_t boxes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    uint64_t solid = 0;
    for (int i = 0; i < internal::kMaxMaskCells; ++i) {
      solid |= uint64_t{random.Fraction() < density} << i;
    }
    state.ResumeTiming();
    const auto start = std::chrono::steady_clock::now();
    boxes += solve(solid);
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    worst_us = std::max(worst_us, taken.count());
  }
  state.counters["worst_us"] = worst_us;
  state.counters["boxes"] = benchmark::Counter(
      static_cast<double>(boxes), benchmark::Counter::kAvgIterations);
}

void BM_Exact_Partition(benchmark::State& state) {
  const CancelToken never;
  CancelPoll poll(never);
  internal::ExactPartition solver{internal::MaskGrid({4, 4, 4})};
  SolveRandomGrids(state, [&](uint64_t solid) {
    return static_cast<int64_t>(solver.Solve(solid, poll).size());
  });
}

void BM_Exact_Cover(benchmark::State& state) {
  const CancelToken never;
  CancelPoll poll(never);
  internal::ExactCover solver{internal::MaskGrid({4, 4, 4})};
  SolveRandomGrids(state, [&](uint64_t solid) {
    return static_cast<int64_t>(
        solver.Solve(solid, internal::kMaxMaskCells + 1, 20000, poll).size());
  });
}

BENCHMARK(BM_Search_Effort)
    ->ArgsProduct({{0, 1, 2}, {16, 32}, {0, 1, 2, 3}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Cover_Greedy)
    ->ArgsProduct({{0, 1, 2}, {16, 32, 64}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Cover_Grow)
    ->ArgsProduct({{0, 1, 2}, {16, 32, 64}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_LowerBound_Covers)
    ->ArgsProduct({{0, 1, 2}, {16, 32, 64}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_LowerBound_Partitions)
    ->ArgsProduct({{0, 1, 2}, {16, 32, 64}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Exact_Partition)
    ->DenseRange(30, 90, 20)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Exact_Cover)
    ->DenseRange(30, 90, 20)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace kiln::core
