#include "server/health/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace kiln::server {
namespace {

using ::testing::Optional;

TEST(Health, BothQuestionsAreAnsweredYesAtFirst) {
  const Health health;
  EXPECT_THAT(health.IsServing(""), Optional(true));
  EXPECT_THAT(health.IsServing("kiln.v1.BakeService"), Optional(true));
  EXPECT_THAT(health.IsServing("liveness"), Optional(true));
}

TEST(Health, OtherNamesAreUnknown) {
  EXPECT_EQ(Health().IsServing("kiln.v1.NoService"), std::nullopt);
}

TEST(Health, StuckIsAliveButNotReadyUntilItMoves) {
  Health health;
  health.SetStuck(true);
  EXPECT_THAT(health.IsServing(""), Optional(false));
  EXPECT_THAT(health.IsServing("liveness"), Optional(true));
  health.SetStuck(false);
  EXPECT_THAT(health.IsServing(""), Optional(true));
}

TEST(Health, DrainingStaysNotReady) {
  Health health;
  health.SetDraining();
  health.SetStuck(false);
  EXPECT_THAT(health.IsServing("kiln.v1.BakeService"), Optional(false));
}

TEST(Health, EachChangeIsTold) {
  Health health;
  int changes = 0;
  health.OnChange([&] { ++changes; });
  health.SetStuck(true);
  health.SetDraining();
  EXPECT_EQ(changes, 2);
}

}  // namespace
}  // namespace kiln::server
