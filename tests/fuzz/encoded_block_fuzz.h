// tests/fuzz/encoded_block_fuzz.h
//
// What the fuzzers of the block decoders share: a block that is mostly right in
// its outlines and arbitrary in its contents, and the comparison of DecodeBlock
// with a decoder that reads bit by bit.

#ifndef KILN_TESTS_FUZZ_ENCODED_BLOCK_FUZZ_H_
#define KILN_TESTS_FUZZ_ENCODED_BLOCK_FUZZ_H_

#include <fuzzer/FuzzedDataProvider.h>

#include <cstdint>
#include <vector>

#include "tests/support/block_encoders.h"

namespace kiln::fuzz {

// Sets size, axis order, palette and solidity of `block`.
void FillFrame(FuzzedDataProvider& data, tests::OwnedBlock& block);

// The length a list should have, or now and then another one.
size_t LengthNear(FuzzedDataProvider& data, int64_t right);

// `length` numbers, most of them 0..small, some of them where widths end.
std::vector<uint32_t> Numbers(FuzzedDataProvider& data, size_t length,
                              uint32_t small);

// `length` bytes, repeated once the input has run out.
std::vector<uint8_t> Bytes(FuzzedDataProvider& data, size_t length);

// Aborts unless DecodeBlock refuses what is wrong with `block` and gives what
// the plain decoder gives for everything else.
void CheckAgainstPlainDecoder(const tests::OwnedBlock& block);

}  // namespace kiln::fuzz

#endif  // KILN_TESTS_FUZZ_ENCODED_BLOCK_FUZZ_H_
