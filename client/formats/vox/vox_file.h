// client/formats/vox/vox_file.h
//
// A MagicaVoxel file as it is stored: models, scene graph, layers, colours, in
// the file's own axes (z up). What the scene looks like when it is put together
// is vox_scene.h.

#ifndef KILN_CLIENT_FORMATS_VOX_VOX_FILE_H_
#define KILN_CLIENT_FORMATS_VOX_VOX_FILE_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "client/formats/palette.h"
#include "client/formats/vox/signed_permutation.h"
#include "core/geometry/vec3.h"

namespace kiln::client {

// `color` is the index the file stores, 1..255: it is the class of a voxel.
// (IMAP, which only reorders the palette on screen, is left aside.)
struct VoxVoxel {
  uint8_t x = 0, y = 0, z = 0, color = 0;
};

struct VoxModel {
  core::Vec3i size;  // 1..256 an axis
  // Inside `size`. Where two are at the same place, the last one counts.
  std::vector<VoxVoxel> voxels;
};

// A pose of a transform node, or the model of a shape node, from an animation
// frame on.
struct VoxPose {
  int frame = 0;
  SignedPermutation rotation;
  core::Vec3i translation;
};
struct VoxShapeModel {
  int frame = 0;
  int model = 0;  // index into VoxFile::models
};

struct VoxTransformNode {
  int child = 0;
  int layer = -1;
  std::vector<VoxPose> poses;  // at least one
};
struct VoxGroupNode {
  std::vector<int> children;
};
struct VoxShapeNode {
  std::vector<VoxShapeModel> models;  // at least one
};

struct VoxNode {
  int64_t offset = 0;  // of its chunk in the file
  bool hidden = false;
  std::variant<VoxTransformNode, VoxGroupNode, VoxShapeNode> kind;
};

struct VoxFile {
  int version = 0;  // 150 or 200
  std::vector<VoxModel> models;
  // By node id; the root is 0. Empty: the file has no scene graph, and its
  // models are frames of an animation.
  std::map<int, VoxNode> nodes;
  std::map<int, bool> hidden_layers;  // by layer id; true: hidden
  Palette palette{};
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_VOX_VOX_FILE_H_
