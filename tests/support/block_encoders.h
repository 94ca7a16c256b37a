// tests/support/block_encoders.h
//
// Plain voxels, every encoding of them, and a decoder so slow that it is
// obviously right: what the real decoders are compared with.

#ifndef KILN_TESTS_SUPPORT_BLOCK_ENCODERS_H_
#define KILN_TESTS_SUPPORT_BLOCK_ENCODERS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/voxel/encoded_block.h"
#include "core/voxel/voxel_block.h"

namespace kiln::tests {

// One entry a voxel, x fastest, then y, then z.
struct PlainVoxels {
  core::Vec3i size;
  std::vector<uint32_t> entries;

  uint32_t& At(int x, int y, int z);
  uint32_t At(int x, int y, int z) const;
};

// Random entries 0..max_entry, more often equal to the one before than not.
PlainVoxels RandomVoxels(const core::Vec3i& size, uint32_t max_entry,
                         uint32_t seed);

// A solidity rule with its lists.
struct OwnedSolidity {
  core::Solidity::Kind kind = core::Solidity::Kind::kAllButZero;
  std::vector<uint32_t> ids;
  std::vector<uint32_t> class_ids;
  std::vector<uint32_t> classes;

  core::Solidity View() const;
};

// An EncodedBlock with the memory its spans point to. Not copyable: the spans
// would go on pointing into the original.
struct OwnedBlock {
  OwnedBlock() = default;
  OwnedBlock(const OwnedBlock&) = delete;
  OwnedBlock& operator=(const OwnedBlock&) = delete;

  core::EncodedBlock block;
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> lists[6];  // in the order of the payload's spans
  std::vector<uint32_t> palette;
  OwnedSolidity solidity;

  // Points the spans of `block` at the memory above, once it is filled.
  void Bind();
};

// Which encoding, and all that one can choose about it.
struct EncodingChoice {
  std::string name;
  core::Payload payload;  // widths and byte orders, nothing else
};

// Every encoding that can hold entries 0..max_entry: all widths, byte orders
// and word layouts. Uniform is not among them.
std::vector<EncodingChoice> EncodingsFor(uint32_t max_entry);

// `voxels` in the given encoding and order.
std::unique_ptr<OwnedBlock> Encode(const PlainVoxels& voxels,
                                   const EncodingChoice& choice,
                                   core::AxisOrder order,
                                   const std::vector<uint32_t>& palette = {},
                                   const OwnedSolidity& solidity = {});

inline constexpr core::AxisOrder kAllAxisOrders[] = {
    core::AxisOrder::kXyz, core::AxisOrder::kXzy, core::AxisOrder::kYxz,
    core::AxisOrder::kYzx, core::AxisOrder::kZxy, core::AxisOrder::kZyx};

// Class of `id` by the words of core/voxel/encoded_block.h.
uint8_t PlainClassOf(const OwnedSolidity& solidity, uint32_t id);

// The block by the same words, voxel by voxel; normalized. Requires: entries
// within the palette.
core::VoxelBlock PlainDecode(const PlainVoxels& voxels,
                             const std::vector<uint32_t>& palette = {},
                             const OwnedSolidity& solidity = {});

// Entries out of any payload by the words of encoded_block.h, voxel by voxel;
// nullopt where the payload breaks a rule. The palette is not looked at.
std::optional<PlainVoxels> PlainEntries(const core::EncodedBlock& block);

}  // namespace kiln::tests

#endif  // KILN_TESTS_SUPPORT_BLOCK_ENCODERS_H_
