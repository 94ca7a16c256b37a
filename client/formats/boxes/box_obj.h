// client/formats/boxes/box_obj.h
//
// Boxes of a scene as a Wavefront OBJ mesh, for modelling programs.

#ifndef KILN_CLIENT_FORMATS_BOXES_BOX_OBJ_H_
#define KILN_CLIENT_FORMATS_BOXES_BOX_OBJ_H_

#include <string>

#include "client/formats/boxes/box_scene.h"

namespace kiln::client {

// Eight vertices and six outward quads a box, in world coordinates. One object
// a block ("block_X_Y_Z", its origin); by class one a class ("class_N").
std::string BoxesToObj(const BoxScene& scene);

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_BOXES_BOX_OBJ_H_
