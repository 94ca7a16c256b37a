#include "client/formats/file_io.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"

namespace kiln::client {
namespace {

constexpr size_t kReadBytes = 1 << 20;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

}  // namespace

absl::StatusOr<std::vector<uint8_t>> ReadFile(const std::string& path,
                                              int64_t max_bytes) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return core::SystemError(path, errno);
  std::vector<uint8_t> bytes;
  // Not by the size that the file claims: pipes and /dev/zero have none.
  while (true) {
    const size_t old_size = bytes.size();
    const auto limit = static_cast<size_t>(max_bytes) + 1;
    bytes.resize(std::min(limit, old_size + kReadBytes));
    const size_t count = std::fread(bytes.data() + old_size, 1,
                                    bytes.size() - old_size, file.get());
    bytes.resize(old_size + count);
    if (bytes.size() == limit) {
      return core::FieldError(path, absl::StrCat("over ", max_bytes, " bytes"),
                              absl::StrCat("0..", max_bytes, " bytes"));
    }
    if (count == 0) break;
  }
  if (std::ferror(file.get()) != 0) return core::SystemError(path, errno);
  return bytes;
}

absl::Status WriteFile(const std::string& path,
                       std::span<const uint8_t> bytes) {
  // Devices and pipes (/dev/stdout) cannot be replaced by a rename.
  const bool in_place =
      access(path.c_str(), F_OK) == 0 && path.starts_with("/dev/");
  const std::string target =
      in_place ? path : absl::StrCat(path, ".", getpid(), ".tmp");
  const auto failed = [&](int error_number) {
    if (!in_place) std::remove(target.c_str());
    return core::SystemError(path, error_number);
  };
  File file(std::fopen(target.c_str(), "wb"));
  if (file == nullptr) return core::SystemError(path, errno);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
    return failed(errno);
  }
  // A full disk may show only when the last buffer goes out.
  if (std::fclose(file.release()) != 0) return failed(errno);
  if (!in_place && std::rename(target.c_str(), path.c_str()) != 0) {
    return failed(errno);
  }
  return absl::OkStatus();
}

absl::Status WriteFile(const std::string& path, const std::string& text) {
  return WriteFile(
      path,
      std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

}  // namespace kiln::client
