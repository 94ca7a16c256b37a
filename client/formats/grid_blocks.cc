#include "client/formats/grid_blocks.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/errors.h"
#include "core/base/limits.h"

namespace kiln::client {
namespace {

using core::Vec3i;

// The greatest multiple of `edge` at or below `v`.
int FloorTo(int v, int edge) {
  const int remainder = v % edge;
  return v - (remainder < 0 ? remainder + edge : remainder);
}

bool Before(const Vec3i& a, const Vec3i& b) {
  if (a.z != b.z) return a.z < b.z;
  return a.y != b.y ? a.y < b.y : a.x < b.x;
}

// Whether there is a voxel in [min, max).
bool HoldsVoxel(const VoxelGrid& grid, const Vec3i& min, const Vec3i& max) {
  const Vec3i size = max - min;
  std::vector<uint8_t> cells(static_cast<size_t>(core::Volume(size)));
  grid.CopyBox(min, size, cells.data());
  return std::any_of(cells.begin(), cells.end(),
                     [](uint8_t cell) { return cell != 0; });
}

// Origins of the blocks of `edge` that the voxels of one brick lie in.
void AddBlocksOf(const VoxelGrid& grid, const Vec3i& brick, int edge,
                 std::vector<Vec3i>& origins) {
  constexpr int kBrick = VoxelGrid::kBrickEdge;
  for (int z = FloorTo(brick.z, edge); z < brick.z + kBrick; z += edge) {
    for (int y = FloorTo(brick.y, edge); y < brick.y + kBrick; y += edge) {
      for (int x = FloorTo(brick.x, edge); x < brick.x + kBrick; x += edge) {
        const Vec3i min = {std::max(x, brick.x), std::max(y, brick.y),
                           std::max(z, brick.z)};
        const Vec3i max = {std::min(x + edge, brick.x + kBrick),
                           std::min(y + edge, brick.y + kBrick),
                           std::min(z + edge, brick.z + kBrick)};
        if (HoldsVoxel(grid, min, max)) origins.push_back({x, y, z});
      }
    }
  }
}

absl::StatusOr<std::vector<GridBlock>> WholeScene(const VoxelGrid& grid) {
  std::vector<GridBlock> blocks;
  if (grid.solid_voxels() == 0) return blocks;
  const Vec3i size = grid.max() - grid.min();
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] > core::kMaxBlockEdgeVoxels) {
      constexpr absl::string_view kNames[] = {"size.x", "size.y", "size.z"};
      return core::WithContext("scene as one block: ",
                               core::RangeError(kNames[axis], size[axis], 1,
                                                core::kMaxBlockEdgeVoxels));
    }
  }
  blocks.push_back({grid.min(), size});
  return blocks;
}

// Packs indices of `bits` each into 32-bit little-endian words, which entries
// may span.
std::vector<uint8_t> Pack(const std::vector<uint8_t>& materials,
                          const std::array<uint8_t, 256>& index_of, int bits) {
  const auto total_bits =
      static_cast<int64_t>(materials.size()) * int64_t{bits};
  std::vector<uint8_t> bytes(static_cast<size_t>((total_bits + 31) / 32 * 4));
  uint64_t pending = 0;
  int pending_bits = 0;
  size_t out = 0;
  for (const uint8_t material : materials) {
    pending |= uint64_t{index_of[material]} << pending_bits;
    pending_bits += bits;
    while (pending_bits >= 8) {
      bytes[out++] = static_cast<uint8_t>(pending);
      pending >>= 8;
      pending_bits -= 8;
    }
  }
  if (pending_bits > 0) bytes[out] = static_cast<uint8_t>(pending);
  return bytes;
}

std::vector<uint8_t> PackBits(const std::vector<uint8_t>& materials) {
  std::vector<uint8_t> bytes((materials.size() + 7) / 8);
  for (size_t i = 0; i < materials.size(); ++i) {
    if (materials[i] != 0) bytes[i / 8] |= static_cast<uint8_t>(1 << (i % 8));
  }
  return bytes;
}

// The layer of voxels beyond a face of a block.
GridBlock LayerBeyond(const GridBlock& block, core::Face face) {
  const int axis = core::FaceAxis(face);
  GridBlock layer = block;
  layer.size[axis] = 1;
  layer.origin[axis] += core::IsPlusFace(face) ? block.size[axis] : -1;
  return layer;
}

}  // namespace

absl::StatusOr<std::vector<GridBlock>> CutIntoBlocks(const VoxelGrid& grid,
                                                     int edge) {
  if (edge < 0 || edge > core::kMaxBlockEdgeVoxels) {
    return core::RangeError("block", edge, 0, core::kMaxBlockEdgeVoxels);
  }
  if (edge == 0) return WholeScene(grid);
  std::vector<Vec3i> origins;
  for (const Vec3i& brick : grid.BrickOrigins()) {
    AddBlocksOf(grid, brick, edge, origins);
  }
  std::sort(origins.begin(), origins.end(), Before);
  origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
  std::vector<GridBlock> blocks;
  blocks.reserve(origins.size());
  for (const Vec3i& origin : origins) {
    blocks.push_back({origin, {edge, edge, edge}});
  }
  return blocks;
}

BlockInput::BlockInput(const VoxelGrid& grid, const GridBlock& block,
                       bool by_class) {
  std::vector<uint8_t> materials;
  const auto load = [&](const GridBlock& part) {
    materials.resize(static_cast<size_t>(core::Volume(part.size)));
    grid.CopyBox(part.origin, part.size, materials.data());
  };
  load(block);
  input_.block = Encode(materials, block.size, by_class, block_);
  for (size_t i = 0; i < core::kFaceCount; ++i) {
    const GridBlock layer = LayerBeyond(block, static_cast<core::Face>(i));
    load(layer);
    if (std::all_of(materials.begin(), materials.end(),
                    [](uint8_t m) { return m == 0; })) {
      input_.neighbours[i] = core::UniformNeighbour::kAir;
      continue;
    }
    input_.neighbours[i] = core::PlaneNeighbour{
        Encode(materials, layer.size, by_class, planes_[i])};
  }
}

core::EncodedBlock BlockInput::Encode(const std::vector<uint8_t>& materials,
                                      const Vec3i& size, bool by_class,
                                      Storage& storage) {
  core::EncodedBlock block;
  block.size = size;
  if (!by_class) {
    storage.bytes = PackBits(materials);
    block.payload = core::BitsetPayload{storage.bytes};
    return block;
  }
  std::array<bool, 256> present{};
  for (const uint8_t material : materials) present[material] = true;
  std::array<uint8_t, 256> index_of{};
  for (size_t material = 0; material < present.size(); ++material) {
    if (!present[material]) continue;
    index_of[material] = static_cast<uint8_t>(storage.palette.size());
    storage.palette.push_back(static_cast<uint32_t>(material));
  }
  block.palette = storage.palette;
  // Every material but air is its own class.
  const std::span<const uint32_t> ids =
      block.palette.subspan(storage.palette.front() == 0 ? 1 : 0);
  block.solidity.class_ids = ids;
  block.solidity.classes = ids;
  if (storage.palette.size() == 1) {
    block.payload = core::UniformPayload{0};
    return block;
  }
  const int bits =
      std::bit_width(static_cast<uint32_t>(storage.palette.size() - 1));
  storage.bytes = Pack(materials, index_of, bits);
  block.payload = core::PackedPayload{.bytes = storage.bytes,
                                      .bits_per_entry = bits,
                                      .word_bits = 32,
                                      .spanning = true};
  return block;
}

int64_t BlockInput::payload_bytes() const {
  constexpr int64_t kBytesPerPaletteEntry = 6;  // as id and twice as class
  const auto bytes_of = [](const Storage& storage) {
    return static_cast<int64_t>(storage.bytes.size()) +
           static_cast<int64_t>(storage.palette.size()) * kBytesPerPaletteEntry;
  };
  return std::accumulate(planes_.begin(), planes_.end(), bytes_of(block_),
                         [&](int64_t sum, const Storage& storage) {
                           return sum + bytes_of(storage);
                         });
}

}  // namespace kiln::client
