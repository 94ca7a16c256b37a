#include "client/formats/file_io.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using testing::HasSubstr;
using tests::StatusIs;

std::string PathTo(const std::string& name) {
  return testing::TempDir() + "/kiln_file_io_" + name;
}

TEST(FileIo, WrittenBytesAreRead) {
  std::vector<uint8_t> bytes(3 << 20);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(i * 7 >> 3);
  }
  KILN_ASSERT_OK(WriteFile(PathTo("bytes"), bytes));
  KILN_ASSERT_OK_AND_ASSIGN(const auto read, ReadFile(PathTo("bytes")));
  EXPECT_EQ(read, bytes);
}

TEST(FileIo, ErrorsNameThePath) {
  EXPECT_THAT(
      ReadFile("/nonexistent/x.vox"),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nonexistent/x.vox")));
  EXPECT_THAT(WriteFile("/nonexistent/x.json", std::string("{}")),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_FALSE(ReadFile(testing::TempDir()).ok());  // a folder
}

TEST(FileIo, EndlessFileIsRefused) {
  EXPECT_THAT(
      ReadFile("/dev/zero", /*max_bytes=*/5 << 20),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("5242880 bytes")));
}

TEST(FileIo, SizeLimitIsInclusive) {
  KILN_ASSERT_OK(WriteFile(PathTo("five"), std::string("12345")));
  EXPECT_THAT(ReadFile(PathTo("five"), 5), tests::IsOk());
  EXPECT_THAT(ReadFile(PathTo("five"), 4),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(FileIo, ReplacingLeavesNoOtherFile) {
  const std::string folder = PathTo("folder");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  KILN_ASSERT_OK(WriteFile(folder + "/x", std::string("old")));
  KILN_ASSERT_OK(WriteFile(folder + "/x", std::string("new")));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_EQ(entry.path().filename(), "x");
    ++files;
  }
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace kiln::client
