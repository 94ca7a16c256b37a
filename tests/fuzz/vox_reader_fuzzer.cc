// Any bytes as a .vox file: read, put together, cut and baked; what is read
// again after writing is the same scene.

#include <cstdint>
#include <span>
#include <vector>

#include "client/formats/grid_blocks.h"
#include "client/formats/vox/vox_reader.h"
#include "client/formats/vox/vox_scene.h"
#include "client/formats/vox/vox_writer.h"
#include "core/base/check.h"

namespace {

using kiln::client::AddToGrid;
using kiln::client::PlaceModels;
using kiln::client::ReadVox;
using kiln::client::VoxelGrid;

// Small enough that a run takes milliseconds; the limits themselves are part of
// what is tested.
constexpr kiln::client::VoxLimits kLimits = {.max_voxels = 1 << 16,
                                             .max_inflated_cells = 1 << 20};
constexpr int64_t kMaxBricks = 128;

absl::StatusOr<VoxelGrid> GridOf(std::span<const uint8_t> bytes, bool hidden,
                                 int frame) {
  const auto file = ReadVox(bytes, kLimits);
  if (!file.ok()) return file.status();
  const kiln::client::VoxSceneOptions options = {.hidden = hidden,
                                                 .frame = frame,
                                                 .max_visits = 4096,
                                                 .max_placed_voxels = 1 << 16};
  const auto instances = PlaceModels(*file, options);
  if (!instances.ok()) return instances.status();
  VoxelGrid grid(kMaxBricks);
  const absl::Status added = AddToGrid(*file, *instances, options, grid);
  if (!added.ok()) return added;
  return grid;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const auto grid =
      GridOf({data + 1, size - 1}, (data[0] & 1) != 0, data[0] >> 1);
  if (!grid.ok()) return 0;

  const auto blocks = kiln::client::CutIntoBlocks(*grid, 24);
  KILN_CHECK(blocks.ok());
  int64_t solid_voxels = 0;
  for (const kiln::client::GridBlock& block : *blocks) {
    const kiln::client::BlockInput input(*grid, block, /*by_class=*/true);
    const auto result = kiln::core::Bake(input.input(), {});
    KILN_CHECK(result.ok());
    KILN_CHECK(result->solid_voxels > 0);
    solid_voxels += result->solid_voxels;
  }
  KILN_CHECK(solid_voxels == grid->solid_voxels());

  const auto written = kiln::client::WriteVox(*grid, {});
  KILN_CHECK(written.ok());
  const auto again = GridOf(*written, /*hidden=*/false, /*frame=*/0);
  KILN_CHECK(again.ok());
  KILN_CHECK(again->solid_voxels() == grid->solid_voxels());
  KILN_CHECK(again->min() == grid->min() && again->max() == grid->max());
  return 0;
}
