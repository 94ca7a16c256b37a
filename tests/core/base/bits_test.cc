#include "core/base/bits.h"

#include <gtest/gtest.h>

#include <bitset>

#include "core/base/random.h"

namespace kiln::core {
namespace {

TEST(CountBits, NoneAndAll) {
  EXPECT_EQ(CountBits(0), 0);
  EXPECT_EQ(CountBits(~uint64_t{0}), 64);
}

TEST(CountBits, EachSingleBitIsOne) {
  for (int i = 0; i < 64; ++i) EXPECT_EQ(CountBits(uint64_t{1} << i), 1) << i;
}

TEST(CountBits, RandomWordsAsTheStandardLibrary) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t word = random.Next();
    EXPECT_EQ(CountBits(word), static_cast<int>(std::bitset<64>(word).count()));
  }
}

}  // namespace
}  // namespace kiln::core
