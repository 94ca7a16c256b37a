#include "core/voxel/decode/solidity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/block_encoders.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using ::kiln::tests::OwnedSolidity;
using ::kiln::tests::PlainClassOf;
using ::kiln::tests::StatusIs;
using ::testing::HasSubstr;

TEST(EntryClasses, DefaultIsEveryIdButZero) {
  KILN_ASSERT_OK_AND_ASSIGN(const auto classes, EntryClasses::Create({}, {}));
  EXPECT_EQ(classes.ClassOf(0), 0);
  EXPECT_EQ(classes.ClassOf(1), 1);
  EXPECT_EQ(classes.ClassOf(~0u), 1);
  EXPECT_TRUE(classes.is_nonzero());
  EXPECT_TRUE(classes.one_class());
  EXPECT_EQ(classes.entry_count(), int64_t{1} << 32);
}

TEST(EntryClasses, EmptyListMakesZeroSolid) {
  OwnedSolidity solidity;
  solidity.kind = Solidity::Kind::kEmptyIds;
  solidity.ids = {3};
  KILN_ASSERT_OK_AND_ASSIGN(const auto classes,
                            EntryClasses::Create(solidity.View(), {}));
  EXPECT_EQ(classes.ClassOf(0), 1);
  EXPECT_EQ(classes.ClassOf(3), 0);
  EXPECT_FALSE(classes.is_nonzero());
}

TEST(EntryClasses, ClassZeroNeverCollides) {
  OwnedSolidity solidity;
  solidity.kind = Solidity::Kind::kSolidIds;
  solidity.ids = {5, 6};
  solidity.class_ids = {5};
  solidity.classes = {0};
  KILN_ASSERT_OK_AND_ASSIGN(const auto classes,
                            EntryClasses::Create(solidity.View(), {}));
  EXPECT_EQ(classes.ClassOf(5), 0);
  EXPECT_EQ(classes.ClassOf(6), 1);
  EXPECT_TRUE(classes.one_class());
}

TEST(EntryClasses, ClassOfAnIdThatIsNotSolidIsIgnored) {
  OwnedSolidity solidity;
  solidity.kind = Solidity::Kind::kSolidIds;
  solidity.ids = {5};
  solidity.class_ids = {6};
  solidity.classes = {9};
  KILN_ASSERT_OK_AND_ASSIGN(const auto classes,
                            EntryClasses::Create(solidity.View(), {}));
  EXPECT_EQ(classes.ClassOf(6), 0);
  EXPECT_TRUE(classes.one_class());
}

TEST(EntryClasses, PaletteIsFoldedIn) {
  const std::vector<uint32_t> palette = {0, 8, 0, 4000000000u};
  KILN_ASSERT_OK_AND_ASSIGN(const auto classes,
                            EntryClasses::Create({}, palette));
  EXPECT_EQ(classes.entry_count(), 4);
  EXPECT_EQ(classes.ClassOf(1), 1);
  EXPECT_EQ(classes.ClassOf(2), 0);
  EXPECT_EQ(classes.ClassOf(3), 1);
  EXPECT_FALSE(classes.is_nonzero());
  EXPECT_TRUE(classes.Check("f", 3).ok());
  EXPECT_THAT(classes.Check("f", 4),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("f: 4 is not allowed; allowed: 0..3")));
}

// Ids on both sides of the end of the table, against the rule's own words.
TEST(EntryClasses, RandomRulesAgreeWithTheirDefinition) {
  const uint32_t ids[] = {0,     1,     2,       255,      256,     65534,
                          65535, 65536, 1 << 20, 1u << 31, ~0u - 1, ~0u};
  tests::Random random(1);
  for (int round = 0; round < 500; ++round) {
    OwnedSolidity solidity;
    solidity.kind = static_cast<Solidity::Kind>(random.Uniform(0, 2));
    for (const uint32_t id : ids) {
      if (solidity.kind != Solidity::Kind::kAllButZero &&
          random.Uniform(0, 2) == 0) {
        solidity.ids.push_back(id);
      }
      if (random.Uniform(0, 2) == 0) {
        solidity.class_ids.push_back(id);
        solidity.classes.push_back(
            static_cast<uint32_t>(random.Uniform(0, 3) * 85));
      }
    }
    KILN_ASSERT_OK_AND_ASSIGN(const auto classes,
                              EntryClasses::Create(solidity.View(), {}));
    for (const uint32_t id : ids) {
      ASSERT_EQ(classes.ClassOf(id), PlainClassOf(solidity, id)) << id;
      if (id < ~0u) {
        ASSERT_EQ(classes.ClassOf(id + 1), PlainClassOf(solidity, id + 1));
      }
    }
  }
}

TEST(EntryClasses, IdNamedTwiceIsRefused) {
  for (const uint32_t id : {0u, 9u, 65536u, ~0u}) {
    OwnedSolidity solidity;
    solidity.kind = Solidity::Kind::kEmptyIds;
    solidity.ids = {id, 1, id};
    EXPECT_THAT(EntryClasses::Create(solidity.View(), {}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("solidity.empty_ids.ids[2]: ")));
    OwnedSolidity classes;
    classes.class_ids = {id, id};
    classes.classes = {1, 1};
    EXPECT_THAT(EntryClasses::Create(classes.View(), {}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("solidity.class_ids[1]: ")));
  }
}

TEST(EntryClasses, ClassBeyond255IsRefused) {
  OwnedSolidity solidity;
  solidity.class_ids = {1};
  solidity.classes = {256};
  EXPECT_THAT(EntryClasses::Create(solidity.View(), {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("solidity.classes[0]: 256 is not allowed; "
                                 "allowed: 0..255")));
}

}  // namespace
}  // namespace kiln::core
