// client/formats/byte_reader.h
//
// Reads little-endian integers and strings from untrusted bytes. Every read is
// checked; an error names what was read and its byte offset in the whole file.

#ifndef KILN_CLIENT_FORMATS_BYTE_READER_H_
#define KILN_CLIENT_FORMATS_BYTE_READER_H_

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kiln::client {

// A cheap copyable position in borrowed bytes. Not thread-safe.
class ByteReader {
 public:
  // `offset`: where `bytes` begins in the file.
  explicit ByteReader(std::span<const uint8_t> bytes, int64_t offset = 0)
      : bytes_(bytes), offset_(offset) {}

  int64_t offset() const { return offset_; }
  int64_t remaining() const { return static_cast<int64_t>(bytes_.size()); }

  // Errors (all reads): kInvalidArgument when fewer bytes remain.
  absl::StatusOr<int32_t> ReadI32(absl::string_view what);
  absl::StatusOr<std::span<const uint8_t>> ReadBytes(int64_t count,
                                                     absl::string_view what);
  // A reader over the next `count` bytes, which this one skips.
  absl::StatusOr<ByteReader> ReadPart(int64_t count, absl::string_view what);
  // A count of things of at least `bytes_each`: also refused where so many
  // cannot follow, so that memory for them may be taken.
  absl::StatusOr<int32_t> ReadCount(int64_t bytes_each, absl::string_view what);
  // An int32 length, then so many bytes.
  absl::StatusOr<std::string> ReadString(absl::string_view what);

  // kInvalidArgument unless all bytes have been read.
  absl::Status ExpectEnd(absl::string_view what) const;
  // kInvalidArgument at the current offset.
  absl::Status Error(absl::string_view what, absl::string_view why) const;

 private:
  std::span<const uint8_t> bytes_;
  int64_t offset_;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_FORMATS_BYTE_READER_H_
