// core/voxel/boxes/box_tree.h
//
// Binary space partition of a block: split where the most faces between unlike
// voxels lie, until every leaf is uniform. Gives the tree, empty leaves
// included, and its full leaves as boxes.

#ifndef KILN_CORE_VOXEL_BOXES_BOX_TREE_H_
#define KILN_CORE_VOXEL_BOXES_BOX_TREE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "core/voxel/box_set.h"
#include "core/voxel/voxel_block.h"
#include "core/voxel/voxel_view.h"

namespace kiln::core {

// A node in preorder: an inner node is followed by its lower child's whole
// subtree, then by its upper child's. The root spans the block, and bounds of
// the others follow from the planes above them.
struct BoxTreeNode {
  // 0, 1, 2: split at the plane x, y, z = `plane` (block coordinates; the lower
  // child ends there). 3: a leaf.
  uint8_t axis = 3;
  // Of a leaf: the class of all its voxels, 0 for air.
  uint8_t cls = 0;
  // Of an inner node: 1..255.
  uint16_t plane = 0;

  bool is_leaf() const { return axis == 3; }
  friend bool operator==(const BoxTreeNode&, const BoxTreeNode&) = default;
};

struct BoxTree {
  std::vector<BoxTreeNode> nodes;
  BoxSet boxes;  // the full leaves, in canonical order, without exposure
};

// Returns the tree of `block`. The plane of a node is the one that separates
// the most pairs of unlike neighbours (solid/air, or two classes). Ties: per
// axis the first best plane; x wins only when better than y and z, y only when
// better than z, else z. A block without voxels has no nodes.
//
// Errors:      only those of `cancel`.
// Guarantees:  exact, disjoint; equal blocks give equal trees.
// Cost:        O(V * depth) time, V bytes of scratch.
// Threads:     pure function.
absl::StatusOr<BoxTree> BuildBoxTree(const VoxelBlock& block,
                                     const CancelToken& cancel = {});

// The same for a byte array: each value is a class, 0 is air.
absl::StatusOr<BoxTree> BuildBoxTree(const VoxelView<uint8_t>& classes,
                                     const CancelToken& cancel = {});

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_BOXES_BOX_TREE_H_
