// client/internal/inproc/owned_inputs.h
//
// Blocks with every span they borrow copied, so that they may be baked after
// their owner has gone on.

#ifndef KILN_CLIENT_INTERNAL_INPROC_OWNED_INPUTS_H_
#define KILN_CLIENT_INTERNAL_INPROC_OWNED_INPUTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/bake/baker.h"

namespace kiln::client::internal {

// Threads: immutable.
class OwnedInputs {
 public:
  // Cost: one copy of all payloads.
  explicit OwnedInputs(std::vector<core::BakeInput> inputs);
  OwnedInputs(const OwnedInputs&) = delete;
  OwnedInputs& operator=(const OwnedInputs&) = delete;

  const std::vector<core::BakeInput>& inputs() const { return inputs_; }

 private:
  void Own(core::EncodedBlock& block);
  void Own(std::span<const uint8_t>& bytes);
  void Own(std::span<const uint32_t>& words);

  std::vector<core::BakeInput> inputs_;
  std::vector<std::vector<uint8_t>> bytes_;
  std::vector<std::vector<uint32_t>> words_;
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_INPROC_OWNED_INPUTS_H_
