// proto/wire/compression.h
//
// Payload bytes in and out of zlib, zstd and lz4. The caller always knows the
// raw size beforehand, so a stream can never make more memory than that.

#ifndef KILN_PROTO_WIRE_COMPRESSION_H_
#define KILN_PROTO_WIRE_COMPRESSION_H_

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"

namespace kiln::wire {

enum class Compression : uint8_t {
  kNone,
  kZlib,  // RFC 1950 stream
  kZstd,  // one frame
  kLz4,   // one block without a frame
};

// Fills `raw` from `data`.
//
// Errors:      kInvalidArgument ("data: ...") if `data` is damaged, does not
//              give exactly raw.size() bytes, or goes on after its end.
// Guarantees:  never writes beyond `raw`; takes only the library's own
//              fixed-size state.
// Requires:    `compression` is not kNone.
absl::Status Decompress(Compression compression, std::span<const uint8_t> data,
                        std::span<uint8_t> raw);

// The compressed form of `raw`, at a speed fit for live worlds. Empty where the
// library fails or the result would not be smaller than `raw`: send it as it is
// then. Requires: `compression` is not kNone.
std::string Compress(Compression compression, std::span<const uint8_t> raw);

}  // namespace kiln::wire

#endif  // KILN_PROTO_WIRE_COMPRESSION_H_
