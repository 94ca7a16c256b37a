#include "client/internal/inproc/owned_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "tests/client/test_blocks.h"
#include "tests/support/block_encoders.h"
#include "tests/support/status_matchers.h"

namespace kiln::client::internal {
namespace {

// Overwrites all that an encoded block borrows, then lets go of it.
void Destroy(std::unique_ptr<tests::OwnedBlock> block) {
  std::fill(block->bytes.begin(), block->bytes.end(), uint8_t{0xee});
  std::fill(block->palette.begin(), block->palette.end(), 0xeeu);
  for (auto& list : block->lists) std::fill(list.begin(), list.end(), 0xeeu);
}

TEST(OwnedInputs, EveryEncodingOutlivesItsOwner) {
  const tests::PlainVoxels voxels =
      tests::RandomVoxels({6, 5, 7}, /*max_entry=*/3, /*seed=*/4);
  const std::vector<uint32_t> palette = {0, 5, 9, 0};
  tests::OwnedSolidity solidity;
  solidity.kind = core::Solidity::Kind::kEmptyIds;
  solidity.ids = {0};
  solidity.class_ids = {5, 9};
  solidity.classes = {2, 3};
  for (const tests::EncodingChoice& choice : tests::EncodingsFor(3)) {
    auto block =
        tests::Encode(voxels, choice, core::AxisOrder::kXyz, palette, solidity);
    core::BakeInput input;
    input.block = block->block;
    KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult expected,
                              core::Bake(input, {}));
    const OwnedInputs owned({input});
    Destroy(std::move(block));
    KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult result,
                              core::Bake(owned.inputs().at(0), {}));
    EXPECT_TRUE(tests::SameResult(result, expected)) << choice.name;
  }
}

TEST(OwnedInputs, NeighboursOutliveTheirOwners) {
  const tests::ByteBlock block(4);
  auto beyond = std::make_unique<tests::ByteBlock>(4, /*seed=*/9);
  auto layer = std::make_unique<tests::ByteBlock>(
      tests::NoiseBlock({4, 1, 4}, 0.5, /*class_count=*/1, /*seed=*/2));
  core::BakeInput input = block.input();
  input.neighbours[0] = core::BlockNeighbour{beyond->input().block};
  input.neighbours[2] = core::PlaneNeighbour{layer->input().block};
  input.neighbours[5] = core::UniformNeighbour::kSolid;
  KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult expected,
                            core::Bake(input, {}));
  const OwnedInputs owned({input});
  beyond.reset();
  layer.reset();
  KILN_ASSERT_OK_AND_ASSIGN(const core::BakeResult result,
                            core::Bake(owned.inputs().at(0), {}));
  EXPECT_TRUE(tests::SameResult(result, expected));
}

}  // namespace
}  // namespace kiln::client::internal
