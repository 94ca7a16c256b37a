// core/voxel/sample/sample_castle.h
//
// The castle of the sample world (sample.h); apart from the terrain because it
// is drawn, not computed. Only sample.cc and sample_castle.cc include this.

#ifndef KILN_CORE_VOXEL_SAMPLE_SAMPLE_CASTLE_H_
#define KILN_CORE_VOXEL_SAMPLE_SAMPLE_CASTLE_H_

#include "core/geometry/vec3.h"
#include "core/voxel/sample/sample_world.h"

namespace kiln::core::internal {

// Where the castle stands.
struct CastleSite {
  Vec3i center;     // of the courtyard; y is the first layer of air above it
  int half_extent;  // from the centre to the outer face of the curtain wall

  // Outside of this the castle touches nothing: walls, towers and moat.
  int Reach() const { return half_extent + 14; }
};

// Requires: the ground is level at site.center.y up to the reach.
void BuildCastle(const CastleSite& site, SampleWorld& world);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_SAMPLE_SAMPLE_CASTLE_H_
