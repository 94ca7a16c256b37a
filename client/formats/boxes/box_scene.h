// client/formats/boxes/box_scene.h
//
// Boxes of a whole scene, as the writers of box files take them: the result of
// each block with the place it has in the world.

#ifndef KILN_CLIENT_FORMATS_BOXES_BOX_SCENE_H_
#define KILN_CLIENT_FORMATS_BOXES_BOX_SCENE_H_

#include <cstdint>
#include <vector>

#include "client/formats/palette.h"
#include "core/geometry/vec3.h"
#include "core/voxel/box_set.h"

namespace kiln::client {

struct BoxBlock {
  core::Vec3i origin;  // world coordinates of a box are this plus its bounds
  core::Vec3i size;
  core::BoxSet boxes;
};

struct BoxScene {
  std::vector<BoxBlock> blocks;  // in the order of CutIntoBlocks
  // Whether the class of a box is its material, an index into the palette.
  bool by_class = false;
  Palette palette{};
};

// Boxes of all blocks.
int64_t CountBoxes(const BoxScene& scene);

// A colour to tell boxes apart by: by class its material's, a little lighter or
// darker from box to box; else any. The same for the same box at the same
// place.
Color ColorOfBox(const BoxScene& scene, const BoxBlock& block,
                 const core::Box& box);

// The corners of the face of a box, in world coordinates, counter-clockwise
// when seen from outside.
struct BoxFace {
  core::Vec3i corners[4];
};
BoxFace FaceOfBox(const BoxBlock& block, const core::Box& box, core::Face face);

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_BOXES_BOX_SCENE_H_
