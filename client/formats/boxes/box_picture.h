// client/formats/boxes/box_picture.h
//
// Draws the boxes of a scene: seen from above the corner at +x and -z, in
// parallel projection (two pixels across for one down), each box in its colour.

#ifndef KILN_CLIENT_FORMATS_BOXES_BOX_PICTURE_H_
#define KILN_CLIENT_FORMATS_BOXES_BOX_PICTURE_H_

#include "absl/status/statusor.h"
#include "client/formats/boxes/box_scene.h"
#include "client/formats/boxes/image.h"

namespace kiln::client {

// Errors: kInvalidArgument for a scene without boxes, or so tall that the
//         picture would be over 16384 pixels high.
// Cost:   the area of the exposed faces in pixels, four times.
absl::StatusOr<Image> DrawBoxes(const BoxScene& scene, int width_pixels);

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_BOXES_BOX_PICTURE_H_
