#include "tests/client/plain_caller.h"

#include <gtest/gtest.h>

namespace kiln::tests {
namespace {

TEST(PlainCaller, WithoutExceptionsAndRttiBakesABox) {
  EXPECT_EQ(BakeOneVoxelPlainly(), 1);
}

}  // namespace
}  // namespace kiln::tests
