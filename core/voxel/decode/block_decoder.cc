#include "core/voxel/decode/block_decoder.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "core/voxel/decode/axis_permute.h"
#include "core/voxel/decode/decode_dense.h"
#include "core/voxel/decode/decode_packed.h"
#include "core/voxel/decode/decode_runs.h"
#include "core/voxel/decode/decode_sparse.h"
#include "core/voxel/decode/entry_mapper.h"
#include "core/voxel/decode/payload_layout.h"
#include "core/voxel/decode/solidity.h"

namespace kiln::core {
namespace {

using internal::LinearVoxels;

absl::Status CheckByteCount(const EncodedBlock& encoded, size_t actual) {
  KILN_ASSIGN_OR_RETURN(const int64_t expected,
                        PayloadBytes(encoded.payload, encoded.size));
  if (static_cast<int64_t>(actual) == expected) return absl::OkStatus();
  return LengthError(PayloadBytesField(encoded.payload),
                     static_cast<int64_t>(actual), expected,
                     DescribePayload(encoded.payload, encoded.size));
}

// Payloads whose voxels come one after the other in `order`.
template <typename Decode>
absl::StatusOr<VoxelBlock> DecodeLinear(const EncodedBlock& encoded,
                                        const EntryClasses& classes,
                                        AxisOrder order, Decode decode) {
  LinearVoxels voxels(Volume(encoded.size), !classes.one_class());
  KILN_RETURN_IF_ERROR(decode(voxels));
  return internal::ToBlock(std::move(voxels), order, encoded.size);
}

// Payloads that name coordinates.
template <typename Decode>
absl::StatusOr<VoxelBlock> DecodePlaced(const EncodedBlock& encoded,
                                        const EntryClasses& classes,
                                        Decode decode) {
  VoxelBlock block;
  block.occupancy.Reset(encoded.size);
  if (!classes.one_class()) {
    block.classes.resize(static_cast<size_t>(Volume(encoded.size)));
  }
  KILN_RETURN_IF_ERROR(decode(block));
  return block;
}

// One overload for each payload.
class Decoder {
 public:
  Decoder(const EncodedBlock& encoded, const EntryClasses& classes,
          const CancelToken& cancel)
      : encoded_(encoded), classes_(classes), cancel_(cancel) {}

  absl::StatusOr<VoxelBlock> operator()(const UniformPayload& payload) const {
    KILN_RETURN_IF_ERROR(classes_.Check("uniform_entry", payload.entry));
    return DecodePlaced(encoded_, classes_, [&](VoxelBlock& block) {
      internal::FillBlock(classes_.ClassOf(payload.entry), block);
      return absl::OkStatus();
    });
  }
  absl::StatusOr<VoxelBlock> operator()(const BitsetPayload& payload) const {
    KILN_RETURN_IF_ERROR(CheckByteCount(encoded_, payload.bytes.size()));
    return DecodeLinear(
        encoded_, classes_, encoded_.axis_order, [&](LinearVoxels& voxels) {
          return internal::DecodeBitset(encoded_, payload, classes_, voxels);
        });
  }
  absl::StatusOr<VoxelBlock> operator()(const ArrayPayload& payload) const {
    KILN_RETURN_IF_ERROR(CheckByteCount(encoded_, payload.bytes.size()));
    return DecodeLinear(encoded_, classes_, encoded_.axis_order,
                        [&](LinearVoxels& voxels) {
                          return internal::DecodeArray(
                              encoded_, payload, classes_, cancel_, voxels);
                        });
  }
  absl::StatusOr<VoxelBlock> operator()(const PackedPayload& payload) const {
    KILN_RETURN_IF_ERROR(CheckByteCount(encoded_, payload.bytes.size()));
    return DecodeLinear(encoded_, classes_, encoded_.axis_order,
                        [&](LinearVoxels& voxels) {
                          return internal::DecodePacked(
                              encoded_, payload, classes_, cancel_, voxels);
                        });
  }
  absl::StatusOr<VoxelBlock> operator()(const RunsPayload& payload) const {
    return DecodeLinear(
        encoded_, classes_, encoded_.axis_order, [&](LinearVoxels& voxels) {
          return internal::DecodeRuns(payload, classes_, cancel_, voxels);
        });
  }
  absl::StatusOr<VoxelBlock> operator()(const ColumnsPayload& payload) const {
    return DecodeLinear(
        encoded_, classes_, internal::ColumnVoxelOrder(encoded_.axis_order),
        [&](LinearVoxels& voxels) {
          return internal::DecodeColumns(encoded_.size, payload, classes_,
                                         cancel_, voxels);
        });
  }
  absl::StatusOr<VoxelBlock> operator()(const PointsPayload& payload) const {
    return DecodePlaced(encoded_, classes_, [&](VoxelBlock& block) {
      return internal::DecodePoints(payload, classes_, cancel_, block);
    });
  }
  absl::StatusOr<VoxelBlock> operator()(const BoxesPayload& payload) const {
    return DecodePlaced(encoded_, classes_, [&](VoxelBlock& block) {
      return internal::DecodeBoxes(payload, classes_, cancel_, block);
    });
  }

 private:
  const EncodedBlock& encoded_;
  const EntryClasses& classes_;
  const CancelToken& cancel_;
};

template <typename T>
absl::Status CheckView(const VoxelView<T>& view) {
  if (absl::Status status = CheckBlockSize(view.size()); !status.ok()) {
    return WithContext("view.", status);
  }
  if (view.data == nullptr) {
    return FieldError("view.data", "null", "an array");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<VoxelBlock> DecodeBlock(const EncodedBlock& encoded,
                                       const CancelToken& cancel) {
  KILN_RETURN_IF_ERROR(CheckLayout(encoded));
  KILN_ASSIGN_OR_RETURN(
      const EntryClasses classes,
      EntryClasses::Create(encoded.solidity, encoded.palette));
  KILN_ASSIGN_OR_RETURN(
      VoxelBlock block,
      std::visit(Decoder(encoded, classes, cancel), encoded.payload));
  block.Normalize();
  return block;
}

template <typename T>
absl::StatusOr<VoxelBlock> BlockFromView(const VoxelView<T>& view,
                                         const Solidity& solidity) {
  KILN_RETURN_IF_ERROR(CheckView(view));
  EncodedBlock encoded;
  encoded.size = view.size();
  encoded.solidity = solidity;
  KILN_RETURN_IF_ERROR(CheckLayout(encoded));
  KILN_ASSIGN_OR_RETURN(const EntryClasses classes,
                        EntryClasses::Create(solidity, {}));
  const Vec3i& size = encoded.size;
  VoxelBlock block;
  block.occupancy.Reset(size);
  if (!classes.one_class()) {
    block.classes.resize(static_cast<size_t>(Volume(size)));
  }
  internal::EntryMapper<T> mapper(classes);
  std::vector<T> gathered(view.stride_x == 1 ? 0 : static_cast<size_t>(size.x));
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      const T* row = view.Address(0, y, z);
      if (!gathered.empty()) {
        for (int x = 0; x < size.x; ++x) {
          gathered[static_cast<size_t>(x)] = view.At(x, y, z);
        }
        row = gathered.data();
      }
      mapper.Map(row, static_cast<size_t>(size.x), block.occupancy.Row(y, z),
                 block.classes.empty()
                     ? nullptr
                     : block.classes.data() + block.Index(0, y, z));
    }
  }
  block.Normalize();
  return block;
}

template absl::StatusOr<VoxelBlock> BlockFromView(const VoxelView<uint8_t>&,
                                                  const Solidity&);
template absl::StatusOr<VoxelBlock> BlockFromView(const VoxelView<uint16_t>&,
                                                  const Solidity&);
template absl::StatusOr<VoxelBlock> BlockFromView(const VoxelView<uint32_t>&,
                                                  const Solidity&);

}  // namespace kiln::core
