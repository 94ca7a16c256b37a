#include "core/voxel/boxes/lower_bound_points.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/limits.h"
#include "core/base/random.h"
#include "core/voxel/bit_row.h"

namespace kiln::core::internal {
namespace {

// Budgets of the search, in cells visited, for each solid cell.
constexpr int64_t kSwapVisitsPerCell = 100;
constexpr int64_t kPinVisitsPerCell = 300;

// Larger grids keep the greedy points: the tables would take over 40 MB.
constexpr int64_t kMaxCells = int64_t{1} << 21;

// A run [x0, x1) of a row; empty where x0 >= x1.
struct Interval {
  int x0 = 0;
  int x1 = 0;

  bool empty() const { return x0 >= x1; }
};

Interval Intersect(const Interval& a, const Interval& b) {
  return {std::max(a.x0, b.x0), std::min(a.x1, b.x1)};
}

// Finds what shares a box of solid voxels with a voxel: its reach.
class Reach {
 public:
  explicit Reach(const BitGrid& solid) : solid_(solid) {}

  // Calls visit(run, y, z) for runs that make up the reach of a solid voxel,
  // itself included, each of its voxels once.
  template <typename Visit>
  void ForEachRun(const Vec3i& at, Visit visit) {
    const Interval center = RunAround(at.x, at.y, at.z);
    VisitLayer(at, at.z, center, first_, visit);
    for (const int step : {-1, 1}) {
      reach_ = first_;
      Interval run = center;
      for (int z = at.z + step; z >= 0 && z < solid_.size().z; z += step) {
        run = Intersect(run, RunAround(at.x, at.y, z));
        if (run.empty()) break;
        VisitLayer(at, z, run, reach_, visit);
      }
    }
  }

 private:
  // Visits what the voxel reaches in layer z, where `center` is its reach in
  // its own column. `reach` is by y: that of the layer before, then of this
  // one; a voxel is reached exactly if the three before it, one step back along
  // each axis towards the start, are.
  template <typename Visit>
  void VisitLayer(const Vec3i& at, int z, const Interval& center,
                  std::array<Interval, kMaxBlockEdgeVoxels>& reach,
                  Visit visit) {
    const bool first_layer = &reach == &first_;
    visit(center, at.y, z);
    reach[static_cast<size_t>(at.y)] = center;
    for (const int step : {-1, 1}) {
      Interval run = center;
      int y = at.y + step;
      for (; y >= 0 && y < solid_.size().y; y += step) {
        Interval& before = reach[static_cast<size_t>(y)];
        if (!first_layer) run = Intersect(run, before);
        if (run.empty()) break;
        run = Intersect(run, RunAround(at.x, y, z));
        before = run;
        if (run.empty()) break;
        visit(run, y, z);
      }
      if (y >= 0 && y < solid_.size().y) reach[static_cast<size_t>(y)] = {};
    }
  }

  Interval RunAround(int x, int y, int z) const {
    if (!solid_.Get(x, y, z)) return {};
    const uint64_t* row = solid_.Row(y, z);
    return {StartOfRun(row, x), FirstClearBit(row, solid_.words_per_row(), x)};
  }

  const BitGrid& solid_;
  std::array<Interval, kMaxBlockEdgeVoxels> first_;  // the start's own layer
  std::array<Interval, kMaxBlockEdgeVoxels> reach_;
};

// Voxels of word w of row (y, z) that have exactly `closed` faces against air
// or the border of the grid.
uint64_t WithClosedFaces(const BitGrid& solid, int w, int y, int z,
                         int closed) {
  const uint64_t* row = solid.Row(y, z);
  const auto word = [&](int ny, int nz) {
    return ny < 0 || nz < 0 || ny >= solid.size().y || nz >= solid.size().z
               ? 0
               : solid.Row(ny, nz)[w];
  };
  const bool last = w + 1 == solid.words_per_row();
  const std::array<uint64_t, 6> neighbours = {
      row[w] << 1 | (w == 0 ? 0 : row[w - 1] >> 63),
      row[w] >> 1 | (last ? 0 : row[w + 1] << 63),
      word(y - 1, z),
      word(y + 1, z),
      word(y, z - 1),
      word(y, z + 1)};
  // A three-bit counter for each voxel.
  uint64_t ones = 0;
  uint64_t twos = 0;
  uint64_t fours = 0;
  for (const uint64_t n : neighbours) {
    const uint64_t carry = ones & ~n;
    ones ^= ~n;
    fours |= twos & carry;
    twos ^= carry;
  }
  const uint64_t c = static_cast<uint64_t>(closed);
  return row[w] & ~(ones ^ (0 - (c & 1))) & ~(twos ^ (0 - (c >> 1 & 1))) &
         ~(fours ^ (0 - (c >> 2)));
}

// Points no two of which fit in one box, chosen greedily: voxels that are
// hemmed in most exclude the fewest others, so those first.
std::vector<Vec3i> GreedyPoints(const BitGrid& solid, CancelPoll& poll) {
  std::vector<Vec3i> points;
  BitGrid open = solid;  // voxels that share no box with any point
  Reach reach(solid);
  for (int closed = 6; closed >= 0; --closed) {
    for (int z = 0; z < solid.size().z; ++z) {
      for (int y = 0; y < solid.size().y; ++y) {
        for (int w = 0; w < solid.words_per_row(); ++w) {
          if (poll.ShouldStopAfter(10)) return points;
          uint64_t picks =
              open.Row(y, z)[w] & WithClosedFaces(solid, w, y, z, closed);
          while (picks != 0) {
            const Vec3i at{w * 64 + std::countr_zero(picks), y, z};
            points.push_back(at);
            int64_t rows = 0;
            reach.ForEachRun(at, [&](const Interval& run, int ry, int rz) {
              ++rows;
              BitRun(run.x0, run.x1).ClearIn(open.Row(ry, rz));
            });
            if (poll.ShouldStopAfter(10 * rows)) return points;
            picks &= picks - 1;
            picks &= open.Row(y, z)[w];
          }
        }
      }
    }
  }
  return points;
}

// A grid without the layers that equal the one before them. Boxes of the whole
// grid are, cut to the layers that stay, boxes of this one: a bound of this one
// is one of the whole.
struct DistinctLayers {
  BitGrid solid;
  std::array<std::array<uint8_t, kMaxBlockEdgeVoxels>, 3> rank;

  Vec3i At(const Vec3i& at) const {
    return {rank[0][static_cast<size_t>(at.x)],
            rank[1][static_cast<size_t>(at.y)],
            rank[2][static_cast<size_t>(at.z)]};
  }
};

// Whether layer i of an axis, y or z, differs from the one before.
bool IsDistinct(const BitGrid& grid, int axis, int i) {
  const int rows = axis == 1 ? grid.size().z : grid.size().y;
  for (int r = 0; r < rows; ++r) {
    const uint64_t* row = axis == 1 ? grid.Row(i, r) : grid.Row(r, i);
    const uint64_t* before =
        axis == 1 ? grid.Row(i - 1, r) : grid.Row(r, i - 1);
    if (!std::equal(row, row + grid.words_per_row(), before)) return true;
  }
  return false;
}

// Bit x is set where layer x of axis x differs from the one before.
std::array<uint64_t, kMaxBlockEdgeVoxels / 64> DistinctColumns(
    const BitGrid& grid) {
  std::array<uint64_t, kMaxBlockEdgeVoxels / 64> distinct{};
  for (int z = 0; z < grid.size().z; ++z) {
    for (int y = 0; y < grid.size().y; ++y) {
      uint64_t carry = 0;
      for (int w = 0; w < grid.words_per_row(); ++w) {
        const uint64_t word = grid.Row(y, z)[w];
        distinct[static_cast<size_t>(w)] |= word ^ (word << 1 | carry);
        carry = word >> 63;
      }
    }
  }
  return distinct;
}

DistinctLayers KeepDistinctLayers(const BitGrid& grid) {
  DistinctLayers layers;
  const auto columns = DistinctColumns(grid);
  std::array<std::vector<int>, 3> kept;
  for (int axis = 0; axis < 3; ++axis) {
    const size_t a = static_cast<size_t>(axis);
    for (int i = 0; i < grid.size()[axis]; ++i) {
      const bool distinct =
          i == 0 ||
          (axis == 0
               ? (columns[static_cast<size_t>(i >> 6)] >> (i & 63) & 1) != 0
               : IsDistinct(grid, axis, i));
      if (distinct) kept[a].push_back(i);
      layers.rank[a][static_cast<size_t>(i)] =
          static_cast<uint8_t>(kept[a].size() - 1);
    }
  }
  layers.solid.Reset({static_cast<int>(kept[0].size()),
                      static_cast<int>(kept[1].size()),
                      static_cast<int>(kept[2].size())});
  const Vec3i& size = layers.solid.size();
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        const auto from = [&](size_t a, int i) {
          return kept[a][static_cast<size_t>(i)];
        };
        if (grid.Get(from(0, x), from(1, y), from(2, z))) {
          layers.solid.Set(x, y, z);
        }
      }
    }
  }
  return layers;
}

// Local search for more points, less pins. Two cells meet if some box of solid
// cells holds both; then every such box holds all cells between them (those of
// the box that they span).
//
// What makes the count a bound. A cell becomes a point only if it meets
// - no point; or
// - one, with a pin between the two; or
// - two, with a pin between it and each of them, and not the same pin if one
//   box holds all three.
// Pins stay as long as these pairs do. So of the points in any box, the one
// that came last met all others: there are three at most, two with a pin in the
// box, three with two pins. No box counts more than one.
class PointSearch {
 public:
  PointSearch(const BitGrid& solid, CancelPoll& poll)
      : solid_(solid), reach_(solid), poll_(poll) {
    const size_t cells = static_cast<size_t>(Volume(solid.size()));
    slot_.assign(cells, kNone);
    meetings_.assign(cells, 0);
    sum_.assign(cells, 0);
    squares_.assign(cells, 0);
  }

  // Requires: meets no point.
  void AddPoint(const Vec3i& at) { Add(CellAt(at), {}); }

  int64_t count() const {
    return static_cast<int64_t>(points_.size()) -
           static_cast<int64_t>(pins_.size());
  }

  // Moves points to where others may join them, for some `visits` of cells.
  void SwapPoints(int64_t visits) {
    const int64_t end = visits_ + visits;
    while (visits_ < end && !poll_.stopped()) SwapOne();
  }

  // The same, and sets pins.
  void SetPins(int64_t visits) {
    const int64_t end = visits_ + visits;
    while (visits_ < end && !poll_.stopped()) {
      if (!pins_.empty() && random_.Below(4) == 0) {
        UsePin(pins_[RandomIndex(pins_.size())].cell);
      } else {
        SetPin();
      }
      if (random_.Below(kPinsPerSwap) == 0) SwapOne();
    }
  }

 private:
  static constexpr int32_t kNone = -1;
  static constexpr uint32_t kPinsPerSwap = 4;    // 1 gives a little less
  static constexpr uint64_t kSeed = 0x6b696c6e;  // part of the bound

  // `partner` is the cell of a point that a point met when it came, and `pin`
  // that of the pin between them; kNone when there is none, or none any more.
  struct Pair {
    int32_t partner = kNone;
    int32_t pin = kNone;
  };
  struct Point {
    int32_t cell;
    std::array<Pair, 2> pairs;
  };
  struct Pin {
    int32_t cell;
    int uses;  // pairs of points
  };

  int32_t CellAt(const Vec3i& at) const {
    return at.x + solid_.size().x * (at.y + solid_.size().y * at.z);
  }
  Vec3i Coordinates(int32_t cell) const {
    const Vec3i& size = solid_.size();
    return {cell % size.x, cell / size.x % size.y, cell / size.x / size.y};
  }
  size_t RandomIndex(size_t count) {
    return random_.Below(static_cast<uint32_t>(count));
  }
  int32_t& SlotOf(int32_t cell) { return slot_[static_cast<size_t>(cell)]; }
  // Requires: IsPoint(cell).
  Point& PointAt(int32_t cell) {
    return points_[static_cast<size_t>(SlotOf(cell))];
  }
  bool IsPoint(int32_t cell) { return SlotOf(cell) >= 0; }
  bool IsFree(int32_t cell) { return SlotOf(cell) == kNone; }
  // Pins have slots -2 and below.
  Pin& PinAt(int32_t cell) {
    return pins_[static_cast<size_t>(-2 - SlotOf(cell))];
  }
  int32_t MeetingsOf(int32_t cell) const {
    return meetings_[static_cast<size_t>(cell)];
  }
  // The point that a cell meets. Requires: MeetingsOf(cell) == 1.
  int32_t OnlyMet(int32_t cell) const {
    return static_cast<int32_t>(sum_[static_cast<size_t>(cell)]);
  }

  // The two points that a cell meets. Requires: MeetingsOf(cell) == 2. From
  // s = a + b and t = a * a + b * b: (a - b)^2 = 2 t - s^2.
  std::array<int32_t, 2> BothMet(int32_t cell) const {
    const int64_t sum = sum_[static_cast<size_t>(cell)];
    const int64_t square =
        2 * static_cast<int64_t>(squares_[static_cast<size_t>(cell)]) -
        sum * sum;
    int64_t difference =
        static_cast<int64_t>(std::sqrt(static_cast<double>(square)));
    while (difference * difference > square) --difference;
    while ((difference + 1) * (difference + 1) <= square) ++difference;
    return {static_cast<int32_t>((sum + difference) / 2),
            static_cast<int32_t>((sum - difference) / 2)};
  }
  static uint64_t Square(int32_t cell) {
    return static_cast<uint64_t>(int64_t{cell} * cell);
  }

  // Calls visit(cell) for each cell that meets `cell`, itself included.
  template <typename Visit>
  void ForEachMet(int32_t cell, Visit visit) {
    int64_t visits = 0;
    reach_.ForEachRun(Coordinates(cell),
                      [&](const Interval& run, int y, int z) {
                        const int32_t end = CellAt({run.x1, y, z});
                        visits += 2 + run.x1 - run.x0;
                        for (int32_t c = CellAt({run.x0, y, z}); c < end; ++c) {
                          visit(c);
                        }
                      });
    visits_ += visits;
    poll_.ShouldStopAfter(2 * visits);
  }

  void Add(int32_t cell, const std::array<Pair, 2>& pairs) {
    SlotOf(cell) = static_cast<int32_t>(points_.size());
    points_.push_back({cell, pairs});
    for (const Pair& pair : pairs) {
      if (pair.pin != kNone) ++PinAt(pair.pin).uses;
    }
    ForEachMet(cell, [&](int32_t met) {
      ++meetings_[static_cast<size_t>(met)];
      sum_[static_cast<size_t>(met)] += static_cast<uint32_t>(cell);
      squares_[static_cast<size_t>(met)] += Square(cell);
    });
  }

  void Remove(int32_t cell) {
    const size_t index = static_cast<size_t>(SlotOf(cell));
    for (Pair& pair : points_[index].pairs) Release(pair);
    points_[index] = points_.back();
    SlotOf(points_[index].cell) = static_cast<int32_t>(index);
    points_.pop_back();
    SlotOf(cell) = kNone;
    ForEachMet(cell, [&](int32_t met) {
      --meetings_[static_cast<size_t>(met)];
      sum_[static_cast<size_t>(met)] -= static_cast<uint32_t>(cell);
      squares_[static_cast<size_t>(met)] -= Square(cell);
      if (!IsPoint(met)) return;
      for (Pair& pair : PointAt(met).pairs) {
        if (pair.partner == cell) Release(pair);
      }
    });
  }

  // Forgets a pair; a pin without pairs goes.
  void Release(Pair& pair) {
    if (pair.pin == kNone) return;
    const int32_t cell = pair.pin;
    pair = {};
    Pin& pin = PinAt(cell);
    if (--pin.uses > 0) return;
    pin = pins_.back();
    SlotOf(pin.cell) = SlotOf(cell);
    pins_.pop_back();
    SlotOf(cell) = kNone;
  }

  // A random cell that meets one point alone, `point`; kNone if there is none.
  // Leaves all cells that it meets in met_.
  int32_t RandomRival(int32_t point) {
    met_.clear();
    rivals_.clear();
    ForEachMet(point, [&](int32_t cell) {
      met_.push_back(cell);
      if (MeetingsOf(cell) == 1 && IsFree(cell)) rivals_.push_back(cell);
    });
    return rivals_.empty() ? kNone : rivals_[RandomIndex(rivals_.size())];
  }

  // A rival takes a random point's place, and what meets no point any more
  // becomes one.
  void SwapOne() {
    const int32_t point = points_[RandomIndex(points_.size())].cell;
    const int32_t rival = RandomRival(point);
    if (rival == kNone) return;
    Remove(point);
    Add(rival, {});
    for (const int32_t cell : met_) {
      if (MeetingsOf(cell) == 0 && IsFree(cell)) Add(cell, {});
    }
  }

  // Makes a point of a random point's rival, with a pin between them, where
  // that pin lets a third one in: else it would be no gain.
  void SetPin() {
    const int32_t point = points_[RandomIndex(points_.size())].cell;
    const int32_t rival = RandomRival(point);
    if (rival == kNone) return;
    const Vec3i a = Coordinates(point);
    const Vec3i b = Coordinates(rival);
    Vec3i at;
    for (int axis = 0; axis < 3; ++axis) {
      const int low = std::min(a[axis], b[axis]);
      const int high = std::max(a[axis], b[axis]);
      at[axis] = low + static_cast<int>(random_.Below(
                           static_cast<uint32_t>(high - low + 1)));
    }
    const int32_t pin = CellAt(at);
    if (!IsFree(pin) || pin == rival) return;
    SlotOf(pin) = -2 - static_cast<int32_t>(pins_.size());
    pins_.push_back({pin, 0});
    Add(rival, {{{point, pin}}});
    if (!UsePin(pin)) Remove(rival);
  }

  // Adds the points that a pin allows. True if there were any.
  bool UsePin(int32_t pin) {
    rivals_.clear();
    std::array<Pair, 2> pairs;
    ForEachMet(pin, [&](int32_t cell) {
      if (MayJoin(cell, pin, pairs)) rivals_.push_back(cell);
    });
    bool joined = false;
    while (!rivals_.empty()) {
      const size_t i = RandomIndex(rivals_.size());
      const int32_t cell = rivals_[i];
      rivals_[i] = rivals_.back();
      rivals_.pop_back();
      if (!MayJoin(cell, pin, pairs)) continue;
      Add(cell, pairs);
      joined = true;
    }
    return joined;
  }

  // Whether `cell` may become a point with `pin` between it and one that it
  // meets; `pairs` then says with which pins.
  bool MayJoin(int32_t cell, int32_t pin, std::array<Pair, 2>& pairs) {
    if (!IsFree(cell)) return false;
    pairs = {};
    if (MeetingsOf(cell) == 1) {
      pairs[0] = {OnlyMet(cell), pin};
      return IsBetween(pin, cell, pairs[0].partner);
    }
    if (MeetingsOf(cell) != 2) return false;
    const auto [a, b] = BothMet(cell);
    return MayJoinTwo(cell, pin, a, b, pairs) ||
           MayJoinTwo(cell, pin, b, a, pairs);
  }

  // The same with `pin` between it and `a`, and a pin of one of these points
  // between it and `b`.
  bool MayJoinTwo(int32_t cell, int32_t pin, int32_t a, int32_t b,
                  std::array<Pair, 2>& pairs) {
    if (!IsBetween(pin, cell, a)) return false;
    pairs[0] = {a, pin};
    if (IsBetween(pin, cell, b) && !FitOneBox(cell, a, b)) {
      pairs[1] = {b, pin};
      return true;
    }
    for (const int32_t point : {a, b}) {
      for (const Pair& pair : PointAt(point).pairs) {
        if (pair.pin == kNone || pair.pin == pin) continue;
        if (!IsBetween(pair.pin, cell, b)) continue;
        pairs[1] = {b, pair.pin};
        return true;
      }
    }
    return false;
  }

  bool IsBetween(int32_t pin, int32_t a, int32_t b) const {
    const Vec3i at = Coordinates(pin);
    const Vec3i from = Coordinates(a);
    const Vec3i to = Coordinates(b);
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] < std::min(from[axis], to[axis])) return false;
      if (at[axis] > std::max(from[axis], to[axis])) return false;
    }
    return true;
  }

  bool FitOneBox(int32_t a, int32_t b, int32_t c) const {
    const Vec3i p = Coordinates(a);
    const Vec3i q = Coordinates(b);
    const Vec3i r = Coordinates(c);
    Vec3i min;
    Vec3i max;
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = std::min({p[axis], q[axis], r[axis]});
      max[axis] = std::max({p[axis], q[axis], r[axis]}) + 1;
    }
    const BitRun run(min.x, max.x);
    for (int z = min.z; z < max.z; ++z) {
      for (int y = min.y; y < max.y; ++y) {
        if (!run.IsSetIn(solid_.Row(y, z))) return false;
      }
    }
    return true;
  }

  const BitGrid& solid_;
  Reach reach_;
  CancelPoll& poll_;
  Random random_{kSeed};
  int64_t visits_ = 0;
  std::vector<Point> points_;
  std::vector<Pin> pins_;
  // By cell: index in points_, -2 less the index in pins_, or kNone; how many
  // points it meets; and the sums of their cells and of the squares of these,
  // modulo 2^32 and 2^64, which name them where they are one or two.
  std::vector<int32_t> slot_;
  std::vector<int32_t> meetings_;
  std::vector<uint32_t> sum_;
  std::vector<uint64_t> squares_;
  std::vector<int32_t> met_;     // scratch
  std::vector<int32_t> rivals_;  // scratch
};

}  // namespace

int64_t BoundByPoints(const BitGrid& solid, BoundOf kind, CancelPoll& poll) {
  const std::vector<Vec3i> greedy = GreedyPoints(solid, poll);
  const int64_t greedy_count = static_cast<int64_t>(greedy.size());
  if (greedy_count == 0 || poll.stopped()) return greedy_count;
  const DistinctLayers layers = KeepDistinctLayers(solid);
  if (Volume(layers.solid.size()) > kMaxCells) return greedy_count;
  PointSearch search(layers.solid, poll);
  for (const Vec3i& at : greedy) search.AddPoint(layers.At(at));
  const int64_t cells = layers.solid.CountSolid();
  search.SwapPoints(kSwapVisitsPerCell * cells);
  if (kind == BoundOf::kPartitions) {
    search.SetPins(kPinVisitsPerCell * cells);
  }
  return search.count();
}

}  // namespace kiln::core::internal
