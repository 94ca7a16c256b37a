// client/formats/boxes/box_json.h
//
// Boxes of a scene as JSON, for programs that want them without gRPC.

#ifndef KILN_CLIENT_FORMATS_BOXES_BOX_JSON_H_
#define KILN_CLIENT_FORMATS_BOXES_BOX_JSON_H_

#include <string>

#include "client/formats/boxes/box_scene.h"

namespace kiln::client {

// {"blocks":[{"origin":[x,y,z],"size":[x,y,z],
//             "boxes":[[x0,y0,z0,x1,y1,z1,class,exposed_faces],...]},...]}
//
// Bounds are relative to the block's origin, maxima exclusive; bits 0..5 of
// exposed_faces are the faces -x, +x, -y, +y, -z, +z. One block a line.
std::string BoxesToJson(const BoxScene& scene);

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_BOXES_BOX_JSON_H_
