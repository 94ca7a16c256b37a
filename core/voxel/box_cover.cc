#include "core/voxel/box_cover.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/base/status_macros.h"
#include "core/voxel/bit_run.h"
#include "core/voxel/class_layers.h"

namespace kiln::core {
namespace {

using internal::BitRun;
using internal::ClassLayer;

// Boxes made between two looks at the cancel token.
constexpr int kBoxesPerPoll = 64;

// A maximal box: [y0, y1) x [z0, z1) rows of one run.
struct RowBox {
  BitRun run;
  int y0;
  int y1;
  int z0;
  int z1;
};

// Grows voxel (x, y, z) to a box of solid voxels that cannot grow any more:
// along x as far as it goes, then along y, then along z, both ways each.
RowBox MaximalBoxAround(const BitGrid& solid, int x, int y, int z) {
  const uint64_t* row = solid.Row(y, z);
  RowBox box{{internal::StartOfOnes(row, x),
              internal::EndOfOnes(row, solid.words_per_row(), x)},
             y,
             y + 1,
             z,
             z + 1};
  while (box.y0 > 0 && box.run.IsIn(solid.Row(box.y0 - 1, z))) --box.y0;
  while (box.y1 < solid.size().y && box.run.IsIn(solid.Row(box.y1, z))) {
    ++box.y1;
  }
  const auto layer_is_solid = [&](int at) {
    for (int i = box.y0; i < box.y1; ++i) {
      if (!box.run.IsIn(solid.Row(i, at))) return false;
    }
    return true;
  };
  while (box.z0 > 0 && layer_is_solid(box.z0 - 1)) --box.z0;
  while (box.z1 < solid.size().z && layer_is_solid(box.z1)) ++box.z1;
  return box;
}

template <typename Visit>
void ForEachRow(const RowBox& box, Visit visit) {
  for (int z = box.z0; z < box.z1; ++z) {
    for (int y = box.y0; y < box.y1; ++y) visit(y, z);
  }
}

absl::StatusOr<std::vector<RowBox>> GreedyCover(const BitGrid& solid,
                                                const CancelToken& cancel) {
  BitGrid uncovered = solid;
  std::vector<RowBox> boxes;
  for (int z = 0; z < solid.size().z; ++z) {
    KILN_RETURN_IF_ERROR(cancel.ToStatus());
    for (int y = 0; y < solid.size().y; ++y) {
      const uint64_t* row = uncovered.Row(y, z);
      for (int w = 0; w < solid.words_per_row(); ++w) {
        while (row[w] != 0) {
          const int x = w * 64 + std::countr_zero(row[w]);
          const RowBox box = MaximalBoxAround(solid, x, y, z);
          ForEachRow(box, [&](int by, int bz) {
            box.run.ClearIn(uncovered.Row(by, bz));
          });
          boxes.push_back(box);
          if (boxes.size() % kBoxesPerPoll == 0) {
            KILN_RETURN_IF_ERROR(cancel.ToStatus());
          }
        }
      }
    }
  }
  return boxes;
}

// Whether the boxes other than `boxes[index]` cover all of it.
bool IsCoveredByOthers(const std::vector<RowBox>& boxes, size_t index,
                       const Vec3i& size) {
  const RowBox& box = boxes[index];
  BitGrid left(size);
  ForEachRow(box, [&](int y, int z) {
    uint64_t* row = left.Row(y, z);
    for (int x = box.run.x0(); x < box.run.x1(); ++x) {
      row[x >> 6] |= uint64_t{1} << (x & 63);
    }
  });
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (i == index) continue;
    RowBox shared = boxes[i];
    if (shared.run.x0() >= box.run.x1() || shared.run.x1() <= box.run.x0()) {
      continue;
    }
    shared.y0 = std::max(shared.y0, box.y0);
    shared.y1 = std::min(shared.y1, box.y1);
    shared.z0 = std::max(shared.z0, box.z0);
    shared.z1 = std::min(shared.z1, box.z1);
    ForEachRow(shared,
               [&](int y, int z) { shared.run.ClearIn(left.Row(y, z)); });
  }
  return left.CountSolid() == 0;
}

// Drops boxes until none is covered by the others.
absl::Status DropRedundant(const Vec3i& size, const CancelToken& cancel,
                           std::vector<RowBox>& boxes) {
  BitGrid once(size);
  BitGrid twice(size);
  for (const RowBox& box : boxes) {
    ForEachRow(box, [&](int y, int z) {
      box.run.CountIn(once.Row(y, z), twice.Row(y, z));
    });
  }
  for (size_t i = boxes.size(); i-- > 0;) {
    bool overlapped = true;
    ForEachRow(boxes[i], [&](int y, int z) {
      overlapped = overlapped && boxes[i].run.IsIn(twice.Row(y, z));
    });
    // `twice` still counts boxes that were dropped, so it only rules out.
    if (!overlapped || !IsCoveredByOthers(boxes, i, size)) continue;
    boxes.erase(boxes.begin() + static_cast<ptrdiff_t>(i));
    KILN_RETURN_IF_ERROR(cancel.ToStatus());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BoxSet> CoverWithBoxes(const VoxelBlock& block,
                                      const CancelToken& cancel) {
  BoxSet result;
  const auto cover_layer = [&](const ClassLayer& layer) -> absl::Status {
    KILN_ASSIGN_OR_RETURN(std::vector<RowBox> boxes,
                          GreedyCover(layer.solid, cancel));
    KILN_RETURN_IF_ERROR(DropRedundant(layer.solid.size(), cancel, boxes));
    for (const RowBox& box : boxes) {
      const Vec3i min{box.run.x0(), box.y0, box.z0};
      const Vec3i max{box.run.x1(), box.y1, box.z1};
      result.emplace_back(min + layer.origin, max + layer.origin, layer.cls);
    }
    return absl::OkStatus();
  };
  KILN_RETURN_IF_ERROR(internal::ForEachClassLayer(block, cancel, cover_layer));
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace kiln::core
