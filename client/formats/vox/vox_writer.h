// client/formats/vox/vox_writer.h
//
// Writes a grid as a MagicaVoxel .vox file with a scene graph: cut into models
// of at most 256 an edge, each put where it was, so that reading the file gives
// the same grid.

#ifndef KILN_CLIENT_FORMATS_VOX_VOX_WRITER_H_
#define KILN_CLIENT_FORMATS_VOX_VOX_WRITER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "client/formats/palette.h"
#include "client/formats/voxel_grid.h"

namespace kiln::client {

// `grid` is y-up; the file is z-up (SceneAxes::kYUp of vox_scene.h undone).
//
// Errors:      kInvalidArgument for a scene over 2^31 bytes.
// Guarantees:  the same grid and palette give the same bytes.
absl::StatusOr<std::vector<uint8_t>> WriteVox(const VoxelGrid& grid,
                                              const Palette& palette);

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_VOX_VOX_WRITER_H_
