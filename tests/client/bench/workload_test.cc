#include "client/bench/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <variant>

#include "core/voxel/decode/block_decoder.h"
#include "core/voxel/sample/sample_grids.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using ::kiln::tests::StatusIs;
using ::testing::HasSubstr;

TEST(EncodeGrid, EveryEncodingIsTheSameBlock) {
  const core::Vec3i size = {12, 12, 12};
  for (const char* name : {"caves", "noise", "flat"}) {
    const std::vector<uint8_t> voxels = core::MakeSampleGrid(name, 12)->voxels;
    KILN_ASSERT_OK_AND_ASSIGN(
        const core::VoxelBlock expected,
        core::DecodeBlock(EncodeGrid(voxels, size, "u8")->input.block));
    for (const absl::string_view encoding : kEncodingNames) {
      const auto encoded = EncodeGrid(voxels, size, encoding);
      ASSERT_NE(encoded, nullptr) << encoding;
      KILN_ASSERT_OK_AND_ASSIGN(const core::VoxelBlock block,
                                core::DecodeBlock(encoded->input.block));
      EXPECT_TRUE(block == expected) << encoding << " of " << name;
    }
  }
}

TEST(EncodeGrid, UnknownEncodingGivesNothing) {
  EXPECT_EQ(EncodeGrid({1}, {1, 1, 1}, "u64"), nullptr);
}

TEST(Workload, BlocksComeEquallyOften) {
  WorkloadOptions options;
  options.grids = {"hills", "caves", "ball"};
  options.edge = 8;
  options.blocks_per_request = 2;
  KILN_ASSERT_OK_AND_ASSIGN(const auto workload, Workload::Make(options));
  ASSERT_EQ(workload->requests().size(), 3u);
  std::map<const void*, int> times;
  for (const BakeRequest& request : workload->requests()) {
    ASSERT_EQ(request.blocks.size(), 2u);
    for (const core::BakeInput& input : request.blocks) {
      ++times[std::get<core::BitsetPayload>(input.block.payload).bytes.data()];
    }
  }
  ASSERT_EQ(times.size(), 3u);
  for (const auto& entry : times) EXPECT_EQ(entry.second, 2);
}

TEST(Workload, MissingFileIsNamed) {
  WorkloadOptions options;
  options.vox_file = "/nowhere/castle.vox";
  EXPECT_THAT(
      Workload::Make(options),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere/castle.vox")));
}

}  // namespace
}  // namespace kiln::client
