// core/voxel/encoded_block.h
//
// A block in the encoding its owner holds it in: one of eight payloads, an axis
// order, an optional palette, and the rule that says which ids are solid.
// Nothing here is checked yet: DecodeBlock (block_decoder.h) does that.
//
// All spans are borrowed: they must outlive the call they are given to.

#ifndef KILN_CORE_VOXEL_ENCODED_BLOCK_H_
#define KILN_CORE_VOXEL_ENCODED_BLOCK_H_

#include <cstdint>
#include <span>
#include <variant>

#include "core/geometry/vec3.h"

namespace kiln::core {

// Order of the voxels of a dense payload, fastest axis first: kXzy means that x
// runs fastest, then z, then y.
enum class AxisOrder : uint8_t { kXyz, kXzy, kYxz, kYzx, kZxy, kZyx };

enum class ByteOrder : uint8_t { kLittle, kBig };

// An entry is an id, or an index into the palette where there is one.

// Every voxel has the same entry.
struct UniformPayload {
  uint32_t entry = 0;
};

// One bit a voxel, 1 = entry 1, least significant bit of each byte first.
// Exactly ceil(V / 8) bytes; bits beyond the last voxel must be 0.
struct BitsetPayload {
  std::span<const uint8_t> bytes;
};

// One entry of 1, 2 or 4 bytes a voxel.
struct ArrayPayload {
  std::span<const uint8_t> bytes;
  int bytes_per_entry = 1;
  ByteOrder byte_order = ByteOrder::kLittle;
};

// Entries of 1..32 bits in words of 32 or 64 bits, least significant first.
// Exactly as many words as are needed; padding bits are ignored.
struct PackedPayload {
  std::span<const uint8_t> bytes;
  int bits_per_entry = 4;
  int word_bits = 64;
  // True: an entry may begin in one word and end in the next. False: words hold
  // floor(word_bits / bits_per_entry) entries, their top bits are padding.
  bool spanning = false;
  ByteOrder byte_order = ByteOrder::kLittle;  // of the bytes in a word
};

// Run i is counts[i] (at least 1) voxels of entries[i]. Counts sum to V.
struct RunsPayload {
  std::span<const uint32_t> entries;
  std::span<const uint32_t> counts;
};

// Single voxels over a background; where two name the same voxel the last wins.
struct PointsPayload {
  std::span<const uint32_t> coordinates;  // x, y, z of each point
  std::span<const uint32_t> entries;      // one a point, or one for all
  uint32_t background = 0;
};

// Boxes over a background; where two overlap the last wins.
struct BoxesPayload {
  std::span<const uint32_t> bounds;   // min x, y, z, max x, y, z (exclusive)
  std::span<const uint32_t> entries;  // one a box, or one for all
  uint32_t background = 0;
};

// For each column (x, z), runs along +y from `first_y`, one on another; below
// them `below`, above them `above`. Columns are in axis order without y: x
// fastest unless the axis order has z before x.
struct ColumnsPayload {
  std::span<const uint32_t> first_y;     // one a column
  std::span<const uint32_t> run_counts;  // runs of each column, may be 0
  std::span<const uint32_t> lengths;     // of all runs, at least 1 each
  std::span<const uint32_t> entries;     // of all runs
  std::span<const uint32_t> below;       // one a column, or one for all
  std::span<const uint32_t> above;       // one a column, or one for all
};

using Payload =
    std::variant<UniformPayload, BitsetPayload, ArrayPayload, PackedPayload,
                 RunsPayload, PointsPayload, BoxesPayload, ColumnsPayload>;

// Which ids collide, and as which class.
struct Solidity {
  enum class Kind : uint8_t {
    kAllButZero,  // every id but 0; `ids` is empty
    kEmptyIds,    // every id but those in `ids`
    kSolidIds,    // the ids in `ids` and no other
  };
  Kind kind = Kind::kAllButZero;
  std::span<const uint32_t> ids;

  // Solid id class_ids[i] is of class classes[i] (0..255; 0 never collides);
  // solid ids not named are of class 1. An id is named at most once.
  std::span<const uint32_t> class_ids;
  std::span<const uint32_t> classes;
};

struct EncodedBlock {
  Vec3i size;  // 1..256 an axis
  AxisOrder axis_order = AxisOrder::kXyz;
  Payload payload;
  std::span<const uint32_t> palette;  // entry -> id; empty: entries are ids
  Solidity solidity;
};

}  // namespace kiln::core

#endif  // KILN_CORE_VOXEL_ENCODED_BLOCK_H_
