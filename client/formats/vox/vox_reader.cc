#include "client/formats/vox/vox_reader.h"

#include <zlib.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/formats/byte_reader.h"
#include "client/formats/voxel_grid.h"
#include "core/base/errors.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

using core::Vec3i;

// Attributes of a node, a layer or a frame. A key given twice keeps its last
// value.
using Attributes = std::map<std::string, std::string>;

absl::StatusOr<Attributes> ReadAttributes(ByteReader& in) {
  KILN_ASSIGN_OR_RETURN(const int32_t count, in.ReadCount(8, "attributes"));
  Attributes attributes;
  for (int32_t i = 0; i < count; ++i) {
    KILN_ASSIGN_OR_RETURN(std::string key, in.ReadString("attribute key"));
    KILN_ASSIGN_OR_RETURN(attributes[std::move(key)],
                          in.ReadString("attribute value"));
  }
  return attributes;
}

std::optional<std::string> Find(const Attributes& attributes,
                                const std::string& key) {
  const auto found = attributes.find(key);
  if (found == attributes.end()) return std::nullopt;
  return found->second;
}

bool IsHidden(const Attributes& attributes) {
  return Find(attributes, "_hidden") == "1";
}

absl::StatusOr<int> ReadFrameNumber(const Attributes& attributes,
                                    const ByteReader& at) {
  const std::optional<std::string> text = Find(attributes, "_f");
  int frame = 0;
  if (text && (!absl::SimpleAtoi(*text, &frame) || frame < 0)) {
    return at.Error("frame number", "not a number of 0 or more");
  }
  return frame;
}

absl::StatusOr<Vec3i> ParseTranslation(const std::string& text,
                                       const ByteReader& at) {
  const std::vector<std::string> parts = absl::StrSplit(text, ' ');
  Vec3i result;
  for (size_t axis = 0; axis < 3; ++axis) {
    int value = 0;
    if (parts.size() != 3 || !absl::SimpleAtoi(parts[axis], &value)) {
      return at.Error("translation", "not three numbers");
    }
    if (value < -kMaxCoordinate || value > kMaxCoordinate) {
      return at.Error("translation",
                      absl::StrCat(value, " is not within +-", kMaxCoordinate));
    }
    result[static_cast<int>(axis)] = value;
  }
  return result;
}

absl::StatusOr<VoxPose> ReadPose(ByteReader& in) {
  const ByteReader start = in;
  KILN_ASSIGN_OR_RETURN(const Attributes attributes, ReadAttributes(in));
  VoxPose pose;
  KILN_ASSIGN_OR_RETURN(pose.frame, ReadFrameNumber(attributes, start));
  if (const auto text = Find(attributes, "_t")) {
    KILN_ASSIGN_OR_RETURN(pose.translation, ParseTranslation(*text, start));
  }
  if (const auto text = Find(attributes, "_r")) {
    int packed = 0;
    const auto rotation = absl::SimpleAtoi(*text, &packed)
                              ? SignedPermutation::FromByte(packed)
                              : std::nullopt;
    if (!rotation) return start.Error("rotation", "not a rotation or mirror");
    pose.rotation = *rotation;
  }
  return pose;
}

// Each Read...Node returns the kind of node that a chunk of its name holds,
// after the id and the attributes common to all.
absl::StatusOr<VoxTransformNode> ReadTransformNode(ByteReader& in) {
  VoxTransformNode node;
  KILN_ASSIGN_OR_RETURN(node.child, in.ReadI32("child node"));
  KILN_RETURN_IF_ERROR(in.ReadI32("reserved number").status());
  KILN_ASSIGN_OR_RETURN(node.layer, in.ReadI32("layer"));
  const ByteReader start = in;
  KILN_ASSIGN_OR_RETURN(const int32_t frames, in.ReadCount(4, "frames"));
  if (frames == 0) return start.Error("frames", "none");
  for (int32_t i = 0; i < frames; ++i) {
    KILN_ASSIGN_OR_RETURN(VoxPose pose, ReadPose(in));
    node.poses.push_back(pose);
  }
  return node;
}

absl::StatusOr<VoxGroupNode> ReadGroupNode(ByteReader& in) {
  VoxGroupNode node;
  KILN_ASSIGN_OR_RETURN(const int32_t count, in.ReadCount(4, "child nodes"));
  for (int32_t i = 0; i < count; ++i) {
    KILN_ASSIGN_OR_RETURN(const int32_t child, in.ReadI32("child node"));
    node.children.push_back(child);
  }
  return node;
}

absl::StatusOr<VoxShapeNode> ReadShapeNode(ByteReader& in) {
  VoxShapeNode node;
  const ByteReader start = in;
  KILN_ASSIGN_OR_RETURN(const int32_t count, in.ReadCount(8, "models"));
  if (count == 0) return start.Error("models of a shape", "none");
  for (int32_t i = 0; i < count; ++i) {
    VoxShapeModel model;
    KILN_ASSIGN_OR_RETURN(model.model, in.ReadI32("model"));
    const ByteReader at = in;
    KILN_ASSIGN_OR_RETURN(const Attributes attributes, ReadAttributes(in));
    KILN_ASSIGN_OR_RETURN(model.frame, ReadFrameNumber(attributes, at));
    node.models.push_back(model);
  }
  return node;
}

// Inflates a zlib stream that holds exactly `out.size()` bytes. Teardown ends
// it with a flush, not with a last block, so its checksum need not be there.
bool InflateExactly(std::span<const uint8_t> in, std::span<uint8_t> out) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  // zlib does not write through next_in.
  stream.next_in = const_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  int code = inflate(&stream, Z_SYNC_FLUSH);
  bool exact = (code == Z_OK || code == Z_STREAM_END) && stream.avail_out == 0;
  // One byte more shows a stream that goes on.
  uint8_t beyond = 0;
  stream.next_out = &beyond;
  stream.avail_out = 1;
  if (exact && code == Z_OK) {
    code = inflate(&stream, Z_SYNC_FLUSH);
    exact = stream.avail_out == 1 &&
            (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR);
  }
  exact = exact && stream.avail_in == 0;
  inflateEnd(&stream);
  return exact;
}

class VoxReader {
 public:
  VoxReader(std::span<const uint8_t> bytes, const VoxLimits& limits)
      : in_(bytes), limits_(limits) {}

  absl::StatusOr<VoxFile> Read() {
    KILN_RETURN_IF_ERROR(ReadHeader());
    while (in_.remaining() > 0) KILN_RETURN_IF_ERROR(ReadChunk());
    if (size_) return in_.Error("SIZE", "no voxels follow it");
    if (!has_palette_) SetDefaultPalette();
    return std::move(file_);
  }

 private:
  absl::Status ReadHeader();
  absl::Status ReadChunk();
  absl::Status ReadContent(absl::string_view name, ByteReader& in);
  absl::Status ReadSize(ByteReader& in);
  absl::Status ReadVoxels(ByteReader& in);
  absl::Status ReadCompressedVoxels(ByteReader& in);
  absl::Status ReadNode(absl::string_view name, int64_t offset, ByteReader& in);
  absl::Status ReadLayer(ByteReader& in);
  absl::Status ReadPalette(ByteReader& in);
  void SetDefaultPalette();
  // Takes the pending SIZE for a model.
  absl::StatusOr<VoxModel> StartModel(const ByteReader& in);
  absl::Status CountVoxels(int64_t count, const ByteReader& in);

  ByteReader in_;
  VoxLimits limits_;
  VoxFile file_;
  std::optional<Vec3i> size_;  // of a SIZE whose voxels have not come yet
  bool has_palette_ = false;
  int64_t voxels_ = 0;
  int64_t inflated_cells_ = 0;
};

absl::Status VoxReader::ReadHeader() {
  const ByteReader start = in_;
  const auto magic = in_.ReadBytes(4, "VOX file");
  if (!magic.ok() || std::string(magic->begin(), magic->end()) != "VOX ") {
    return start.Error("VOX file", "does not begin with \"VOX \"");
  }
  const ByteReader at = in_;
  KILN_ASSIGN_OR_RETURN(file_.version, in_.ReadI32("version"));
  if (file_.version != 150 && file_.version != 200) {
    return at.Error(
        "version",
        absl::StrCat(file_.version, " is not allowed; allowed: 150, 200"));
  }
  // MAIN has no content of its own; its children are the rest of the file.
  const ByteReader main = in_;
  KILN_ASSIGN_OR_RETURN(const std::span<const uint8_t> id,
                        in_.ReadBytes(4, "MAIN"));
  if (std::string(id.begin(), id.end()) != "MAIN") {
    return main.Error("MAIN", "another chunk comes first");
  }
  KILN_ASSIGN_OR_RETURN(const int32_t content, in_.ReadI32("MAIN content"));
  KILN_ASSIGN_OR_RETURN(const int32_t children, in_.ReadI32("MAIN children"));
  KILN_RETURN_IF_ERROR(in_.ReadBytes(content, "MAIN content").status());
  if (children != in_.remaining()) {
    return main.Error("MAIN", absl::StrCat("announces ", children, " bytes, ",
                                           in_.remaining(), " follow"));
  }
  return absl::OkStatus();
}

absl::Status VoxReader::ReadChunk() {
  const int64_t offset = in_.offset();
  KILN_ASSIGN_OR_RETURN(const std::span<const uint8_t> id,
                        in_.ReadBytes(4, "chunk"));
  const std::string name(id.begin(), id.end());
  KILN_ASSIGN_OR_RETURN(const int32_t content, in_.ReadI32("chunk content"));
  KILN_ASSIGN_OR_RETURN(const int32_t children, in_.ReadI32("chunk children"));
  KILN_ASSIGN_OR_RETURN(ByteReader part,
                        in_.ReadPart(content, "chunk content"));
  // Only MAIN is known to have children.
  KILN_RETURN_IF_ERROR(in_.ReadBytes(children, "chunk children").status());
  if (name == "nTRN" || name == "nGRP" || name == "nSHP") {
    return ReadNode(name, offset, part);
  }
  return ReadContent(name, part);
}

absl::Status VoxReader::ReadContent(absl::string_view name, ByteReader& in) {
  if (name == "SIZE") return ReadSize(in);
  if (name == "XYZI") return ReadVoxels(in);
  if (name == "TDCZ") return ReadCompressedVoxels(in);
  if (name == "LAYR") return ReadLayer(in);
  if (name == "RGBA") return ReadPalette(in);
  return absl::OkStatus();
}

absl::Status VoxReader::ReadSize(ByteReader& in) {
  if (size_) return in.Error("SIZE", "the one before it has no voxels");
  Vec3i size;
  for (int axis = 0; axis < 3; ++axis) {
    const ByteReader at = in;
    KILN_ASSIGN_OR_RETURN(size[axis], in.ReadI32("SIZE"));
    if (size[axis] < 1 || size[axis] > core::kMaxBlockEdgeVoxels) {
      return at.Error(
          "SIZE", absl::StrCat(size[axis], " is not allowed; allowed: 1..256"));
    }
  }
  size_ = size;
  return in.ExpectEnd("SIZE");
}

absl::StatusOr<VoxModel> VoxReader::StartModel(const ByteReader& in) {
  if (!size_) return in.Error("voxels", "no SIZE comes before them");
  VoxModel model;
  model.size = *size_;
  size_.reset();
  return model;
}

absl::Status VoxReader::CountVoxels(int64_t count, const ByteReader& in) {
  voxels_ += count;
  if (voxels_ <= limits_.max_voxels) return absl::OkStatus();
  return in.Error(
      "voxels", absl::StrCat("more than ", limits_.max_voxels, " in one file"));
}

absl::Status VoxReader::ReadVoxels(ByteReader& in) {
  KILN_ASSIGN_OR_RETURN(VoxModel model, StartModel(in));
  KILN_ASSIGN_OR_RETURN(const int32_t count, in.ReadCount(4, "XYZI"));
  KILN_RETURN_IF_ERROR(CountVoxels(count, in));
  const ByteReader start = in;
  KILN_ASSIGN_OR_RETURN(const std::span<const uint8_t> bytes,
                        in.ReadBytes(int64_t{count} * 4, "XYZI"));
  KILN_RETURN_IF_ERROR(in.ExpectEnd("XYZI"));
  model.voxels.reserve(static_cast<size_t>(count));
  for (size_t i = 0; i < bytes.size(); i += 4) {
    const VoxVoxel voxel = {bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]};
    if (voxel.x >= model.size.x || voxel.y >= model.size.y ||
        voxel.z >= model.size.z) {
      return core::MalformedError(
          "XYZI", start.offset() + static_cast<int64_t>(i),
          absl::StrCat("voxel (", int{voxel.x}, ", ", int{voxel.y}, ", ",
                       int{voxel.z}, ") is outside of its model"));
    }
    if (voxel.color != 0) model.voxels.push_back(voxel);
  }
  file_.models.push_back(std::move(model));
  return absl::OkStatus();
}

absl::Status VoxReader::ReadCompressedVoxels(ByteReader& in) {
  KILN_ASSIGN_OR_RETURN(VoxModel model, StartModel(in));
  for (int axis = 0; axis < 3; ++axis) {
    const ByteReader at = in;
    KILN_ASSIGN_OR_RETURN(const int32_t edge, in.ReadI32("TDCZ"));
    if (edge != model.size[axis]) return at.Error("TDCZ", "differs from SIZE");
  }
  const int64_t cells = core::Volume(model.size);
  inflated_cells_ += cells;
  if (inflated_cells_ > limits_.max_inflated_cells) {
    return in.Error("TDCZ",
                    absl::StrCat("more than ", limits_.max_inflated_cells,
                                 " cells in one file"));
  }
  std::vector<uint8_t> colors(static_cast<size_t>(cells));
  const ByteReader start = in;
  KILN_ASSIGN_OR_RETURN(const std::span<const uint8_t> packed,
                        in.ReadBytes(in.remaining(), "TDCZ"));
  if (!InflateExactly(packed, colors)) {
    return start.Error("TDCZ",
                       absl::StrCat("not a zlib stream of ", cells, " bytes"));
  }
  size_t i = 0;
  for (int z = 0; z < model.size.z; ++z) {
    for (int y = 0; y < model.size.y; ++y) {
      for (int x = 0; x < model.size.x; ++x, ++i) {
        if (colors[i] == 0) continue;
        model.voxels.push_back({static_cast<uint8_t>(x),
                                static_cast<uint8_t>(y),
                                static_cast<uint8_t>(z), colors[i]});
      }
    }
  }
  KILN_RETURN_IF_ERROR(
      CountVoxels(static_cast<int64_t>(model.voxels.size()), in));
  file_.models.push_back(std::move(model));
  return absl::OkStatus();
}

absl::Status VoxReader::ReadNode(absl::string_view name, int64_t offset,
                                 ByteReader& in) {
  const ByteReader start = in;
  KILN_ASSIGN_OR_RETURN(const int32_t id, in.ReadI32("node id"));
  VoxNode node;
  node.offset = offset;
  KILN_ASSIGN_OR_RETURN(const Attributes attributes, ReadAttributes(in));
  node.hidden = IsHidden(attributes);
  if (name == "nTRN") {
    KILN_ASSIGN_OR_RETURN(node.kind, ReadTransformNode(in));
  } else if (name == "nGRP") {
    KILN_ASSIGN_OR_RETURN(node.kind, ReadGroupNode(in));
  } else {
    KILN_ASSIGN_OR_RETURN(node.kind, ReadShapeNode(in));
  }
  KILN_RETURN_IF_ERROR(in.ExpectEnd(name));
  if (!file_.nodes.emplace(id, std::move(node)).second) {
    return start.Error("node id", absl::StrCat(id, " is given twice"));
  }
  return absl::OkStatus();
}

absl::Status VoxReader::ReadLayer(ByteReader& in) {
  KILN_ASSIGN_OR_RETURN(const int32_t id, in.ReadI32("layer id"));
  KILN_ASSIGN_OR_RETURN(const Attributes attributes, ReadAttributes(in));
  KILN_RETURN_IF_ERROR(in.ReadI32("reserved number").status());
  file_.hidden_layers[id] = IsHidden(attributes);
  return in.ExpectEnd("LAYR");
}

absl::Status VoxReader::ReadPalette(ByteReader& in) {
  // MagicaVoxel writes 256 entries, of which the last has no index; some tools
  // leave it out.
  if (in.remaining() != 255 * 4 && in.remaining() != 256 * 4) {
    return in.Error(
        "RGBA", absl::StrCat(in.remaining(), " bytes; allowed: 1020, 1024"));
  }
  KILN_ASSIGN_OR_RETURN(const std::span<const uint8_t> bytes,
                        in.ReadBytes(255 * 4, "RGBA"));
  for (size_t i = 0; i < 255; ++i) {
    file_.palette[i + 1] = {bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2]};
  }
  has_palette_ = true;
  return absl::OkStatus();
}

// MagicaVoxel's default palette by its rule: a 6x6x6 cube without black, from
// white down, then ten shades each of red, green, blue and grey.
void VoxReader::SetDefaultPalette() {
  size_t index = 1;
  for (int r = 5; r >= 0; --r) {
    for (int g = 5; g >= 0; --g) {
      for (int b = 5; b >= 0; --b) {
        if (r + g + b == 0) continue;
        const auto level = [](int step) {
          return static_cast<uint8_t>(step * 0x33);
        };
        file_.palette[index++] = {level(r), level(g), level(b)};
      }
    }
  }
  for (int ramp = 0; ramp < 4; ++ramp) {
    for (const uint8_t v :
         {0xee, 0xdd, 0xbb, 0xaa, 0x88, 0x77, 0x55, 0x44, 0x22, 0x11}) {
      Color color;
      if (ramp == 0 || ramp == 3) color.r = v;
      if (ramp == 1 || ramp == 3) color.g = v;
      if (ramp == 2 || ramp == 3) color.b = v;
      file_.palette[index++] = color;
    }
  }
}

}  // namespace

absl::StatusOr<VoxFile> ReadVox(std::span<const uint8_t> bytes,
                                const VoxLimits& limits) {
  return VoxReader(bytes, limits).Read();
}

}  // namespace kiln::client
