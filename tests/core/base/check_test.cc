#include "core/base/check.h"

#include <gtest/gtest.h>

namespace kiln::core {
namespace {

TEST(CheckDeathTest, BrokenInvariantNamesPlaceAndCondition) {
  EXPECT_DEATH(KILN_CHECK(1 + 1 == 3),
               "check_test.cc:[0-9]+: check failed: 1 \\+ 1 == 3");
}

TEST(Check, KeptInvariantEvaluatesOnce) {
  int evaluations = 0;
  KILN_CHECK(++evaluations == 1);
  EXPECT_EQ(evaluations, 1);
}

#ifndef KILN_DCHECK_ENABLED
TEST(Dcheck, IsNotEvaluatedWhereDisabled) {
  int evaluations = 0;
  KILN_DCHECK(++evaluations == 0);
  EXPECT_EQ(evaluations, 0);
}
#endif

}  // namespace
}  // namespace kiln::core
