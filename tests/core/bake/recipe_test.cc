#include "core/bake/recipe.h"

#include <gtest/gtest.h>

namespace kiln::core {
namespace {

TEST(Recipe, MethodNamesRoundTrip) {
  for (const Method method : kAllMethods) {
    EXPECT_EQ(MethodFromName(MethodName(method)), method);
  }
}

TEST(Recipe, UnknownMethodNameGivesNothing) {
  EXPECT_EQ(MethodFromName("greedy"), std::nullopt);
  EXPECT_EQ(MethodFromName(""), std::nullopt);
}

TEST(Recipe, SearchCostGrowsWithEffort) {
  int64_t previous = CostPerVoxel({.method = Method::kPartition});
  for (int effort = 0; effort <= 3; ++effort) {
    const int64_t cost =
        CostPerVoxel({.method = Method::kSearch, .effort = effort});
    EXPECT_GT(cost, previous) << "effort " << effort;
    previous = cost;
  }
}

}  // namespace
}  // namespace kiln::core
