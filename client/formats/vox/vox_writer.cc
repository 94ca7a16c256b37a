#include "client/formats/vox/vox_writer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/errors.h"
#include "core/base/limits.h"

namespace kiln::client {
namespace {

using core::Vec3i;

constexpr int kVersion = 150;

class Bytes {
 public:
  void I32(int value) {
    const auto v = static_cast<uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) {
      bytes_.push_back(static_cast<uint8_t>(v >> shift));
    }
  }
  void Text(absl::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  void String(absl::string_view text) {
    I32(static_cast<int>(text.size()));
    Text(text);
  }
  void U8(uint8_t value) { bytes_.push_back(value); }
  void Chunk(absl::string_view id, const Bytes& content) {
    Text(id);
    I32(static_cast<int>(content.bytes_.size()));
    I32(0);
    bytes_.insert(bytes_.end(), content.bytes_.begin(), content.bytes_.end());
  }

  size_t size() const { return bytes_.size(); }
  std::vector<uint8_t>& bytes() { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

// A part of the grid that becomes one model.
struct Piece {
  Vec3i min;   // world, y up
  Vec3i size;  // world, y up

  Vec3i FileSize() const { return {size.x, size.z, size.y}; }
  // Where the model's pivot, the corner floor(size / 2), is in the file's axes.
  Vec3i Translation() const {
    const Vec3i file_min = {min.x, -(min.z + size.z), min.y};
    const Vec3i s = FileSize();
    return file_min + Vec3i{s.x / 2, s.y / 2, s.z / 2};
  }
};

// Cuts at world multiples of 256, each piece no larger than its bricks.
std::vector<Piece> CutIntoPieces(const VoxelGrid& grid) {
  constexpr int kEdge = core::kMaxBlockEdgeVoxels;
  static_assert((kEdge & (kEdge - 1)) == 0, "aligned by a mask");
  struct Bounds {
    Vec3i min, max;
  };
  std::map<std::array<int, 3>, Bounds> bounds;
  for (const Vec3i& brick : grid.BrickOrigins()) {
    Bounds own;
    for (int axis = 0; axis < 3; ++axis) {
      own.min[axis] = std::max(brick[axis], grid.min()[axis]);
      own.max[axis] =
          std::min(brick[axis] + VoxelGrid::kBrickEdge, grid.max()[axis]);
    }
    constexpr int kAligned = ~(kEdge - 1);
    const auto [found, added] = bounds.try_emplace(
        {brick.z & kAligned, brick.y & kAligned, brick.x & kAligned}, own);
    if (added) continue;
    Bounds& all = found->second;
    for (int axis = 0; axis < 3; ++axis) {
      all.min[axis] = std::min(all.min[axis], own.min[axis]);
      all.max[axis] = std::max(all.max[axis], own.max[axis]);
    }
  }
  std::vector<Piece> pieces;
  for (const auto& [origin, piece] : bounds) {
    pieces.push_back({piece.min, piece.max - piece.min});
  }
  return pieces;
}

void AppendModel(const VoxelGrid& grid, const Piece& piece, Bytes& out) {
  Bytes size;
  const Vec3i file_size = piece.FileSize();
  for (int axis = 0; axis < 3; ++axis) size.I32(file_size[axis]);
  out.Chunk("SIZE", size);

  std::vector<uint8_t> cells(static_cast<size_t>(core::Volume(piece.size)));
  grid.CopyBox(piece.min, piece.size, cells.data());
  Bytes voxels;
  voxels.I32(static_cast<int>(std::count_if(
      cells.begin(), cells.end(), [](uint8_t cell) { return cell != 0; })));
  size_t i = 0;
  for (int z = 0; z < piece.size.z; ++z) {
    for (int y = 0; y < piece.size.y; ++y) {
      for (int x = 0; x < piece.size.x; ++x, ++i) {
        if (cells[i] == 0) continue;
        voxels.U8(static_cast<uint8_t>(x));
        voxels.U8(static_cast<uint8_t>(piece.size.z - 1 - z));
        voxels.U8(static_cast<uint8_t>(y));
        voxels.U8(cells[i]);
      }
    }
  }
  out.Chunk("XYZI", voxels);
}

// A transform node over `child`; the root (layer -1) has no translation.
void AppendTransform(int id, int child, int layer, const Vec3i* translation,
                     Bytes& out) {
  Bytes node;
  node.I32(id);
  node.I32(0);  // no attributes
  node.I32(child);
  node.I32(-1);  // reserved
  node.I32(layer);
  node.I32(1);  // frames
  node.I32(translation == nullptr ? 0 : 1);
  if (translation != nullptr) {
    node.String("_t");
    node.String(
        absl::StrCat(translation->x, " ", translation->y, " ", translation->z));
  }
  out.Chunk("nTRN", node);
}

void AppendSceneGraph(const std::vector<Piece>& pieces, Bytes& out) {
  // Ids: root transform 0, its group 1, then a transform and a shape a piece.
  AppendTransform(0, 1, -1, nullptr, out);
  Bytes group;
  group.I32(1);
  group.I32(0);
  group.I32(static_cast<int>(pieces.size()));
  for (size_t i = 0; i < pieces.size(); ++i) {
    group.I32(static_cast<int>(2 + 2 * i));
  }
  out.Chunk("nGRP", group);
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto id = static_cast<int>(2 + 2 * i);
    const Vec3i translation = pieces[i].Translation();
    AppendTransform(id, id + 1, 0, &translation, out);
    Bytes shape;
    shape.I32(id + 1);
    shape.I32(0);
    shape.I32(1);
    shape.I32(static_cast<int>(i));
    shape.I32(0);
    out.Chunk("nSHP", shape);
  }
}

void AppendPalette(const Palette& palette, Bytes& out) {
  Bytes colors;
  for (size_t i = 1; i <= 256; ++i) {
    const Color color = i < 256 ? palette[i] : Color{};
    colors.U8(color.r);
    colors.U8(color.g);
    colors.U8(color.b);
    colors.U8(i < 256 ? 255 : 0);
  }
  out.Chunk("RGBA", colors);
}

}  // namespace

absl::StatusOr<std::vector<uint8_t>> WriteVox(const VoxelGrid& grid,
                                              const Palette& palette) {
  constexpr int64_t kMaxBytes = std::numeric_limits<int32_t>::max();
  constexpr int64_t kRoomForTheRest = 1 << 24;
  if (grid.solid_voxels() * 4 > kMaxBytes - kRoomForTheRest) {
    return core::RangeError("solid voxels of a .vox file", grid.solid_voxels(),
                            0, (kMaxBytes - kRoomForTheRest) / 4);
  }
  const std::vector<Piece> pieces = CutIntoPieces(grid);
  Bytes children;
  for (const Piece& piece : pieces) AppendModel(grid, piece, children);
  AppendSceneGraph(pieces, children);
  AppendPalette(palette, children);

  Bytes file;
  file.Text("VOX ");
  file.I32(kVersion);
  file.Text("MAIN");
  file.I32(0);
  file.I32(static_cast<int>(children.size()));
  file.bytes().insert(file.bytes().end(), children.bytes().begin(),
                      children.bytes().end());
  return std::move(file.bytes());
}

}  // namespace kiln::client
