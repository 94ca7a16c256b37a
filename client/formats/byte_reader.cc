#include "client/formats/byte_reader.h"

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {

absl::Status ByteReader::Error(absl::string_view what,
                               absl::string_view why) const {
  return core::MalformedError(what, offset_, why);
}

absl::StatusOr<std::span<const uint8_t>> ByteReader::ReadBytes(
    int64_t count, absl::string_view what) {
  if (count < 0 || count > remaining()) {
    return Error(
        what, absl::StrCat(count, " bytes needed, ", remaining(), " are left"));
  }
  const auto part = bytes_.first(static_cast<size_t>(count));
  bytes_ = bytes_.subspan(static_cast<size_t>(count));
  offset_ += count;
  return part;
}

absl::StatusOr<int32_t> ByteReader::ReadI32(absl::string_view what) {
  KILN_ASSIGN_OR_RETURN(const std::span<const uint8_t> b, ReadBytes(4, what));
  const uint32_t value = uint32_t{b[0]} | uint32_t{b[1]} << 8 |
                         uint32_t{b[2]} << 16 | uint32_t{b[3]} << 24;
  return static_cast<int32_t>(value);
}

absl::StatusOr<ByteReader> ByteReader::ReadPart(int64_t count,
                                                absl::string_view what) {
  const int64_t start = offset_;
  KILN_ASSIGN_OR_RETURN(const std::span<const uint8_t> part,
                        ReadBytes(count, what));
  return ByteReader(part, start);
}

absl::StatusOr<int32_t> ByteReader::ReadCount(int64_t bytes_each,
                                              absl::string_view what) {
  const ByteReader start = *this;
  KILN_ASSIGN_OR_RETURN(const int32_t count, ReadI32(what));
  if (count < 0 || count > remaining() / bytes_each) {
    return start.Error(what, absl::StrCat(count, " do not fit into the ",
                                          remaining(), " bytes that follow"));
  }
  return count;
}

absl::StatusOr<std::string> ByteReader::ReadString(absl::string_view what) {
  KILN_ASSIGN_OR_RETURN(const int32_t length, ReadCount(1, what));
  KILN_ASSIGN_OR_RETURN(const std::span<const uint8_t> bytes,
                        ReadBytes(length, what));
  return std::string(bytes.begin(), bytes.end());
}

absl::Status ByteReader::ExpectEnd(absl::string_view what) const {
  if (remaining() == 0) return absl::OkStatus();
  return Error(what, absl::StrCat(remaining(), " bytes too many"));
}

}  // namespace kiln::client
