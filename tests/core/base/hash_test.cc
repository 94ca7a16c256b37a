#include "core/base/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kiln::core {
namespace {

std::vector<uint8_t> Bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

// XXH3-128 of the empty input, from xxHash's own test vectors: the name of a
// content must never change.
TEST(Hash, EmptyInputHasItsPublishedValue) {
  EXPECT_EQ(ToHex(HashBytes({})), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash, HexHasLeadingZeros) {
  EXPECT_EQ(ToHex({0x1, 0xab}), "000000000000000100000000000000ab");
}

TEST(Hash, PiecesHashLikeTheWhole) {
  const std::vector<uint8_t> whole = Bytes("hills, caves and a ball");
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    Hasher hasher;
    hasher.AddBytes(std::span(whole).first(cut));
    hasher.AddBytes(std::span(whole).subspan(cut));
    EXPECT_EQ(hasher.Finish(), HashBytes(whole));
  }
}

TEST(Hash, IntegersAreLittleEndianBytes) {
  Hasher integers;
  integers.AddU8(1);
  integers.AddU32(0x05040302);
  const std::vector<uint64_t> words = {0x0d0c0b0a09080706};
  integers.AddWords(words);
  const std::vector<uint8_t> bytes = {1, 2, 3,  4,  5,  6, 7,
                                      8, 9, 10, 11, 12, 13};
  EXPECT_EQ(integers.Finish(), HashBytes(bytes));
}

TEST(Hash, FinishDoesNotEndAHasher) {
  Hasher hasher;
  hasher.AddU8('a');
  EXPECT_EQ(hasher.Finish(), HashBytes(Bytes("a")));
  hasher.AddU8('b');
  EXPECT_EQ(hasher.Finish(), HashBytes(Bytes("ab")));
}

TEST(Hash, OneBitChangesBothHalves) {
  const Hash128 a = HashBytes(Bytes("a"));
  const Hash128 b = HashBytes(Bytes("b"));
  EXPECT_NE(a.high, b.high);
  EXPECT_NE(a.low, b.low);
}

}  // namespace
}  // namespace kiln::core
