#include "tests/support/block_encoders.h"

#include <algorithm>
#include <array>
#include <random>
#include <variant>

namespace kiln::tests {

using core::AxisOrder;
using core::Vec3i;

namespace {

// Axes by speed, spelled out once more on purpose: this is the oracle.
std::array<int, 3> AxesBySpeed(AxisOrder order) {
  switch (order) {
    case AxisOrder::kXyz:
      return {0, 1, 2};
    case AxisOrder::kXzy:
      return {0, 2, 1};
    case AxisOrder::kYxz:
      return {1, 0, 2};
    case AxisOrder::kYzx:
      return {1, 2, 0};
    case AxisOrder::kZxy:
      return {2, 0, 1};
    case AxisOrder::kZyx:
      return {2, 1, 0};
  }
  return {0, 1, 2};
}

// Calls visit(x, y, z) for each voxel in payload order.
template <typename Visit>
void ForEachVoxel(const Vec3i& size, AxisOrder order, Visit visit) {
  const auto axes = AxesBySpeed(order);
  Vec3i at;
  for (at[axes[2]] = 0; at[axes[2]] < size[axes[2]]; ++at[axes[2]]) {
    for (at[axes[1]] = 0; at[axes[1]] < size[axes[1]]; ++at[axes[1]]) {
      for (at[axes[0]] = 0; at[axes[0]] < size[axes[0]]; ++at[axes[0]]) {
        visit(at.x, at.y, at.z);
      }
    }
  }
}

// Calls visit(x, z) for each column in payload order.
template <typename Visit>
void ForEachColumn(const Vec3i& size, AxisOrder order, Visit visit) {
  for (const int axis : AxesBySpeed(order)) {
    if (axis == 0) {
      for (int z = 0; z < size.z; ++z) {
        for (int x = 0; x < size.x; ++x) visit(x, z);
      }
      return;
    }
    if (axis == 2) {
      for (int x = 0; x < size.x; ++x) {
        for (int z = 0; z < size.z; ++z) visit(x, z);
      }
      return;
    }
  }
}

std::vector<uint32_t> InOrder(const PlainVoxels& voxels, AxisOrder order) {
  std::vector<uint32_t> entries;
  ForEachVoxel(voxels.size, order, [&](int x, int y, int z) {
    entries.push_back(voxels.At(x, y, z));
  });
  return entries;
}

void AppendInteger(uint64_t value, int bytes, core::ByteOrder order,
                   std::vector<uint8_t>& out) {
  for (int i = 0; i < bytes; ++i) {
    const int byte = order == core::ByteOrder::kLittle ? i : bytes - 1 - i;
    out.push_back(static_cast<uint8_t>(value >> (8 * byte)));
  }
}

std::vector<uint8_t> PackBits(const std::vector<uint32_t>& entries) {
  std::vector<uint8_t> bytes((entries.size() + 7) / 8);
  for (size_t i = 0; i < entries.size(); ++i) {
    bytes[i / 8] |= static_cast<uint8_t>(entries[i] << (i % 8));
  }
  return bytes;
}

// Bit by bit into words. Padding is filled with ones, because nobody may look.
std::vector<uint8_t> PackWords(const std::vector<uint32_t>& entries,
                               const core::PackedPayload& packed) {
  const auto word_bits = static_cast<size_t>(packed.word_bits);
  const auto bits = static_cast<size_t>(packed.bits_per_entry);
  const size_t per_word = word_bits / bits;
  std::vector<uint64_t> words;
  for (size_t i = 0; i < entries.size(); ++i) {
    for (size_t b = 0; b < bits; ++b) {
      const size_t at =
          packed.spanning ? i * bits + b
                          : i / per_word * word_bits + i % per_word * bits + b;
      if (at / word_bits >= words.size()) words.push_back(~uint64_t{0});
      const uint64_t mask = uint64_t{1} << (at % word_bits);
      uint64_t& word = words[at / word_bits];
      word = (entries[i] >> b & 1) != 0 ? word | mask : word & ~mask;
    }
  }
  std::vector<uint8_t> bytes;
  for (const uint64_t word : words) {
    AppendInteger(word, packed.word_bits / 8, packed.byte_order, bytes);
  }
  return bytes;
}

void EncodeRuns(const std::vector<uint32_t>& entries, OwnedBlock& out) {
  auto& values = out.lists[0];
  auto& counts = out.lists[1];
  for (const uint32_t entry : entries) {
    if (values.empty() || values.back() != entry) {
      values.push_back(entry);
      counts.push_back(0);
    }
    ++counts.back();
  }
}

// Every voxel once, and some of them wrongly before: the last one wins.
void EncodePoints(const PlainVoxels& voxels, OwnedBlock& out) {
  ForEachVoxel(voxels.size, AxisOrder::kZyx, [&](int x, int y, int z) {
    const uint32_t entry = voxels.At(x, y, z);
    for (const bool wrong : {true, false}) {
      if (wrong && (x + y + z) % 3 != 0) continue;
      for (const int c : {x, y, z}) {
        out.lists[0].push_back(static_cast<uint32_t>(c));
      }
      out.lists[1].push_back(wrong ? voxels.entries[0] : entry);
    }
  });
}

// One box over everything, then a box for each run along z.
void EncodeBoxes(const PlainVoxels& voxels, OwnedBlock& out) {
  const auto add = [&](const Vec3i& min, const Vec3i& max, uint32_t entry) {
    for (const Vec3i& corner : {min, max}) {
      for (int axis = 0; axis < 3; ++axis) {
        out.lists[0].push_back(static_cast<uint32_t>(corner[axis]));
      }
    }
    out.lists[1].push_back(entry);
  };
  add({}, voxels.size, voxels.entries.back());
  for (int y = 0; y < voxels.size.y; ++y) {
    for (int x = 0; x < voxels.size.x; ++x) {
      for (int z = 0; z < voxels.size.z;) {
        int end = z + 1;
        while (end < voxels.size.z &&
               voxels.At(x, y, end) == voxels.At(x, y, z)) {
          ++end;
        }
        add({x, y, z}, {x + 1, y + 1, end}, voxels.At(x, y, z));
        z = end;
      }
    }
  }
}

// The lowest and the highest run of a column become its fills.
void EncodeColumns(const PlainVoxels& voxels, AxisOrder order,
                   OwnedBlock& out) {
  ForEachColumn(voxels.size, order, [&](int x, int z) {
    const int top = voxels.size.y;
    int first = 0;
    while (first < top && voxels.At(x, first, z) == voxels.At(x, 0, z)) ++first;
    int last = top;
    while (last > first &&
           voxels.At(x, last - 1, z) == voxels.At(x, top - 1, z)) {
      --last;
    }
    out.lists[0].push_back(static_cast<uint32_t>(first));
    uint32_t runs = 0;
    for (int y = first; y < last; ++runs) {
      int end = y + 1;
      while (end < last && voxels.At(x, end, z) == voxels.At(x, y, z)) ++end;
      out.lists[2].push_back(static_cast<uint32_t>(end - y));
      out.lists[3].push_back(voxels.At(x, y, z));
      y = end;
    }
    out.lists[1].push_back(runs);
    out.lists[4].push_back(voxels.At(x, 0, z));
    out.lists[5].push_back(voxels.At(x, top - 1, z));
  });
}

}  // namespace

uint32_t& PlainVoxels::At(int x, int y, int z) {
  return entries[static_cast<size_t>(x + size.x * (y + size.y * z))];
}

uint32_t PlainVoxels::At(int x, int y, int z) const {
  return entries[static_cast<size_t>(x + size.x * (y + size.y * z))];
}

PlainVoxels RandomVoxels(const Vec3i& size, uint32_t max_entry, uint32_t seed) {
  std::mt19937 random(seed);
  PlainVoxels voxels;
  voxels.size = size;
  uint32_t entry = 0;
  for (int64_t i = 0; i < core::Volume(size); ++i) {
    if (random() % 8 < 3) {
      entry = static_cast<uint32_t>(random() % (uint64_t{max_entry} + 1));
    }
    voxels.entries.push_back(entry);
  }
  return voxels;
}

core::Solidity OwnedSolidity::View() const {
  core::Solidity view;
  view.kind = kind;
  view.ids = ids;
  view.class_ids = class_ids;
  view.classes = classes;
  return view;
}

namespace {

// Points the spans of each payload at the lists of an OwnedBlock.
struct Binder {
  OwnedBlock& owner;

  void operator()(core::UniformPayload&) const {}
  void operator()(core::BitsetPayload& p) const { p.bytes = owner.bytes; }
  void operator()(core::ArrayPayload& p) const { p.bytes = owner.bytes; }
  void operator()(core::PackedPayload& p) const { p.bytes = owner.bytes; }
  void operator()(core::RunsPayload& p) const {
    p.entries = owner.lists[0];
    p.counts = owner.lists[1];
  }
  void operator()(core::PointsPayload& p) const {
    p.coordinates = owner.lists[0];
    p.entries = owner.lists[1];
  }
  void operator()(core::BoxesPayload& p) const {
    p.bounds = owner.lists[0];
    p.entries = owner.lists[1];
  }
  void operator()(core::ColumnsPayload& p) const {
    p.first_y = owner.lists[0];
    p.run_counts = owner.lists[1];
    p.lengths = owner.lists[2];
    p.entries = owner.lists[3];
    p.below = owner.lists[4];
    p.above = owner.lists[5];
  }
};

}  // namespace

void OwnedBlock::Bind() {
  std::visit(Binder{*this}, block.payload);
  block.palette = palette;
  block.solidity = solidity.View();
}

std::vector<EncodingChoice> EncodingsFor(uint32_t max_entry) {
  using core::ByteOrder;
  std::vector<EncodingChoice> choices;
  const auto fits = [&](int bits) {
    return bits >= 32 || max_entry < uint64_t{1} << bits;
  };
  const std::pair<std::string, ByteOrder> orders[] = {
      {"little", ByteOrder::kLittle}, {"big", ByteOrder::kBig}};
  if (fits(1)) choices.push_back({"bitset", core::BitsetPayload{}});
  for (const auto& order : orders) {
    for (const int bytes : {1, 2, 4}) {
      if (!fits(8 * bytes)) continue;
      choices.push_back({"array" + std::to_string(bytes) + order.first,
                         core::ArrayPayload{{}, bytes, order.second}});
    }
    for (int bits = 1; bits <= 32; ++bits) {
      if (!fits(bits)) continue;
      for (const int word : {32, 64}) {
        for (const bool spanning : {false, true}) {
          choices.push_back(
              {"packed" + std::to_string(bits) + "in" + std::to_string(word) +
                   (spanning ? "spanning" : "padded") + order.first,
               core::PackedPayload{{}, bits, word, spanning, order.second}});
        }
      }
    }
  }
  choices.push_back({"runs", core::RunsPayload{}});
  choices.push_back({"points", core::PointsPayload{}});
  choices.push_back({"boxes", core::BoxesPayload{}});
  choices.push_back({"columns", core::ColumnsPayload{}});
  return choices;
}

std::unique_ptr<OwnedBlock> Encode(const PlainVoxels& voxels,
                                   const EncodingChoice& choice,
                                   AxisOrder order,
                                   const std::vector<uint32_t>& palette,
                                   const OwnedSolidity& solidity) {
  auto out = std::make_unique<OwnedBlock>();
  out->block.size = voxels.size;
  out->block.axis_order = order;
  out->block.payload = choice.payload;
  out->palette = palette;
  out->solidity = solidity;
  const core::Payload& payload = choice.payload;
  if (std::holds_alternative<core::BitsetPayload>(payload)) {
    out->bytes = PackBits(InOrder(voxels, order));
  } else if (const auto* array = std::get_if<core::ArrayPayload>(&payload)) {
    for (const uint32_t entry : InOrder(voxels, order)) {
      AppendInteger(entry, array->bytes_per_entry, array->byte_order,
                    out->bytes);
    }
  } else if (const auto* packed = std::get_if<core::PackedPayload>(&payload)) {
    out->bytes = PackWords(InOrder(voxels, order), *packed);
  } else if (std::holds_alternative<core::RunsPayload>(payload)) {
    EncodeRuns(InOrder(voxels, order), *out);
  } else if (std::holds_alternative<core::PointsPayload>(payload)) {
    EncodePoints(voxels, *out);
  } else if (std::holds_alternative<core::BoxesPayload>(payload)) {
    EncodeBoxes(voxels, *out);
  } else if (std::holds_alternative<core::ColumnsPayload>(payload)) {
    EncodeColumns(voxels, order, *out);
  }
  out->Bind();
  return out;
}

uint8_t PlainClassOf(const OwnedSolidity& solidity, uint32_t id) {
  const auto& ids = solidity.ids;
  const bool listed = std::find(ids.begin(), ids.end(), id) != ids.end();
  bool solid = false;
  switch (solidity.kind) {
    case core::Solidity::Kind::kAllButZero:
      solid = id != 0;
      break;
    case core::Solidity::Kind::kEmptyIds:
      solid = !listed;
      break;
    case core::Solidity::Kind::kSolidIds:
      solid = listed;
      break;
  }
  if (!solid) return 0;
  for (size_t i = 0; i < solidity.class_ids.size(); ++i) {
    if (solidity.class_ids[i] == id) {
      return static_cast<uint8_t>(solidity.classes[i]);
    }
  }
  return 1;
}

core::VoxelBlock PlainDecode(const PlainVoxels& voxels,
                             const std::vector<uint32_t>& palette,
                             const OwnedSolidity& solidity) {
  core::VoxelBlock block;
  block.occupancy.Reset(voxels.size);
  ForEachVoxel(voxels.size, AxisOrder::kXyz, [&](int x, int y, int z) {
    const uint32_t entry = voxels.At(x, y, z);
    const uint32_t id = palette.empty() ? entry : palette[entry];
    const uint8_t cls = PlainClassOf(solidity, id);
    if (cls != 0) block.occupancy.Set(x, y, z);
    block.classes.push_back(cls);
  });
  block.Normalize();
  return block;
}

namespace {

uint32_t ReadBits(std::span<const uint8_t> bytes, size_t word_bits,
                  core::ByteOrder order, size_t first_bit, size_t bits) {
  uint32_t value = 0;
  const size_t word_bytes = word_bits / 8;
  for (size_t b = 0; b < bits; ++b) {
    const size_t at = first_bit + b;
    const size_t in_word = at % word_bits / 8;
    const size_t byte =
        at / word_bits * word_bytes + (order == core::ByteOrder::kLittle
                                           ? in_word
                                           : word_bytes - 1 - in_word);
    value |= uint32_t{(bytes[byte] >> (at % 8)) & 1u} << b;
  }
  return value;
}

// One overload for each payload; false where a rule is broken.
class PlainReader {
 public:
  PlainReader(const core::EncodedBlock& block, PlainVoxels& out)
      : block_(block), out_(out) {}

  bool operator()(const core::UniformPayload& p) {
    Background(p.entry);
    return true;
  }
  bool operator()(const core::BitsetPayload& p) {
    if (p.bytes.size() != (Count() + 7) / 8) return false;
    for (size_t i = Count(); i < 8 * p.bytes.size(); ++i) {
      if ((p.bytes[i / 8] >> (i % 8) & 1) != 0) return false;
    }
    return Each([&](size_t i) {
      return ReadBits(p.bytes, 8, core::ByteOrder::kLittle, i, 1);
    });
  }
  bool operator()(const core::ArrayPayload& p) {
    const auto width = static_cast<size_t>(p.bytes_per_entry);
    if (width != 1 && width != 2 && width != 4) return false;
    if (p.bytes.size() != Count() * width) return false;
    return Each([&](size_t i) {
      return ReadBits(p.bytes, 8 * width, p.byte_order, 8 * width * i,
                      8 * width);
    });
  }
  bool operator()(const core::PackedPayload& p) {
    if (p.word_bits != 32 && p.word_bits != 64) return false;
    if (p.bits_per_entry < 1 || p.bits_per_entry > 32) return false;
    const auto bits = static_cast<size_t>(p.bits_per_entry);
    const auto word = static_cast<size_t>(p.word_bits);
    const size_t per_word = word / bits;
    const size_t words = p.spanning ? (Count() * bits + word - 1) / word
                                    : (Count() + per_word - 1) / per_word;
    if (p.bytes.size() != words * word / 8) return false;
    return Each([&](size_t i) {
      const size_t at =
          p.spanning ? i * bits : i / per_word * word + i % per_word * bits;
      return ReadBits(p.bytes, word, p.byte_order, at, bits);
    });
  }
  bool operator()(const core::RunsPayload& p) {
    if (p.entries.size() != p.counts.size()) return false;
    std::vector<uint32_t> entries;
    for (size_t i = 0; i < p.counts.size(); ++i) {
      if (p.counts[i] == 0 || p.counts[i] > Count() - entries.size()) {
        return false;
      }
      entries.insert(entries.end(), p.counts[i], p.entries[i]);
    }
    if (entries.size() != Count()) return false;
    return Each([&](size_t i) { return entries[i]; });
  }
  bool operator()(const core::PointsPayload& p) {
    if (p.coordinates.size() % 3 != 0) return false;
    const size_t points = p.coordinates.size() / 3;
    if (p.entries.size() != 1 && p.entries.size() != points) return false;
    Background(p.background);
    for (size_t i = 0; i < points; ++i) {
      const uint32_t* at = p.coordinates.data() + 3 * i;
      if (!Inside(at)) return false;
      out_.At(int(at[0]), int(at[1]), int(at[2])) = OneOrEach(p.entries, i);
    }
    return true;
  }
  bool operator()(const core::BoxesPayload& p) {
    if (p.bounds.size() % 6 != 0) return false;
    const size_t boxes = p.bounds.size() / 6;
    if (p.entries.size() != 1 && p.entries.size() != boxes) return false;
    Background(p.background);
    uint64_t covered = 0;
    for (size_t i = 0; i < boxes; ++i) {
      const uint32_t* b = p.bounds.data() + 6 * i;
      for (int axis = 0; axis < 3; ++axis) {
        if (b[axis] >= b[3 + axis]) return false;
        if (b[3 + axis] > uint32_t(block_.size[axis])) return false;
      }
      covered += uint64_t{b[3] - b[0]} * (b[4] - b[1]) * (b[5] - b[2]);
      if (covered > 64 * Count()) return false;
      for (uint32_t z = b[2]; z < b[5]; ++z) {
        for (uint32_t y = b[1]; y < b[4]; ++y) {
          for (uint32_t x = b[0]; x < b[3]; ++x) {
            out_.At(int(x), int(y), int(z)) = OneOrEach(p.entries, i);
          }
        }
      }
    }
    return true;
  }
  bool operator()(const core::ColumnsPayload& p) {
    const size_t columns = size_t(block_.size.x) * size_t(block_.size.z);
    if (p.first_y.size() != columns || p.run_counts.size() != columns ||
        p.lengths.size() != p.entries.size()) {
      return false;
    }
    for (const auto& fill : {p.below, p.above}) {
      if (fill.size() != 1 && fill.size() != columns) return false;
    }
    size_t column = 0;
    size_t run = 0;
    bool good = true;
    ForEachColumn(block_.size, block_.axis_order, [&](int x, int z) {
      good = good && ReadColumn(p, column++, x, z, run);
    });
    return good && run == p.lengths.size();
  }

 private:
  size_t Count() const { return size_t(core::Volume(block_.size)); }
  void Background(uint32_t entry) { out_.entries.assign(Count(), entry); }
  static uint32_t OneOrEach(std::span<const uint32_t> list, size_t i) {
    return list[list.size() == 1 ? 0 : i];
  }
  bool Inside(const uint32_t* at) const {
    return at[0] < uint32_t(block_.size.x) && at[1] < uint32_t(block_.size.y) &&
           at[2] < uint32_t(block_.size.z);
  }
  template <typename Get>
  bool Each(Get get) {
    Background(0);
    size_t i = 0;
    ForEachVoxel(block_.size, block_.axis_order,
                 [&](int x, int y, int z) { out_.At(x, y, z) = get(i++); });
    return true;
  }
  bool ReadColumn(const core::ColumnsPayload& p, size_t column, int x, int z,
                  size_t& run) {
    if (out_.entries.empty()) Background(0);
    const auto top = uint32_t(block_.size.y);
    if (p.first_y[column] > top) return false;
    if (p.run_counts[column] > p.lengths.size() - run) return false;
    uint32_t y = 0;
    for (; y < p.first_y[column]; ++y) {
      out_.At(x, int(y), z) = OneOrEach(p.below, column);
    }
    for (uint32_t i = 0; i < p.run_counts[column]; ++i, ++run) {
      if (p.lengths[run] == 0 || p.lengths[run] > top - y) return false;
      for (const uint32_t end = y + p.lengths[run]; y < end; ++y) {
        out_.At(x, int(y), z) = p.entries[run];
      }
    }
    for (; y < top; ++y) out_.At(x, int(y), z) = OneOrEach(p.above, column);
    return true;
  }

  const core::EncodedBlock& block_;
  PlainVoxels& out_;
};

}  // namespace

std::optional<PlainVoxels> PlainEntries(const core::EncodedBlock& block) {
  for (int axis = 0; axis < 3; ++axis) {
    if (block.size[axis] < 1 || block.size[axis] > 256) return std::nullopt;
  }
  PlainVoxels out;
  out.size = block.size;
  if (!std::visit(PlainReader(block, out), block.payload)) return std::nullopt;
  return out;
}

}  // namespace kiln::tests
