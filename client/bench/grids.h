// client/bench/grids.h
//
// The synthetic inputs of kiln-bench: the named grids that Kiln's figures are
// quoted for, and two extremes. One byte a voxel, 1 = solid, x fastest, then y
// (up), then z.

#ifndef KILN_CLIENT_BENCH_GRIDS_H_
#define KILN_CLIENT_BENCH_GRIDS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"

namespace kiln::client {

inline constexpr absl::string_view kGridNames[] = {"hills", "caves", "ball",
                                                   "flat", "noise"};

// nullopt for a name that is not in kGridNames. hills: a landscape; caves:
// tunnels in rock; ball: one round body; flat: a floor of half the height;
// noise: every other voxel at random, the worst there is.
// Requires: 1 <= edge <= 256.
std::optional<std::vector<uint8_t>> MakeGrid(absl::string_view name, int edge);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_GRIDS_H_
