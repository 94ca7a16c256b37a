// client/formats/grid_blocks.h
//
// Cuts a grid into the blocks that are baked, and puts each into the form a
// bake takes, with what its neighbours show it.

#ifndef KILN_CLIENT_FORMATS_GRID_BLOCKS_H_
#define KILN_CLIENT_FORMATS_GRID_BLOCKS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "client/formats/voxel_grid.h"
#include "core/bake/baker.h"
#include "core/geometry/vec3.h"

namespace kiln::client {

// A part of the grid: [origin, origin + size) in world voxels.
struct GridBlock {
  core::Vec3i origin;
  core::Vec3i size;
};

// The blocks that hold a voxel, in ascending order of origin (z, y, x).
//
// `edge`:  1..256: cubes of that edge, aligned to world multiples of it.
//          0: the scene's bounds as one block, refused over 256 an axis.
// Errors:  kInvalidArgument.
absl::StatusOr<std::vector<GridBlock>> CutIntoBlocks(const VoxelGrid& grid,
                                                     int edge);

// A block in the form of a bake. Movable: the spans of `input` stay valid.
class BlockInput {
 public:
  // What lies beyond each face is given: a layer of the neighbour where one is
  // solid, else air. The world beyond the scene is air, so its outer faces are
  // exposed.
  //
  // `by_class`: materials are classes; else all voxels are of class 1.
  BlockInput(const VoxelGrid& grid, const GridBlock& block, bool by_class);
  BlockInput(BlockInput&&) = default;
  BlockInput& operator=(BlockInput&&) = default;

  const core::BakeInput& input() const { return input_; }
  // Of all payloads: about what it takes on the wire.
  int64_t payload_bytes() const;

 private:
  // Storage that an EncodedBlock borrows from.
  struct Storage {
    std::vector<uint8_t> bytes;
    std::vector<uint32_t> palette;
  };

  static core::EncodedBlock Encode(const std::vector<uint8_t>& materials,
                                   const core::Vec3i& size, bool by_class,
                                   Storage& storage);

  Storage block_;
  std::array<Storage, core::kFaceCount> planes_;
  core::BakeInput input_;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_GRID_BLOCKS_H_
