#define XXH_INLINE_ALL
#include "core/base/hash.h"

#include <xxhash.h>

#include <bit>

#include "absl/strings/str_format.h"

namespace kiln::core {

// Kiln's words are hashed as they lie in memory.
static_assert(std::endian::native == std::endian::little,
              "hashes are defined over little-endian words");

struct Hasher::Impl {
  XXH3_state_t state;
};

std::string ToHex(const Hash128& hash) {
  return absl::StrFormat("%016x%016x", hash.high, hash.low);
}

Hash128 HashBytes(std::span<const uint8_t> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

Hasher::Hasher() : impl_(std::make_unique<Impl>()) {
  XXH3_128bits_reset(&impl_->state);
}

Hasher::~Hasher() = default;

void Hasher::AddBytes(std::span<const uint8_t> bytes) {
  XXH3_128bits_update(&impl_->state, bytes.data(), bytes.size());
}

void Hasher::AddWords(std::span<const uint64_t> words) {
  XXH3_128bits_update(&impl_->state, words.data(), words.size_bytes());
}

void Hasher::AddU8(uint8_t value) {
  XXH3_128bits_update(&impl_->state, &value, sizeof(value));
}

void Hasher::AddU32(uint32_t value) {
  XXH3_128bits_update(&impl_->state, &value, sizeof(value));
}

Hash128 Hasher::Finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&impl_->state);
  return {hash.high64, hash.low64};
}

}  // namespace kiln::core
