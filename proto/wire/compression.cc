#include "proto/wire/compression.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "lz4.h"
#include "zlib.h"
#include "zstd.h"
#include "zstd_errors.h"

namespace kiln::wire {
namespace {

// Fastest levels: a chunk is sent once and its bytes are few.
constexpr int kZlibLevel = 1;
constexpr int kZstdLevel = 1;

absl::Status Damaged(absl::string_view what) {
  return core::FieldError("data", what, "an undamaged stream");
}

absl::Status WrongSize(absl::string_view actual, size_t expected) {
  return core::FieldError("data", absl::StrCat(actual, " raw bytes"),
                          absl::StrCat(expected, " (raw_bytes)"));
}

absl::Status TrailingBytes(size_t count) {
  return core::FieldError(
      "data", absl::StrCat(count, " bytes after the stream's end"), "0");
}

uint32_t LoadLittle32(const uint8_t* bytes) {
  return uint32_t{bytes[0]} | uint32_t{bytes[1]} << 8 |
         uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24;
}

// Ends the inflate state on every way out.
class Inflater {
 public:
  Inflater() { ready_ = inflateInit(&stream_) == Z_OK; }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  bool ready() const { return ready_; }
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

absl::Status InflateZlib(std::span<const uint8_t> data,
                         std::span<uint8_t> raw) {
  // zlib counts in 32 bits; messages and blocks are far below that.
  if (data.size() > std::numeric_limits<uInt>::max()) return Damaged("zlib");
  Inflater inflater;
  if (!inflater.ready()) return core::InternalError("zlib: inflateInit failed");
  z_stream& stream = inflater.stream();
  stream.next_in = const_cast<Bytef*>(data.data());
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = raw.data();
  stream.avail_out = static_cast<uInt>(raw.size());
  int result = inflate(&stream, Z_FINISH);
  if (result == Z_BUF_ERROR && stream.avail_out == 0) {
    // Full: either only the checksum is left, or the stream is too long. One
    // more byte of room tells them apart.
    uint8_t beyond = 0;
    stream.next_out = &beyond;
    stream.avail_out = 1;
    result = inflate(&stream, Z_FINISH);
    if (stream.avail_out == 0) {
      return WrongSize(absl::StrCat("more than ", raw.size()), raw.size());
    }
  }
  if (result != Z_STREAM_END) return Damaged("a broken zlib stream");
  if (stream.total_out != raw.size()) {
    return WrongSize(absl::StrCat(stream.total_out), raw.size());
  }
  if (stream.avail_in != 0) return TrailingBytes(stream.avail_in);
  return absl::OkStatus();
}

absl::Status DecompressZstd(std::span<const uint8_t> data,
                            std::span<uint8_t> raw) {
  // Frames of zstd's early formats and skippable frames are not for us.
  if (data.size() < 4 || LoadLittle32(data.data()) != ZSTD_MAGICNUMBER) {
    return Damaged("no zstd frame");
  }
  const size_t frame = ZSTD_findFrameCompressedSize(data.data(), data.size());
  if (ZSTD_isError(frame)) return Damaged("a broken zstd frame");
  if (frame != data.size()) return TrailingBytes(data.size() - frame);
  const unsigned long long declared =
      ZSTD_getFrameContentSize(data.data(), data.size());
  if (declared != ZSTD_CONTENTSIZE_UNKNOWN &&
      declared != ZSTD_CONTENTSIZE_ERROR && declared != raw.size()) {
    return WrongSize(absl::StrCat(declared), raw.size());
  }
  const size_t actual =
      ZSTD_decompress(raw.data(), raw.size(), data.data(), data.size());
  if (ZSTD_isError(actual)) {
    if (ZSTD_getErrorCode(actual) == ZSTD_error_dstSize_tooSmall) {
      return WrongSize(absl::StrCat("more than ", raw.size()), raw.size());
    }
    return Damaged("a broken zstd frame");
  }
  if (actual != raw.size()) {
    return WrongSize(absl::StrCat(actual), raw.size());
  }
  return absl::OkStatus();
}

absl::Status DecompressLz4(std::span<const uint8_t> data,
                           std::span<uint8_t> raw) {
  if (data.size() > std::numeric_limits<int>::max()) return Damaged("lz4");
  // The return value cannot tell a damaged block from one that is too long.
  const int actual = LZ4_decompress_safe(
      reinterpret_cast<const char*>(data.data()),
      reinterpret_cast<char*>(raw.data()), static_cast<int>(data.size()),
      static_cast<int>(raw.size()));
  if (actual < 0) {
    return Damaged(absl::StrCat("a broken lz4 block, or one of more than ",
                                raw.size(), " raw bytes,"));
  }
  if (static_cast<size_t>(actual) != raw.size()) {
    return WrongSize(absl::StrCat(actual), raw.size());
  }
  return absl::OkStatus();
}

// Bytes written to `out`, or 0.
size_t CompressInto(Compression compression, std::span<const uint8_t> raw,
                    std::string& out) {
  auto* bytes = reinterpret_cast<uint8_t*>(out.data());
  switch (compression) {
    case Compression::kNone:
      return 0;
    case Compression::kZlib: {
      uLongf size = out.size();
      const int result =
          compress2(bytes, &size, raw.data(), raw.size(), kZlibLevel);
      return result == Z_OK ? size : 0;
    }
    case Compression::kZstd: {
      const size_t size =
          ZSTD_compress(bytes, out.size(), raw.data(), raw.size(), kZstdLevel);
      return ZSTD_isError(size) ? 0 : size;
    }
    case Compression::kLz4: {
      const int size = LZ4_compress_default(
          reinterpret_cast<const char*>(raw.data()), out.data(),
          static_cast<int>(raw.size()), static_cast<int>(out.size()));
      return size > 0 ? static_cast<size_t>(size) : 0;
    }
  }
  return 0;
}

}  // namespace

absl::Status Decompress(Compression compression, std::span<const uint8_t> data,
                        std::span<uint8_t> raw) {
  switch (compression) {
    case Compression::kNone:
      break;
    case Compression::kZlib:
      return InflateZlib(data, raw);
    case Compression::kZstd:
      return DecompressZstd(data, raw);
    case Compression::kLz4:
      return DecompressLz4(data, raw);
  }
  return core::InternalError("Decompress without a compression");
}

std::string Compress(Compression compression, std::span<const uint8_t> raw) {
  if (raw.empty()) return {};
  // Room for less than `raw` only: the libraries stop when it does not fit.
  std::string out(raw.size() - 1, '\0');
  out.resize(CompressInto(compression, raw, out));
  return out;
}

}  // namespace kiln::wire
