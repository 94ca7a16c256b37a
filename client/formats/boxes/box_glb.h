// client/formats/boxes/box_glb.h
//
// Boxes of a scene as binary glTF, to look at in any viewer: each box in a
// colour of its own, by class in a shade of its material.

#ifndef KILN_CLIENT_FORMATS_BOXES_BOX_GLB_H_
#define KILN_CLIENT_FORMATS_BOXES_BOX_GLB_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "client/formats/boxes/box_scene.h"

namespace kiln::client {

// One node and mesh a block that has boxes, named "block X Y Z". Metres equal
// voxels. Vertices carry no normals, so viewers shade flat, as glTF says.
//
// Errors: kInvalidArgument for more boxes than the format's 4 GiB hold.
absl::StatusOr<std::vector<uint8_t>> BoxesToGlb(const BoxScene& scene);

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_BOXES_BOX_GLB_H_
