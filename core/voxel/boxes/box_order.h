// core/voxel/boxes/box_order.h
//
// Brings boxes into canonical order with looks at a cancel token: a block of
// noise has millions of boxes, and std::sort of those takes a third of a
// second.

#ifndef KILN_CORE_VOXEL_BOXES_BOX_ORDER_H_
#define KILN_CORE_VOXEL_BOXES_BOX_ORDER_H_

#include "core/base/cancel_poll.h"
#include "core/voxel/box_set.h"

namespace kiln::core::internal {

// Sorts `boxes`; once `poll` stops they are in some other order.
void SortBoxes(BoxSet& boxes, CancelPoll& poll);

}  // namespace kiln::core::internal

#endif  // KILN_CORE_VOXEL_BOXES_BOX_ORDER_H_
