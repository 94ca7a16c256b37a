// core/voxel/search/box_cover.h
//
// Boxes that may overlap: fewer than any partition of the same voxels. For
// static worlds whose engine takes overlaps; masses must not be summed over it.

#ifndef KILN_CORE_VOXEL_SEARCH_BOX_COVER_H_
#define KILN_CORE_VOXEL_SEARCH_BOX_COVER_H_

#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "core/voxel/box_set.h"
#include "core/voxel/voxel_block.h"

namespace kiln::core {

// Returns boxes whose union is exactly the solid voxels. Boxes of unlike
// classes never overlap; no box is redundant (covered by the others).
//
// Errors:      only those of `cancel`.
// Guarantees:  exact union; never more boxes than PartitionIntoBoxes, nor than
//              SearchBoxes at effort 0 where that is less than a tenth better;
//              equal blocks give equal boxes. A minimum on blocks of up to
//              4 x 4 x 4 voxels, unless a search of 20,000 nodes does not find
//              it.
// Cost:        about that of GrowBoxes; that of a search at effort 0 and as
//              much again more where overlaps help little.
// Threads:     pure function.
absl::StatusOr<BoxSet> CoverWithBoxes(const VoxelBlock& block,
                                      const CancelToken& cancel = {});

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_SEARCH_BOX_COVER_H_
