// core/base/limits.h
//
// Limits that the formats themselves impose. What an operator may tune (message
// bytes, concurrency, cost) lives with the server's flags instead.

#ifndef KILN_CORE_BASE_LIMITS_H_
#define KILN_CORE_BASE_LIMITS_H_

#include <cstdint>

namespace kiln::core {

// Longest edge of a block, in voxels. A box then fits six bytes: minimum and
// maximum - 1 of each axis (core/voxel/box_set.h).
inline constexpr int kMaxBlockEdgeVoxels = 256;

// Most voxels of one block: 256^3.
inline constexpr int64_t kMaxBlockVoxels =
    int64_t{kMaxBlockEdgeVoxels} * kMaxBlockEdgeVoxels * kMaxBlockEdgeVoxels;

// Class of every solid voxel where no classes are given. Class 0 is air and
// never collides; a class fits one byte.
inline constexpr int kDefaultClass = 1;
inline constexpr int kMaxClass = 255;

// Most entries of one palette: a packed entry of 16 bits addresses this many,
// and no known world format holds more distinct voxels in one block.
inline constexpr int64_t kMaxPaletteEntries = 65536;

// Most ids of one list of a solidity rule: as many as 16-bit ids can tell
// apart.
inline constexpr int64_t kMaxSolidityIds = 65536;

// Greatest search effort (core/voxel/search/box_search.h).
inline constexpr int kMaxSearchEffort = 3;

// Priorities of a request: 0 is the least urgent.
inline constexpr int kMaxPriority = 7;
inline constexpr int kDefaultPriority = 3;

}  // namespace kiln::core

#endif  // KILN_CORE_BASE_LIMITS_H_
