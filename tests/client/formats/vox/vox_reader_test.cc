#include "client/formats/vox/vox_reader.h"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "tests/client/formats/vox/vox_builder.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using core::Vec3i;
using testing::AllOf;
using testing::HasSubstr;
using tests::LittleEndian;
using tests::StatusIs;
using tests::VoxBuilder;

constexpr absl::StatusCode kBad = absl::StatusCode::kInvalidArgument;

// A file with every kind of chunk that is understood.
VoxBuilder FullFile() {
  VoxBuilder builder(200);
  builder.Chunk("PACK", LittleEndian(2))
      .Model({2, 3, 4}, {0, 0, 0, 1, 1, 2, 3, 255})
      .CompressedModel({2, 1, 1}, {0, 9})
      .Transform(0, 1, {{}}, {{"_name", "root"}}, -1)
      .Group(1, {2, 4})
      .Transform(2, 3, {{{"_r", "36"}, {"_t", "-1 10 4"}}})
      .Shape(3, {0})
      .Transform(4, 5, {{{"_f", "0"}}, {{"_f", "7"}, {"_t", "1 0 0"}}},
                 {{"_hidden", "1"}}, 3)
      .Shape(5, {0, 1}, {0, 5})
      .Layer(3, true)
      .Chunk("RGBA", std::string(1024, '\x20'))
      .Chunk("IMAP", std::string(256, '\0'))
      .Chunk("NOTE", "anything");
  return builder;
}

TEST(VoxReader, EveryChunkIsRead) {
  KILN_ASSERT_OK_AND_ASSIGN(const VoxFile file, ReadVox(FullFile().Bytes()));
  EXPECT_EQ(file.version, 200);
  ASSERT_EQ(file.models.size(), 2u);
  EXPECT_EQ(file.models[0].size, (Vec3i{2, 3, 4}));
  ASSERT_EQ(file.models[0].voxels.size(), 2u);
  EXPECT_EQ(file.models[0].voxels[1].color, 255);
  ASSERT_EQ(file.models[1].voxels.size(), 1u);
  EXPECT_EQ(file.models[1].voxels[0].x, 1);
  EXPECT_EQ(file.nodes.size(), 6u);
  EXPECT_TRUE(file.nodes.at(4).hidden);
  EXPECT_TRUE(file.hidden_layers.at(3));
  EXPECT_EQ(file.palette[255], (Color{0x20, 0x20, 0x20}));
}

TEST(VoxReader, EveryTruncationIsRefused) {
  const std::vector<uint8_t> bytes = FullFile().Bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(ReadVox(std::span(bytes).first(size)), StatusIs(kBad))
        << size << " bytes";
  }
}

// A file cut short whose lengths were patched to agree: each chunk is checked
// against its own content.
TEST(VoxReader, EveryTruncationOfTheLastChunkIsRefused) {
  for (const char* name : {"XYZI", "nTRN", "nGRP", "nSHP", "LAYR", "RGBA"}) {
    for (size_t size = 0; size < 3; ++size) {
      VoxBuilder builder;
      if (std::string(name) == "XYZI") builder.Size({1, 1, 1});
      EXPECT_THAT(ReadVox(builder.Chunk(name, std::string(size, 0)).Bytes()),
                  StatusIs(kBad, HasSubstr(" at byte ")))
          << name << " of " << size << " bytes";
    }
  }
}

TEST(VoxReader, TrailingBytesAreRefused) {
  std::vector<uint8_t> bytes = FullFile().Bytes();
  bytes.push_back(0);
  EXPECT_THAT(ReadVox(bytes), StatusIs(kBad, HasSubstr("MAIN at byte 8")));
  EXPECT_THAT(ReadVox(VoxBuilder()
                          .Size({1, 1, 1})
                          .Chunk("XYZI", LittleEndian(0) + "x")
                          .Bytes()),
              StatusIs(kBad, HasSubstr("1 bytes too many")));
}

TEST(VoxReader, ForeignFilesAreRefused) {
  const std::string text = "PNG or whatever else it may be";
  EXPECT_THAT(ReadVox(std::vector<uint8_t>(text.begin(), text.end())),
              StatusIs(kBad, HasSubstr("does not begin with \"VOX \"")));
  EXPECT_THAT(ReadVox(VoxBuilder(149).Bytes()),
              StatusIs(kBad, HasSubstr("149 is not allowed")));
}

TEST(VoxReader, SizeOutOfRangeIsRefused) {
  for (const Vec3i& size : {Vec3i{0, 1, 1}, Vec3i{1, 257, 1}, Vec3i{1, 1, -1},
                            Vec3i{1, 1, 2147483647}}) {
    EXPECT_THAT(ReadVox(VoxBuilder().Model(size, {}).Bytes()),
                StatusIs(kBad, HasSubstr("allowed: 1..256")));
  }
}

TEST(VoxReader, VoxelOutsideItsModelIsRefused) {
  EXPECT_THAT(
      ReadVox(VoxBuilder().Model({2, 2, 2}, {0, 0, 0, 1, 0, 2, 0, 1}).Bytes()),
      StatusIs(kBad, AllOf(HasSubstr("XYZI at byte 64"),
                           HasSubstr("(0, 2, 0) is outside"))));
}

TEST(VoxReader, CountBeyondTheBytesIsRefused) {
  for (const int count : {2, -1, 2147483647}) {
    EXPECT_THAT(ReadVox(VoxBuilder()
                            .Size({1, 1, 1})
                            .Chunk("XYZI", LittleEndian(count) + "\1\1\1\1")
                            .Bytes()),
                StatusIs(kBad, HasSubstr("do not fit into")));
  }
  // Two billion attributes, children, frames.
  const std::string huge = LittleEndian(2000000000);
  for (const std::string& content :
       {LittleEndian(0) + huge, LittleEndian(0) + LittleEndian(0) + huge}) {
    for (const char* name : {"nTRN", "nGRP", "nSHP"}) {
      EXPECT_THAT(ReadVox(VoxBuilder().Chunk(name, content).Bytes()),
                  StatusIs(kBad));
    }
  }
}

TEST(VoxReader, SizeAndVoxelsMustAlternate) {
  EXPECT_THAT(ReadVox(VoxBuilder().Size({1, 1, 1}).Bytes()), StatusIs(kBad));
  EXPECT_THAT(ReadVox(VoxBuilder().Xyzi({0, 0, 0, 1}).Bytes()), StatusIs(kBad));
  EXPECT_THAT(
      ReadVox(VoxBuilder().Size({1, 1, 1}).Model({1, 1, 1}, {}).Bytes()),
      StatusIs(kBad));
}

TEST(VoxReader, ColorZeroIsNoVoxel) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const VoxFile file,
      ReadVox(VoxBuilder().Model({1, 1, 1}, {0, 0, 0, 0}).Bytes()));
  EXPECT_TRUE(file.models.front().voxels.empty());
}

TEST(VoxReader, VoxelLimitIsKept) {
  VoxBuilder builder;
  for (int i = 0; i < 3; ++i) builder.Model({1, 1, 1}, {0, 0, 0, 1});
  EXPECT_THAT(ReadVox(builder.Bytes(), {.max_voxels = 3}), tests::IsOk());
  EXPECT_THAT(ReadVox(builder.Bytes(), {.max_voxels = 2}),
              StatusIs(kBad, HasSubstr("more than 2 in one file")));
}

TEST(VoxReader, InflatedCellsAreLimited) {
  // 256^3 cells of air are 16 KB in the file.
  VoxBuilder builder;
  builder.CompressedModel({256, 256, 256}, std::vector<uint8_t>(256 << 16));
  EXPECT_LT(builder.Bytes().size(), size_t{20000});
  EXPECT_THAT(ReadVox(builder.Bytes()), tests::IsOk());
  EXPECT_THAT(ReadVox(builder.Bytes(), {.max_inflated_cells = 1 << 24}),
              tests::IsOk());
  EXPECT_THAT(ReadVox(builder.Bytes(), {.max_inflated_cells = (1 << 24) - 1}),
              StatusIs(kBad, HasSubstr("TDCZ")));
}

TEST(VoxReader, CompressedModelOfWrongLengthIsRefused) {
  for (const size_t cells : {3u, 5u, 100000u}) {
    EXPECT_THAT(
        ReadVox(VoxBuilder()
                    .CompressedModel({4, 1, 1}, std::vector<uint8_t>(cells, 1))
                    .Bytes()),
        StatusIs(kBad, HasSubstr("not a zlib stream of 4 bytes")));
  }
}

TEST(VoxReader, BadNodeValuesAreRefused) {
  for (const char* rotation : {"", "x", "0", "5", "10", "3", "128", "-4"}) {
    EXPECT_THAT(
        ReadVox(VoxBuilder().Transform(0, 1, {{{"_r", rotation}}}).Bytes()),
        StatusIs(kBad, HasSubstr("rotation")))
        << rotation;
  }
  for (const char* translation :
       {"", "1 2", "1 2 3 4", "1 2 x", "1.5 0 0", "0 0 16777217",
        "-2147483648 0 0", "99999999999 0 0"}) {
    EXPECT_THAT(
        ReadVox(VoxBuilder().Transform(0, 1, {{{"_t", translation}}}).Bytes()),
        StatusIs(kBad, HasSubstr("translation")))
        << translation;
  }
  EXPECT_THAT(ReadVox(VoxBuilder().Transform(0, 1, {}).Bytes()),
              StatusIs(kBad, HasSubstr("frames")));
  EXPECT_THAT(ReadVox(VoxBuilder().Shape(0, {}).Bytes()),
              StatusIs(kBad, HasSubstr("models of a shape")));
  EXPECT_THAT(ReadVox(VoxBuilder().Group(7, {}).Group(7, {}).Bytes()),
              StatusIs(kBad, HasSubstr("7 is given twice")));
}

TEST(VoxReader, PaletteIsShiftedByOne) {
  std::string colors(255 * 4, '\0');  // as some tools write it
  colors[0] = '\x11';
  colors[5] = '\x22';
  KILN_ASSERT_OK_AND_ASSIGN(
      const VoxFile file, ReadVox(VoxBuilder().Chunk("RGBA", colors).Bytes()));
  EXPECT_EQ(file.palette[1], (Color{0x11, 0, 0}));
  EXPECT_EQ(file.palette[2], (Color{0, 0x22, 0}));
  EXPECT_THAT(ReadVox(VoxBuilder().Chunk("RGBA", colors + "x").Bytes()),
              StatusIs(kBad, HasSubstr("RGBA")));
}

// Entries of the table in MagicaVoxel's description of the format (there as
// 0xAABBGGRR).
TEST(VoxReader, DefaultPaletteIsMagicaVoxels) {
  KILN_ASSERT_OK_AND_ASSIGN(const VoxFile file, ReadVox(VoxBuilder().Bytes()));
  EXPECT_EQ(file.palette[1], (Color{0xff, 0xff, 0xff}));
  EXPECT_EQ(file.palette[2], (Color{0xff, 0xff, 0xcc}));
  EXPECT_EQ(file.palette[7], (Color{0xff, 0xcc, 0xff}));
  EXPECT_EQ(file.palette[37], (Color{0xcc, 0xff, 0xff}));
  EXPECT_EQ(file.palette[215], (Color{0x00, 0x00, 0x33}));
  EXPECT_EQ(file.palette[216], (Color{0xee, 0x00, 0x00}));
  EXPECT_EQ(file.palette[235], (Color{0x00, 0x11, 0x00}));
  EXPECT_EQ(file.palette[245], (Color{0x00, 0x00, 0x11}));
  EXPECT_EQ(file.palette[255], (Color{0x11, 0x11, 0x11}));
}

}  // namespace
}  // namespace kiln::client
