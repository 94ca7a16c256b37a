#include "core/voxel/search/box_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/hash.h"
#include "core/base/limits.h"
#include "core/voxel/boxes/box_partition.h"
#include "tests/golden/exact_small_grids.h"
#include "tests/support/box_oracles.h"
#include "tests/support/grids.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::IsExactPartition;
using tests::StatusIs;

size_t CountOf(const VoxelBlock& block, int effort) {
  return SearchBoxes(block, effort).value().size();
}

VoxelBlock Caves(int edge) { return tests::BlockOf(tests::CavesGrid(edge)); }

TEST(Search, KnownMinimaAreReachedAtAnyEffort) {
  for (const tests::ExactSmallGrid& known : tests::kExactSmallGrids) {
    const VoxelBlock block = tests::BlockOfMask(known.size, known.solid);
    for (int effort = 0; effort <= kMaxSearchEffort; ++effort) {
      const BoxSet boxes = SearchBoxes(block, effort).value();
      EXPECT_TRUE(IsExactPartition(block, boxes)) << known.name;
      EXPECT_EQ(boxes.size(), static_cast<size_t>(known.min_partition))
          << known.name;
    }
  }
}

TEST(Search, EffortZeroIsTheBestAxisOrder) {
  // The counts that Kiln's design quotes for the best of six orders.
  EXPECT_EQ(CountOf(tests::BlockOf(tests::HillsGrid(32)), 0), 165u);
  EXPECT_EQ(CountOf(Caves(32), 0), 1052u);
  EXPECT_EQ(CountOf(tests::BlockOf(tests::BallGrid(32)), 0), 297u);
  EXPECT_EQ(CountOf(tests::BlockOf(tests::HillsGrid(64)), 0), 1333u);
}

TEST(Search, EffortBuysFewerBoxes) {
  // Caves of 32^3: 12, 14 and 14 % off the best axis order, with some slack.
  EXPECT_LE(CountOf(Caves(32), 1), 930u);
  EXPECT_LE(CountOf(Caves(32), 2), 910u);
  EXPECT_LE(CountOf(Caves(32), 3), 906u);
}

TEST(Search, RandomBlocksAreExact) {
  tests::Random random(11);
  for (int round = 0; round < 24; ++round) {
    const VoxelBlock block =
        tests::MixedBlock(round, {70, 14, 14}, 5, 0.8, random);
    EXPECT_TRUE(IsExactPartition(block, SearchBoxes(block, round % 3).value()))
        << tests::Describe(block);
  }
}

TEST(Search, MoreEffortNeverGivesMoreBoxes) {
  tests::Random random(12);
  for (int round = 0; round < 3; ++round) {
    const VoxelBlock block =
        tests::BuildingBlock({20, 16, 12}, 3, random.Next());
    size_t most = PartitionIntoBoxes(block).value().size();
    for (int effort = 0; effort <= kMaxSearchEffort; ++effort) {
      const size_t count = CountOf(block, effort);
      EXPECT_LE(count, most) << tests::Describe(block);
      most = count;
    }
  }
}

TEST(Search, ManyBoxesAreInCanonicalOrder) {
  const VoxelBlock block = tests::NoiseBlock({40, 40, 40}, 0.5, 2, 14);
  const BoxSet boxes = SearchBoxes(block, 0).value();
  EXPECT_GT(boxes.size(), 10000u);
  EXPECT_TRUE(IsExactPartition(block, boxes));
}

TEST(Search, ClassesAreSolvedApart) {
  // Two known grids, one around the other's place, in one block.
  const VoxelBlock block = tests::BlockOfClasses(
      {3, 3, 1}, {2, 1, 2, 1, 1, 1, 2, 1, 2});  // a plus of 1 in corners of 2
  EXPECT_EQ(CountOf(block, 0), 3u + 4u);
}

TEST(Search, DistantVoxelsOfSmallLayersStayInPlace) {
  const VoxelBlock block =
      tests::BlockOfVoxels({200, 90, 80}, {{190, 80, 70}, {191, 80, 70}});
  EXPECT_THAT(SearchBoxes(block, 1).value(),
              ElementsAre(Box({190, 80, 70}, {192, 81, 71}, 1)));
}

TEST(Search, AirGivesNoBoxes) {
  EXPECT_THAT(SearchBoxes(VoxelBlock(), 3).value(), IsEmpty());
  EXPECT_THAT(SearchBoxes(tests::BlockOfVoxels({5, 6, 7}, {}), 3).value(),
              IsEmpty());
}

TEST(Search, FullBlockIsOneBox) {
  const Vec3i size{256, 3, 65};
  EXPECT_THAT(SearchBoxes(tests::FullBlock(size), 3).value(),
              ElementsAre(Box({}, size, 1)));
}

TEST(Search, BytesStayTheSame) {
  // A change here changes results: it needs a new format number.
  Hasher hasher;
  const BoxSet boxes = SearchBoxes(Caves(16), 3).value();
  for (const Box& box : boxes) {
    const uint64_t key = box.key();
    hasher.AddWords(std::span(&key, 1));
  }
  EXPECT_EQ(ToHex(hasher.Finish()), "08a66d59b68090aaddb935d4546881e8");
}

TEST(Search, CancelledGivesItsStatus) {
  CancelSource cancel;
  cancel.Cancel();
  EXPECT_THAT(SearchBoxes(Caves(32), 1, cancel.token()),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST(Search, DeadlineEndsALongSearch) {
  // Without a deadline this takes minutes.
  const VoxelBlock block = tests::NoiseBlock({128, 128, 128}, 0.7, 1, 13);
  const CancelSource source(std::chrono::steady_clock::now() +
                            std::chrono::milliseconds(100));
  EXPECT_THAT(SearchBoxes(block, 3, source.token()),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

}  // namespace
}  // namespace kiln::core
