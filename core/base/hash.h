// core/base/hash.h
//
// XXH3-128 over bytes: the name of a content or a result. Not a cryptographic
// hash: it tells contents apart, it proves nothing against an attacker.

#ifndef KILN_CORE_BASE_HASH_H_
#define KILN_CORE_BASE_HASH_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace kiln::core {

struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;

  friend bool operator==(const Hash128&, const Hash128&) = default;
};

// 32 lower-case hexadecimal digits, most significant first.
std::string ToHex(const Hash128& hash);

// One-shot hash of `bytes`.
Hash128 HashBytes(std::span<const uint8_t> bytes);

// Streaming hash: feeding pieces gives the hash of their concatenation.
// Integers are fed as little-endian bytes, so that the hash is the same on any
// machine. Not thread-safe.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void AddBytes(std::span<const uint8_t> bytes);
  void AddWords(std::span<const uint64_t> words);
  void AddU8(uint8_t value);
  void AddU32(uint32_t value);
  Hash128 Finish() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kiln::core

#endif  // KILN_CORE_BASE_HASH_H_
