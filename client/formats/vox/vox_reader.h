// client/formats/vox/vox_reader.h
//
// Reads MagicaVoxel .vox files, and the compressed models that Teardown's tools
// put into them (TDCZ). Only takes the file apart; vox_scene.h puts the scene
// together.

#ifndef KILN_CLIENT_FORMATS_VOX_VOX_READER_H_
#define KILN_CLIENT_FORMATS_VOX_VOX_READER_H_

#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "client/formats/vox/vox_file.h"

namespace kiln::client {

// What one file may make us allocate or do.
struct VoxLimits {
  // Solid voxels of all models, 4 bytes each.
  int64_t max_voxels = int64_t{1} << 27;
  // Cells of all compressed models: a stream of a kilobyte may hold a million.
  int64_t max_inflated_cells = int64_t{1} << 30;
};

// Understood: SIZE, XYZI, TDCZ, PACK, nTRN, nGRP, nSHP, LAYR, RGBA; every other
// chunk is skipped. Without RGBA the palette is MagicaVoxel's default.
//
// Errors:      kInvalidArgument with the byte offset for whatever the format
//              does not allow: counts that exceed the bytes there are, voxels
//              outside their model, truncated or trailing bytes, a file over
//              `limits`.
// Guarantees:  memory stays below a constant times the larger of the file and
//              limits.max_voxels.
// Threads:     pure function.
absl::StatusOr<VoxFile> ReadVox(std::span<const uint8_t> bytes,
                                const VoxLimits& limits = {});

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_VOX_VOX_READER_H_
