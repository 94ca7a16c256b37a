// tests/client/test_blocks.h
//
// A few blocks that own their bytes, and requests over them: requests borrow
// what they hold, so a test keeps the block for as long as its call takes.

#ifndef KILN_TESTS_CLIENT_TEST_BLOCKS_H_
#define KILN_TESTS_CLIENT_TEST_BLOCKS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "client/bake.h"
#include "core/geometry/vec3.h"
#include "core/voxel/encoded_block.h"
#include "tests/support/random_blocks.h"

namespace kiln::tests {

// One byte a voxel, x fastest: its class, 0 for air.
class ByteBlock {
 public:
  explicit ByteBlock(const core::VoxelBlock& block)
      : size_(block.size()), bytes_(ClassBytes(block)) {}
  // What people build, of `edge` voxels each way.
  explicit ByteBlock(int edge, uint64_t seed = 1)
      : ByteBlock(BuildingBlock({edge, edge, edge}, /*class_count=*/1, seed)) {}

  core::BakeInput input() const {
    core::ArrayPayload payload;
    payload.bytes = bytes_;
    core::BakeInput input;
    input.block.size = size_;
    input.block.payload = payload;
    return input;
  }

  client::BakeRequest request(
      core::Method method = core::Method::kPartition) const {
    client::BakeRequest request;
    request.recipe.method = method;
    request.blocks = {input()};
    return request;
  }

 private:
  core::Vec3i size_;
  std::vector<uint8_t> bytes_;
};

inline bool SameResult(const core::BakeResult& a, const core::BakeResult& b) {
  return a.size == b.size && a.boxes == b.boxes &&
         a.content_hash == b.content_hash && a.result_hash == b.result_hash &&
         a.solid_voxels == b.solid_voxels && a.lower_bound == b.lower_bound &&
         a.tree_nodes == b.tree_nodes;
}

}  // namespace kiln::tests

#endif  // KILN_TESTS_CLIENT_TEST_BLOCKS_H_
