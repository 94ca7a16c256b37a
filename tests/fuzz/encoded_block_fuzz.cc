#include "tests/fuzz/encoded_block_fuzz.h"

#include <algorithm>
#include <set>
#include <variant>

#include "core/base/check.h"
#include "core/voxel/decode/block_decoder.h"
#include "core/voxel/decode/payload_layout.h"

namespace kiln::fuzz {
namespace {

bool HasRepeats(const std::vector<uint32_t>& list) {
  return std::set<uint32_t>(list.begin(), list.end()).size() != list.size();
}

bool IsSolidityGood(const tests::OwnedSolidity& solidity) {
  const auto& classes = solidity.classes;
  return !HasRepeats(solidity.ids) && !HasRepeats(solidity.class_ids) &&
         std::all_of(classes.begin(), classes.end(),
                     [](uint32_t cls) { return cls <= 255; });
}

// Payloads that may name entries which no voxel has in the end.
bool MayNameUnusedEntries(const core::Payload& payload) {
  return std::holds_alternative<core::PointsPayload>(payload) ||
         std::holds_alternative<core::BoxesPayload>(payload) ||
         std::holds_alternative<core::ColumnsPayload>(payload);
}

}  // namespace

void FillFrame(FuzzedDataProvider& data, tests::OwnedBlock& block) {
  // Small, because the plain decoder is slow, but for one edge now and then.
  for (int axis = 0; axis < 3; ++axis) {
    block.block.size[axis] = data.ConsumeIntegralInRange<int>(1, 9);
  }
  const auto odd_edge = data.ConsumeIntegralInRange<int>(0, 20);
  if (odd_edge < 3) {
    block.block.size[odd_edge] = data.ConsumeIntegralInRange<int>(0, 258);
  }
  block.block.axis_order =
      static_cast<core::AxisOrder>(data.ConsumeIntegralInRange<int>(0, 5));
  const auto palette = data.ConsumeIntegralInRange<size_t>(0, 20);
  block.palette = Numbers(data, data.ConsumeBool() ? palette : 0, 7);
  tests::OwnedSolidity& solidity = block.solidity;
  solidity.kind =
      static_cast<core::Solidity::Kind>(data.ConsumeIntegralInRange<int>(0, 2));
  if (solidity.kind != core::Solidity::Kind::kAllButZero) {
    solidity.ids = Numbers(data, data.ConsumeIntegralInRange<size_t>(0, 5), 7);
  }
  if (data.ConsumeBool()) {
    const auto named = data.ConsumeIntegralInRange<size_t>(0, 4);
    solidity.class_ids = Numbers(data, named, 7);
    solidity.classes =
        Numbers(data, LengthNear(data, static_cast<int64_t>(named)), 3);
  }
}

size_t LengthNear(FuzzedDataProvider& data, int64_t right) {
  if (data.ConsumeIntegralInRange<uint8_t>(0, 20) != 20) {
    return static_cast<size_t>(std::max<int64_t>(right, 0));
  }
  return static_cast<size_t>(
      std::max<int64_t>(right + data.ConsumeIntegralInRange<int>(-9, 9), 0));
}

std::vector<uint32_t> Numbers(FuzzedDataProvider& data, size_t length,
                              uint32_t small) {
  // Where tables, bytes and words end.
  constexpr uint32_t kEdges[] = {255, 256, 65535, 65536, ~0u};
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < length; ++i) {
    const auto byte = data.ConsumeIntegral<uint8_t>();
    if (byte < 240) {
      numbers.push_back(byte % (small + 1));
    } else if (byte < 250) {
      numbers.push_back(kEdges[byte % 5]);
    } else {
      numbers.push_back(data.ConsumeIntegral<uint32_t>());
    }
  }
  return numbers;
}

std::vector<uint8_t> Bytes(FuzzedDataProvider& data, size_t length) {
  std::vector<uint8_t> bytes = data.ConsumeBytes<uint8_t>(length);
  // Repeated rather than filled up with zeros: short inputs, large blocks.
  if (bytes.empty()) bytes.assign(std::min<size_t>(length, 1), 0);
  for (size_t i = 0; bytes.size() < length; ++i) bytes.push_back(bytes[i]);
  return bytes;
}

void CheckAgainstPlainDecoder(const tests::OwnedBlock& block) {
  const auto decoded = core::DecodeBlock(block.block);
  const auto plain = tests::PlainEntries(block.block);
  bool good = plain.has_value() && core::CheckLayout(block.block).ok() &&
              IsSolidityGood(block.solidity);
  if (good && !block.palette.empty()) {
    good = std::all_of(
        plain->entries.begin(), plain->entries.end(),
        [&](uint32_t entry) { return entry < block.palette.size(); });
    if (MayNameUnusedEntries(block.block.payload) && !decoded.ok()) return;
  }
  KILN_CHECK(decoded.ok() == good);
  if (!good) {
    KILN_CHECK(absl::IsInvalidArgument(decoded.status()));
    return;
  }
  KILN_CHECK(*decoded ==
             tests::PlainDecode(*plain, block.palette, block.solidity));
}

}  // namespace kiln::fuzz
