#include "client/internal/inproc/owned_inputs.h"

#include <utility>
#include <variant>

namespace kiln::client::internal {
namespace {

// One overload for each payload: calls `own` with every span it borrows.
template <typename F>
void ForEachSpan(core::UniformPayload&, const F&) {}
template <typename F>
void ForEachSpan(core::BitsetPayload& p, const F& own) {
  own(p.bytes);
}
template <typename F>
void ForEachSpan(core::ArrayPayload& p, const F& own) {
  own(p.bytes);
}
template <typename F>
void ForEachSpan(core::PackedPayload& p, const F& own) {
  own(p.bytes);
}
template <typename F>
void ForEachSpan(core::RunsPayload& p, const F& own) {
  own(p.entries);
  own(p.counts);
}
template <typename F>
void ForEachSpan(core::PointsPayload& p, const F& own) {
  own(p.coordinates);
  own(p.entries);
}
template <typename F>
void ForEachSpan(core::BoxesPayload& p, const F& own) {
  own(p.bounds);
  own(p.entries);
}
template <typename F>
void ForEachSpan(core::ColumnsPayload& p, const F& own) {
  own(p.first_y);
  own(p.run_counts);
  own(p.lengths);
  own(p.entries);
  own(p.below);
  own(p.above);
}

}  // namespace

OwnedInputs::OwnedInputs(std::vector<core::BakeInput> inputs)
    : inputs_(std::move(inputs)) {
  for (core::BakeInput& input : inputs_) {
    Own(input.block);
    for (core::Neighbour& neighbour : input.neighbours) {
      if (auto* plane = std::get_if<core::PlaneNeighbour>(&neighbour)) {
        Own(plane->plane);
      } else if (auto* block = std::get_if<core::BlockNeighbour>(&neighbour)) {
        Own(block->block);
      }
    }
  }
}

void OwnedInputs::Own(core::EncodedBlock& block) {
  const auto own = [this](auto& span) { Own(span); };
  std::visit([&own](auto& payload) { ForEachSpan(payload, own); },
             block.payload);
  own(block.palette);
  own(block.solidity.ids);
  own(block.solidity.class_ids);
  own(block.solidity.classes);
}

// A vector keeps its elements where they are when it is moved, so the spans
// stay valid while bytes_ and words_ grow.
void OwnedInputs::Own(std::span<const uint8_t>& bytes) {
  if (bytes.empty()) return;
  bytes = bytes_.emplace_back(bytes.begin(), bytes.end());
}

void OwnedInputs::Own(std::span<const uint32_t>& words) {
  if (words.empty()) return;
  words = words_.emplace_back(words.begin(), words.end());
}

}  // namespace kiln::client::internal
