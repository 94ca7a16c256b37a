// client/formats/file_io.h
//
// Whole files in and out for the tools. A file that is written appears under
// its name complete or not at all.

#ifndef KILN_CLIENT_FORMATS_FILE_IO_H_
#define KILN_CLIENT_FORMATS_FILE_IO_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kiln::client {

// Largest file the tools read, bytes: ten times the largest voxel scene seen.
inline constexpr int64_t kMaxFileBytes = int64_t{1} << 30;

// Errors: by errno (core/base/errors.h SystemError); kInvalidArgument for a
//         file over `max_bytes`, which is not read further.
absl::StatusOr<std::vector<uint8_t>> ReadFile(
    const std::string& path, int64_t max_bytes = kMaxFileBytes);

// Errors: by errno; a file that was there before is then unchanged.
absl::Status WriteFile(const std::string& path, std::span<const uint8_t> bytes);
absl::Status WriteFile(const std::string& path, const std::string& text);

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_FILE_IO_H_
