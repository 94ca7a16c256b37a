#include "client/bench/load/generator_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kiln::client {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

LoadResult WithLag(int late, milliseconds lag) {
  LoadResult result;
  for (int i = 0; i < 1000; ++i) {
    result.send_lag.Add(i < late ? lag : milliseconds(0));
  }
  return result;
}

TEST(GeneratorCheck, OnePercentMayBeLate) {
  EXPECT_FALSE(GeneratorComplaint(WithLag(10, milliseconds(50)), {}));
  EXPECT_TRUE(GeneratorComplaint(WithLag(11, milliseconds(50)), {}));
}

TEST(GeneratorCheck, DefaultIsAMillisecondOrAShareOfTheTail) {
  LoadResult result = WithLag(1000, milliseconds(50));
  result.latencies.Add(milliseconds(999));
  EXPECT_TRUE(GeneratorComplaint(result, {}));
  result.latencies.Add(milliseconds(1001));  // a twentieth is more than 50 ms
  EXPECT_FALSE(GeneratorComplaint(result, {}));
  EXPECT_TRUE(GeneratorComplaint(result, milliseconds(49)));
  EXPECT_FALSE(GeneratorComplaint(WithLag(1000, milliseconds(1)), {}));
}

TEST(GeneratorCheck, ComplaintSaysHowMuchAndWhatToDo) {
  const auto complaint =
      GeneratorComplaint(WithLag(20, milliseconds(50)), milliseconds(2));
  ASSERT_TRUE(complaint);
  for (const char* part : {"50ms", "--max-lag is 2ms", "--rate",
                           "--connections", "--processes", "taskset"}) {
    EXPECT_THAT(*complaint, HasSubstr(part));
  }
}

TEST(GeneratorCheck, ClosedLoopHasNothingToBeLateFor) {
  EXPECT_EQ(GeneratorComplaint(LoadResult(), milliseconds(0)), std::nullopt);
}

}  // namespace
}  // namespace kiln::client
