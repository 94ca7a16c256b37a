#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "proto/wire/compression.h"
#include "tests/support/random_blocks.h"
#include "tests/support/status_matchers.h"

namespace kiln::wire {
namespace {

using ::kiln::tests::IsOk;
using ::kiln::tests::StatusIs;
using ::testing::HasSubstr;

std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Runs, so that it compresses, of random values, so that it is not trivial.
std::vector<uint8_t> SomeBytes(size_t size, uint64_t seed) {
  tests::Random random(seed);
  std::vector<uint8_t> bytes;
  while (bytes.size() < size) {
    bytes.insert(bytes.end(), static_cast<size_t>(random.Uniform(1, 40)),
                 static_cast<uint8_t>(random.Uniform(0, 255)));
  }
  bytes.resize(size);
  return bytes;
}

class CompressionTest : public testing::TestWithParam<Compression> {};
INSTANTIATE_TEST_SUITE_P(All, CompressionTest,
                         testing::Values(Compression::kZlib, Compression::kZstd,
                                         Compression::kLz4));

TEST_P(CompressionTest, DecompressUndoesCompress) {
  for (const size_t size : {64u, 4096u, 100000u}) {
    const std::vector<uint8_t> raw = SomeBytes(size, size);
    const std::string data = Compress(GetParam(), raw);
    ASSERT_FALSE(data.empty());
    EXPECT_LT(data.size(), raw.size());
    std::vector<uint8_t> back(size);
    ASSERT_THAT(Decompress(GetParam(), BytesOf(data), back), IsOk());
    EXPECT_EQ(back, raw);
  }
}

TEST_P(CompressionTest, WhatDoesNotShrinkIsLeftAlone) {
  tests::Random random(1);
  std::vector<uint8_t> noise(1000);
  for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random.Next());
  EXPECT_EQ(Compress(GetParam(), noise), "");
  EXPECT_EQ(Compress(GetParam(), {}), "");
}

TEST_P(CompressionTest, OtherRawSizesAreRefused) {
  const std::vector<uint8_t> raw = SomeBytes(1000, 2);
  const std::string data = Compress(GetParam(), raw);
  for (const size_t size : {0u, 1u, 999u, 1001u, 5000u}) {
    std::vector<uint8_t> back(size);
    EXPECT_THAT(
        Decompress(GetParam(), BytesOf(data), back),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("data: ")))
        << size;
  }
}

TEST_P(CompressionTest, EveryTruncationAndTrailingByteIsRefused) {
  const std::vector<uint8_t> raw = SomeBytes(1000, 3);
  const std::string data = Compress(GetParam(), raw);
  std::vector<uint8_t> back(raw.size());
  for (size_t length = 0; length < data.size(); ++length) {
    ASSERT_THAT(Decompress(GetParam(), BytesOf(data.substr(0, length)), back),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << length;
  }
  EXPECT_THAT(Decompress(GetParam(), BytesOf(data + '\0'), back),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_P(CompressionTest, BombWritesNoMoreThanTheRawSize) {
  const std::vector<uint8_t> zeros(size_t{8} << 20);
  const std::string bomb = Compress(GetParam(), zeros);
  ASSERT_LT(bomb.size(), 64u << 10);
  std::vector<uint8_t> room(512 + 64, 0xab);  // the last 64 are a guard
  EXPECT_THAT(Decompress(GetParam(), BytesOf(bomb),
                         std::span<uint8_t>(room).first(512)),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(std::all_of(room.begin() + 512, room.end(),
                          [](uint8_t byte) { return byte == 0xab; }));
}

TEST(Compression, SkippableZstdFrameIsNoFrame) {
  const std::string skippable("\x50\x2a\x4d\x18\x00\x00\x00\x00", 8);
  std::vector<uint8_t> back(1);
  EXPECT_THAT(
      Decompress(Compression::kZstd, BytesOf(skippable), back),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no zstd frame")));
}

}  // namespace
}  // namespace kiln::wire
