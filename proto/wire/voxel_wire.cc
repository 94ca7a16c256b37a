#include "proto/wire/voxel_wire.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/errors.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/voxel/decode/payload_layout.h"

namespace kiln::wire {
namespace {

using Uint32List = google::protobuf::RepeatedField<uint32_t>;

std::span<const uint32_t> SpanOf(const Uint32List& list) {
  return {list.data(), static_cast<size_t>(list.size())};
}

std::span<const uint8_t> SpanOf(const std::string& bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

// Refused before they are multiplied or brought into an int.
absl::StatusOr<core::Vec3i> SizeFromProto(const v1::VoxelSize& size) {
  constexpr absl::string_view kNames[] = {"size.x", "size.y", "size.z"};
  const uint32_t edges[] = {size.x(), size.y(), size.z()};
  core::Vec3i result;
  for (int axis = 0; axis < 3; ++axis) {
    if (edges[axis] < 1 || edges[axis] > core::kMaxBlockEdgeVoxels) {
      return core::RangeError(kNames[axis], edges[axis], 1,
                              core::kMaxBlockEdgeVoxels);
    }
    result[axis] = static_cast<int>(edges[axis]);
  }
  return result;
}

absl::StatusOr<core::AxisOrder> AxisOrderFromProto(v1::AxisOrder order) {
  switch (order) {
    case v1::AXIS_ORDER_UNSPECIFIED:
    case v1::AXIS_ORDER_X_Y_Z:
      return core::AxisOrder::kXyz;
    case v1::AXIS_ORDER_X_Z_Y:
      return core::AxisOrder::kXzy;
    case v1::AXIS_ORDER_Y_X_Z:
      return core::AxisOrder::kYxz;
    case v1::AXIS_ORDER_Y_Z_X:
      return core::AxisOrder::kYzx;
    case v1::AXIS_ORDER_Z_X_Y:
      return core::AxisOrder::kZxy;
    case v1::AXIS_ORDER_Z_Y_X:
      return core::AxisOrder::kZyx;
    default:
      return core::RangeError("axis_order", static_cast<int>(order), 0, 6);
  }
}

v1::AxisOrder AxisOrderToProto(core::AxisOrder order) {
  switch (order) {
    case core::AxisOrder::kXyz:
      return v1::AXIS_ORDER_X_Y_Z;
    case core::AxisOrder::kXzy:
      return v1::AXIS_ORDER_X_Z_Y;
    case core::AxisOrder::kYxz:
      return v1::AXIS_ORDER_Y_X_Z;
    case core::AxisOrder::kYzx:
      return v1::AXIS_ORDER_Y_Z_X;
    case core::AxisOrder::kZxy:
      return v1::AXIS_ORDER_Z_X_Y;
    case core::AxisOrder::kZyx:
      return v1::AXIS_ORDER_Z_Y_X;
  }
  return v1::AXIS_ORDER_UNSPECIFIED;
}

absl::StatusOr<core::ByteOrder> ByteOrderFromProto(absl::string_view field,
                                                   v1::ByteOrder order) {
  switch (order) {
    case v1::BYTE_ORDER_UNSPECIFIED:
    case v1::BYTE_ORDER_LITTLE:
      return core::ByteOrder::kLittle;
    case v1::BYTE_ORDER_BIG:
      return core::ByteOrder::kBig;
    default:
      return core::RangeError(field, static_cast<int>(order), 0, 2);
  }
}

v1::ByteOrder ByteOrderToProto(core::ByteOrder order) {
  return order == core::ByteOrder::kBig ? v1::BYTE_ORDER_BIG
                                        : v1::BYTE_ORDER_LITTLE;
}

absl::StatusOr<Compression> CompressionFromProto(v1::Compression compression) {
  switch (compression) {
    case v1::COMPRESSION_UNSPECIFIED:
      return Compression::kNone;
    case v1::COMPRESSION_ZLIB:
      return Compression::kZlib;
    case v1::COMPRESSION_ZSTD:
      return Compression::kZstd;
    case v1::COMPRESSION_LZ4:
      return Compression::kLz4;
    default:
      return core::RangeError("compression", static_cast<int>(compression), 0,
                              3);
  }
}

v1::Compression CompressionToProto(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return v1::COMPRESSION_UNSPECIFIED;
    case Compression::kZlib:
      return v1::COMPRESSION_ZLIB;
    case Compression::kZstd:
      return v1::COMPRESSION_ZSTD;
    case Compression::kLz4:
      return v1::COMPRESSION_LZ4;
  }
  return v1::COMPRESSION_UNSPECIFIED;
}

// A block of which all but the payload's bytes is in place.
struct Draft {
  core::EncodedBlock block;
  const v1::PayloadBytes* bytes = nullptr;  // of a dense payload
  Compression compression = Compression::kNone;
  int64_t raw_bytes = 0;
};

absl::Status CheckByteCount(Draft& draft) {
  const v1::PayloadBytes& bytes = *draft.bytes;
  KILN_ASSIGN_OR_RETURN(draft.compression,
                        CompressionFromProto(bytes.compression()));
  KILN_ASSIGN_OR_RETURN(draft.raw_bytes, core::PayloadBytes(draft.block.payload,
                                                            draft.block.size));
  const auto expected = static_cast<uint64_t>(draft.raw_bytes);
  const bool compressed = draft.compression != Compression::kNone;
  const uint64_t raw = bytes.raw_bytes();
  if (raw != expected && (compressed || raw != 0)) {
    return core::FieldError(
        "raw_bytes", absl::StrCat(raw),
        absl::StrCat(
            expected, " (",
            core::DescribePayload(draft.block.payload, draft.block.size), ")",
            compressed ? "" : ", or 0"));
  }
  if (!compressed && bytes.data().size() != expected) {
    return core::LengthError(
        "data", static_cast<int64_t>(bytes.data().size()), draft.raw_bytes,
        core::DescribePayload(draft.block.payload, draft.block.size));
  }
  return absl::OkStatus();
}

absl::Status DraftArray(const v1::ArrayPayload& array, Draft& draft) {
  core::ArrayPayload payload;
  if (array.bytes_per_entry() > 4) {
    return core::FieldError("array.bytes_per_entry", array.bytes_per_entry(),
                            "1, 2 or 4");
  }
  if (array.bytes_per_entry() != 0) {
    payload.bytes_per_entry = static_cast<int>(array.bytes_per_entry());
  }
  KILN_ASSIGN_OR_RETURN(
      payload.byte_order,
      ByteOrderFromProto("array.byte_order", array.byte_order()));
  draft.block.payload = payload;
  draft.bytes = &array.entries();
  return absl::OkStatus();
}

absl::Status DraftPacked(const v1::PackedPayload& packed, Draft& draft) {
  core::PackedPayload payload;
  if (packed.bits_per_entry() > 32) {
    return core::RangeError("packed.bits_per_entry", packed.bits_per_entry(), 1,
                            32);
  }
  payload.bits_per_entry = static_cast<int>(packed.bits_per_entry());
  if (packed.word_bits() > 64) {
    return core::FieldError("packed.word_bits", packed.word_bits(), "32 or 64");
  }
  if (packed.word_bits() != 0) {
    payload.word_bits = static_cast<int>(packed.word_bits());
  }
  payload.spanning = packed.spanning();
  KILN_ASSIGN_OR_RETURN(
      payload.byte_order,
      ByteOrderFromProto("packed.byte_order", packed.byte_order()));
  draft.block.payload = payload;
  draft.bytes = &packed.words();
  return absl::OkStatus();
}

core::ColumnsPayload ColumnsFromProto(const v1::ColumnsPayload& columns) {
  core::ColumnsPayload payload;
  payload.first_y = SpanOf(columns.first_y());
  payload.run_counts = SpanOf(columns.run_counts());
  payload.lengths = SpanOf(columns.lengths());
  payload.entries = SpanOf(columns.entries());
  payload.below = SpanOf(columns.below());
  payload.above = SpanOf(columns.above());
  return payload;
}

absl::Status DraftPayload(const v1::VoxelBlock& block, Draft& draft) {
  core::Payload& payload = draft.block.payload;
  switch (block.payload_case()) {
    case v1::VoxelBlock::kUniformEntry:
      payload = core::UniformPayload{block.uniform_entry()};
      return absl::OkStatus();
    case v1::VoxelBlock::kBitset:
      payload = core::BitsetPayload{};
      draft.bytes = &block.bitset().bits();
      return absl::OkStatus();
    case v1::VoxelBlock::kArray:
      return DraftArray(block.array(), draft);
    case v1::VoxelBlock::kPacked:
      return DraftPacked(block.packed(), draft);
    case v1::VoxelBlock::kRuns:
      payload = core::RunsPayload{SpanOf(block.runs().entries()),
                                  SpanOf(block.runs().counts())};
      return absl::OkStatus();
    case v1::VoxelBlock::kPoints:
      payload = core::PointsPayload{SpanOf(block.points().coordinates()),
                                    SpanOf(block.points().entries()),
                                    block.points().background()};
      return absl::OkStatus();
    case v1::VoxelBlock::kBoxes:
      payload = core::BoxesPayload{SpanOf(block.boxes().bounds()),
                                   SpanOf(block.boxes().entries()),
                                   block.boxes().background()};
      return absl::OkStatus();
    case v1::VoxelBlock::kColumns:
      payload = ColumnsFromProto(block.columns());
      return absl::OkStatus();
    case v1::VoxelBlock::PAYLOAD_NOT_SET:
      break;
  }
  return core::FieldError("payload", "unset",
                          "one of uniform_entry, bitset, array, packed, runs, "
                          "points, boxes, columns");
}

core::Solidity SolidityFromProto(const v1::Solidity& proto) {
  core::Solidity solidity;
  switch (proto.rule_case()) {
    case v1::Solidity::kEmptyIds:
      solidity.kind = core::Solidity::Kind::kEmptyIds;
      solidity.ids = SpanOf(proto.empty_ids().ids());
      break;
    case v1::Solidity::kSolidIds:
      solidity.kind = core::Solidity::Kind::kSolidIds;
      solidity.ids = SpanOf(proto.solid_ids().ids());
      break;
    case v1::Solidity::RULE_NOT_SET:
      break;
  }
  solidity.class_ids = SpanOf(proto.class_ids());
  solidity.classes = SpanOf(proto.classes());
  return solidity;
}

// Everything but the bytes, checked.
absl::StatusOr<Draft> DraftBlock(const v1::VoxelBlock& block) {
  Draft draft;
  KILN_ASSIGN_OR_RETURN(draft.block.size, SizeFromProto(block.size()));
  KILN_ASSIGN_OR_RETURN(draft.block.axis_order,
                        AxisOrderFromProto(block.axis_order()));
  KILN_RETURN_IF_ERROR(DraftPayload(block, draft));
  draft.block.palette = SpanOf(block.palette());
  draft.block.solidity = SolidityFromProto(block.solidity());
  KILN_RETURN_IF_ERROR(core::CheckLayout(draft.block));
  if (draft.bytes != nullptr) {
    if (absl::Status status = CheckByteCount(draft); !status.ok()) {
      return core::WithContext(
          absl::StrCat(core::PayloadBytesField(draft.block.payload), "."),
          status);
    }
  }
  return draft;
}

// Puts `bytes` into the dense payload that `payload` holds.
void SetBytes(std::span<const uint8_t> bytes, core::Payload& payload) {
  if (auto* bitset = std::get_if<core::BitsetPayload>(&payload)) {
    bitset->bytes = bytes;
  } else if (auto* array = std::get_if<core::ArrayPayload>(&payload)) {
    array->bytes = bytes;
  } else if (auto* packed = std::get_if<core::PackedPayload>(&payload)) {
    packed->bytes = bytes;
  }
}

void BytesToProto(std::span<const uint8_t> raw, Compression compression,
                  v1::PayloadBytes& bytes) {
  if (compression != Compression::kNone) {
    std::string compressed = Compress(compression, raw);
    if (!compressed.empty()) {
      bytes.set_data(std::move(compressed));
      bytes.set_compression(CompressionToProto(compression));
      bytes.set_raw_bytes(raw.size());
      return;
    }
  }
  bytes.set_data(raw.data(), raw.size());
}

void ListToProto(std::span<const uint32_t> list, Uint32List& proto) {
  proto.Add(list.begin(), list.end());
}

// One overload for each payload.
class PayloadWriter {
 public:
  PayloadWriter(Compression compression, v1::VoxelBlock& block)
      : compression_(compression), block_(block) {}

  void operator()(const core::UniformPayload& uniform) const {
    block_.set_uniform_entry(uniform.entry);
  }
  void operator()(const core::BitsetPayload& bitset) const {
    BytesToProto(bitset.bytes, compression_,
                 *block_.mutable_bitset()->mutable_bits());
  }
  void operator()(const core::ArrayPayload& array) const {
    v1::ArrayPayload& proto = *block_.mutable_array();
    proto.set_bytes_per_entry(static_cast<uint32_t>(array.bytes_per_entry));
    proto.set_byte_order(ByteOrderToProto(array.byte_order));
    BytesToProto(array.bytes, compression_, *proto.mutable_entries());
  }
  void operator()(const core::PackedPayload& packed) const {
    v1::PackedPayload& proto = *block_.mutable_packed();
    proto.set_bits_per_entry(static_cast<uint32_t>(packed.bits_per_entry));
    proto.set_word_bits(static_cast<uint32_t>(packed.word_bits));
    proto.set_spanning(packed.spanning);
    proto.set_byte_order(ByteOrderToProto(packed.byte_order));
    BytesToProto(packed.bytes, compression_, *proto.mutable_words());
  }
  void operator()(const core::RunsPayload& runs) const {
    v1::RunsPayload& proto = *block_.mutable_runs();
    ListToProto(runs.entries, *proto.mutable_entries());
    ListToProto(runs.counts, *proto.mutable_counts());
  }
  void operator()(const core::PointsPayload& points) const {
    v1::PointsPayload& proto = *block_.mutable_points();
    ListToProto(points.coordinates, *proto.mutable_coordinates());
    ListToProto(points.entries, *proto.mutable_entries());
    proto.set_background(points.background);
  }
  void operator()(const core::BoxesPayload& boxes) const {
    v1::BoxesPayload& proto = *block_.mutable_boxes();
    ListToProto(boxes.bounds, *proto.mutable_bounds());
    ListToProto(boxes.entries, *proto.mutable_entries());
    proto.set_background(boxes.background);
  }
  void operator()(const core::ColumnsPayload& columns) const {
    v1::ColumnsPayload& proto = *block_.mutable_columns();
    ListToProto(columns.first_y, *proto.mutable_first_y());
    ListToProto(columns.run_counts, *proto.mutable_run_counts());
    ListToProto(columns.lengths, *proto.mutable_lengths());
    ListToProto(columns.entries, *proto.mutable_entries());
    ListToProto(columns.below, *proto.mutable_below());
    ListToProto(columns.above, *proto.mutable_above());
  }

 private:
  Compression compression_;
  v1::VoxelBlock& block_;
};

void SolidityToProto(const core::Solidity& solidity, v1::Solidity& proto) {
  switch (solidity.kind) {
    case core::Solidity::Kind::kAllButZero:
      break;
    case core::Solidity::Kind::kEmptyIds:
      ListToProto(solidity.ids, *proto.mutable_empty_ids()->mutable_ids());
      break;
    case core::Solidity::Kind::kSolidIds:
      ListToProto(solidity.ids, *proto.mutable_solid_ids()->mutable_ids());
      break;
  }
  ListToProto(solidity.class_ids, *proto.mutable_class_ids());
  ListToProto(solidity.classes, *proto.mutable_classes());
}

}  // namespace

std::span<uint8_t> PayloadStore::Allocate(size_t bytes) {
  buffers_.push_back(std::make_unique_for_overwrite<uint8_t[]>(bytes));
  return {buffers_.back().get(), bytes};
}

absl::StatusOr<BlockShape> CheckBlock(const v1::VoxelBlock& block) {
  KILN_ASSIGN_OR_RETURN(const Draft draft, DraftBlock(block));
  BlockShape shape;
  shape.size = draft.block.size;
  if (draft.compression != Compression::kNone) {
    shape.raw_bytes = draft.raw_bytes;
  }
  return shape;
}

absl::StatusOr<core::EncodedBlock> BlockFromProto(const v1::VoxelBlock& block,
                                                  PayloadStore& store) {
  KILN_ASSIGN_OR_RETURN(Draft draft, DraftBlock(block));
  if (draft.bytes == nullptr) return draft.block;
  std::span<const uint8_t> bytes = SpanOf(draft.bytes->data());
  if (draft.compression != Compression::kNone) {
    const std::span<uint8_t> raw =
        store.Allocate(static_cast<size_t>(draft.raw_bytes));
    if (absl::Status status = Decompress(draft.compression, bytes, raw);
        !status.ok()) {
      return core::WithContext(
          absl::StrCat(core::PayloadBytesField(draft.block.payload), "."),
          status);
    }
    bytes = raw;
  }
  SetBytes(bytes, draft.block.payload);
  return draft.block;
}

void BlockToProto(const core::EncodedBlock& encoded, Compression compression,
                  v1::VoxelBlock& block) {
  block.Clear();
  v1::VoxelSize& size = *block.mutable_size();
  size.set_x(static_cast<uint32_t>(encoded.size.x));
  size.set_y(static_cast<uint32_t>(encoded.size.y));
  size.set_z(static_cast<uint32_t>(encoded.size.z));
  block.set_axis_order(AxisOrderToProto(encoded.axis_order));
  std::visit(PayloadWriter(compression, block), encoded.payload);
  ListToProto(encoded.palette, *block.mutable_palette());
  SolidityToProto(encoded.solidity, *block.mutable_solidity());
}

}  // namespace kiln::wire
