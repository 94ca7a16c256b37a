// core/voxel/search/axis_orders.h
//
// The greedy partition of bit rows in each of the six axis orders. The order
// (a, b, c) scans a fastest and c slowest, takes the whole run along a, widens
// it along b, then along c; (x, y, z) is what box_partition.h does.

#ifndef KILN_CORE_VOXEL_SEARCH_AXIS_ORDERS_H_
#define KILN_CORE_VOXEL_SEARCH_AXIS_ORDERS_H_

#include <array>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "core/voxel/bit_grid.h"
#include "core/voxel/box_set.h"

namespace kiln::core::internal {

using AxisOrder = std::array<int, 3>;

inline constexpr int kAxisOrderCount = 6;
inline constexpr std::array<AxisOrder, kAxisOrderCount> kAxisOrders = {
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

// `grid` with the axes x and `axis` swapped. Cost: O(words) times a constant,
// by 64 x 64 bit transposes.
BitGrid SwapAxisWithX(const BitGrid& grid, int axis);

// Appends the greedy boxes of `solid` in `order` to `boxes`, of class 1 and in
// order of creation, not in canonical order.
absl::Status AppendGreedyBoxes(const BitGrid& solid, const AxisOrder& order,
                               const CancelToken& cancel, BoxSet& boxes);

// The fewest boxes over the six orders; the earliest order of kAxisOrders wins
// a tie. In order of creation.
absl::StatusOr<BoxSet> BestOfAxisOrders(const BitGrid& solid,
                                        const CancelToken& cancel);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_SEARCH_AXIS_ORDERS_H_
