#include "client/bench/workload.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "client/formats/file_io.h"
#include "client/formats/vox/vox_reader.h"
#include "client/formats/vox/vox_scene.h"
#include "client/formats/voxel_grid.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "core/voxel/boxes/box_partition.h"
#include "core/voxel/decode/block_decoder.h"
#include "core/voxel/sample/sample_grids.h"

namespace kiln::client {
namespace {

void AppendLittleEndian(uint32_t value, int bytes, std::vector<uint8_t>& out) {
  for (int i = 0; i < bytes; ++i) {
    out.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
}

// One bit a voxel; whole words of 8 bytes where they are packed entries.
std::vector<uint8_t> PackBits(const std::vector<uint8_t>& voxels,
                              size_t align) {
  std::vector<uint8_t> bytes((voxels.size() + 8 * align - 1) / (8 * align) *
                             align);
  for (size_t i = 0; i < voxels.size(); ++i) {
    bytes[i / 8] = static_cast<uint8_t>(bytes[i / 8] | voxels[i] << (i % 8));
  }
  return bytes;
}

void EncodeArray(const std::vector<uint8_t>& voxels, int bytes_per_entry,
                 OwnedBlock& out) {
  for (const uint8_t voxel : voxels) {
    AppendLittleEndian(voxel, bytes_per_entry, out.bytes);
  }
  core::ArrayPayload payload;
  payload.bytes = out.bytes;
  payload.bytes_per_entry = bytes_per_entry;
  out.input.block.payload = payload;
}

// As a chunk of a block game holds it: four bits an entry, a palette of
// sixteen, entries of several kinds of solid and of air.
void EncodePalette(const std::vector<uint8_t>& voxels, OwnedBlock& out) {
  constexpr uint32_t kKinds = 8;  // of either
  for (size_t i = 0; i < voxels.size(); i += 16) {
    uint64_t word = 0;
    for (size_t j = i; j < std::min(i + 16, voxels.size()); ++j) {
      const uint64_t kind = (j * 2654435761u >> 8) % kKinds;
      word |= (kind + (voxels[j] ? kKinds : 0)) << (4 * (j - i));
    }
    AppendLittleEndian(static_cast<uint32_t>(word), 4, out.bytes);
    AppendLittleEndian(static_cast<uint32_t>(word >> 32), 4, out.bytes);
  }
  std::vector<uint32_t>& palette = out.lists[0];
  std::vector<uint32_t>& empty_ids = out.lists[1];
  for (uint32_t entry = 0; entry < 2 * kKinds; ++entry) {
    palette.push_back(100 + 37 * entry);
    if (entry < kKinds) empty_ids.push_back(palette.back());
  }
  core::PackedPayload payload;
  payload.bytes = out.bytes;
  payload.bits_per_entry = 4;
  out.input.block.payload = payload;
  out.input.block.palette = palette;
  out.input.block.solidity.kind = core::Solidity::Kind::kEmptyIds;
  out.input.block.solidity.ids = empty_ids;
}

void EncodeRuns(const std::vector<uint8_t>& voxels, OwnedBlock& out) {
  std::vector<uint32_t>& entries = out.lists[0];
  std::vector<uint32_t>& counts = out.lists[1];
  for (const uint8_t voxel : voxels) {
    if (entries.empty() || entries.back() != voxel) {
      entries.push_back(voxel);
      counts.push_back(0);
    }
    ++counts.back();
  }
  core::RunsPayload payload;
  payload.entries = entries;
  payload.counts = counts;
  out.input.block.payload = payload;
}

void EncodePoints(const std::vector<uint8_t>& voxels, OwnedBlock& out) {
  const core::Vec3i& size = out.input.block.size;
  std::vector<uint32_t>& coordinates = out.lists[0];
  for (size_t i = 0; i < voxels.size(); ++i) {
    if (voxels[i] == 0) continue;
    const auto index = static_cast<uint32_t>(i);
    const auto sx = static_cast<uint32_t>(size.x);
    const auto sy = static_cast<uint32_t>(size.y);
    coordinates.push_back(index % sx);
    coordinates.push_back(index / sx % sy);
    coordinates.push_back(index / (sx * sy));
  }
  out.lists[1] = {1};
  core::PointsPayload payload;
  payload.coordinates = coordinates;
  payload.entries = out.lists[1];
  out.input.block.payload = payload;
}

// The boxes of a partition: what a client has that baked before.
void EncodeBoxes(const std::vector<uint8_t>& voxels, OwnedBlock& out) {
  core::EncodedBlock dense = out.input.block;
  core::ArrayPayload array;
  array.bytes = voxels;
  dense.payload = array;
  const auto block = core::DecodeBlock(dense);
  const auto boxes = core::PartitionIntoBoxes(*block);
  std::vector<uint32_t>& bounds = out.lists[0];
  for (const core::Box& box : *boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      bounds.push_back(static_cast<uint32_t>(box.min()[axis]));
    }
    for (int axis = 0; axis < 3; ++axis) {
      bounds.push_back(static_cast<uint32_t>(box.max()[axis]));
    }
  }
  out.lists[1] = {1};
  core::BoxesPayload payload;
  payload.bounds = bounds;
  payload.entries = out.lists[1];
  out.input.block.payload = payload;
}

void EncodeColumns(const std::vector<uint8_t>& voxels, OwnedBlock& out) {
  const core::Vec3i& size = out.input.block.size;
  const auto at = [&voxels, &size](int x, int y, int z) -> uint32_t {
    return voxels[static_cast<size_t>(x + size.x * (y + size.y * z))];
  };
  auto& [first_y, run_counts, lengths, entries, below, above] = out.lists;
  for (int z = 0; z < size.z; ++z) {
    for (int x = 0; x < size.x; ++x) {
      first_y.push_back(0);
      run_counts.push_back(0);
      for (int y = 0; y < size.y; ++y) {
        if (y == 0 || entries.back() != at(x, y, z)) {
          entries.push_back(at(x, y, z));
          lengths.push_back(0);
          ++run_counts.back();
        }
        ++lengths.back();
      }
    }
  }
  below = {0};
  above = {0};
  out.input.block.payload =
      core::ColumnsPayload{first_y, run_counts, lengths, entries, below, above};
}

}  // namespace

std::unique_ptr<OwnedBlock> EncodeGrid(const std::vector<uint8_t>& voxels,
                                       const core::Vec3i& size,
                                       absl::string_view encoding) {
  auto out = std::make_unique<OwnedBlock>();
  core::EncodedBlock& block = out->input.block;
  block.size = size;
  if (encoding == "bitset") {
    out->bytes = PackBits(voxels, 1);
    block.payload = core::BitsetPayload{out->bytes};
  } else if (encoding == "packed") {
    out->bytes = PackBits(voxels, 8);
    core::PackedPayload payload;
    payload.bytes = out->bytes;
    payload.bits_per_entry = 1;
    block.payload = payload;
  } else if (encoding == "u8") {
    EncodeArray(voxels, 1, *out);
  } else if (encoding == "u16") {
    EncodeArray(voxels, 2, *out);
  } else if (encoding == "u32") {
    EncodeArray(voxels, 4, *out);
  } else if (encoding == "palette") {
    EncodePalette(voxels, *out);
  } else if (encoding == "runs") {
    EncodeRuns(voxels, *out);
  } else if (encoding == "points") {
    EncodePoints(voxels, *out);
  } else if (encoding == "boxes") {
    EncodeBoxes(voxels, *out);
  } else if (encoding == "columns") {
    EncodeColumns(voxels, *out);
  } else {
    return nullptr;
  }
  return out;
}

absl::StatusOr<std::unique_ptr<Workload>> Workload::Make(
    const WorkloadOptions& options) {
  std::unique_ptr<Workload> workload(new Workload);
  KILN_RETURN_IF_ERROR(options.vox_file.empty()
                           ? workload->AddGrids(options)
                           : workload->AddVoxFile(options));
  return workload;
}

absl::Status Workload::AddGrids(const WorkloadOptions& options) {
  std::vector<core::BakeInput> inputs;
  for (const std::string& name : options.grids) {
    const auto grid = core::MakeSampleGrid(name, options.edge);
    if (!grid) {
      return core::FieldError("--inputs", name,
                              absl::StrJoin(core::kSampleGridNames, ", "));
    }
    auto block = EncodeGrid(grid->voxels, grid->size(), options.encoding);
    if (block == nullptr) {
      return core::FieldError("--encoding", options.encoding,
                              absl::StrJoin(kEncodingNames, ", "));
    }
    inputs.push_back(block->input);
    grids_.push_back(std::move(block));
  }
  MakeRequests(inputs, options);
  return absl::OkStatus();
}

absl::Status Workload::AddVoxFile(const WorkloadOptions& options) {
  KILN_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes,
                        ReadFile(options.vox_file));
  KILN_ASSIGN_OR_RETURN(const VoxFile file, ReadVox(bytes));
  const VoxSceneOptions scene;
  KILN_ASSIGN_OR_RETURN(const std::vector<VoxInstance> instances,
                        PlaceModels(file, scene));
  VoxelGrid grid;
  KILN_RETURN_IF_ERROR(AddToGrid(file, instances, scene, grid));
  KILN_ASSIGN_OR_RETURN(const std::vector<GridBlock> cut,
                        CutIntoBlocks(grid, options.edge));
  if (cut.empty()) {
    return core::FieldError("--vox", options.vox_file,
                            "a file with at least one voxel");
  }
  std::vector<core::BakeInput> inputs;
  for (const GridBlock& block : cut) {
    blocks_.emplace_back(grid, block, /*by_class=*/false);
    inputs.push_back(blocks_.back().input());
  }
  MakeRequests(inputs, options);
  return absl::OkStatus();
}

// As many requests as there are inputs, so that each comes equally often.
void Workload::MakeRequests(const std::vector<core::BakeInput>& inputs,
                            const WorkloadOptions& options) {
  size_t next = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    BakeRequest& request = requests_.emplace_back();
    request.recipe = options.recipe;
    request.compression = options.compression;
    for (int j = 0; j < options.blocks_per_request; ++j) {
      request.blocks.push_back(inputs[next++ % inputs.size()]);
    }
  }
}

}  // namespace kiln::client
