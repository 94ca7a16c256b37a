#include "client/cli/scene_baker.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

using Clock = std::chrono::steady_clock;

// A request is closed before it exceeds one of these (one block always fits):
// far below the limits kilnd starts with, and small enough that work spreads
// over its cores.
constexpr size_t kMaxRequestBlocks = 64;
constexpr int64_t kMaxRequestBytes = 1 << 20;
constexpr int64_t kMaxRequestCost = 2'000'000'000;

// Blocks [first, first + inputs.size()) on their way.
struct Batch {
  size_t first = 0;
  std::vector<BlockInput> inputs;
};

// Results as they come in, in any order. Threads: Deliver runs on the client's
// thread, all else on that of BakeScene.
class Collector {
 public:
  explicit Collector(size_t blocks) : results_(blocks) {}

  void Deliver(size_t first, absl::StatusOr<BakeReply> reply) {
    core::MutexLock lock(mutex_);
    --in_flight_;
    if (!reply.ok()) {
      if (status_.ok()) status_ = reply.status();
    } else {
      done_ += static_cast<int64_t>(reply->results.size());
      bytes_sent_ += reply->stats.bytes_sent;
      bytes_received_ += reply->stats.bytes_received;
      std::move(reply->results.begin(), reply->results.end(),
                results_.begin() + static_cast<ptrdiff_t>(first));
    }
    changed_.NotifyAll();
  }

  void Started() {
    core::MutexLock lock(mutex_);
    ++in_flight_;
  }
  // Waits until at most `limit` requests are in flight. Returns blocks done.
  int64_t WaitForRoom(int limit) {
    core::MutexLock lock(mutex_);
    while (in_flight_ > limit) changed_.Wait(mutex_);
    return done_;
  }
  // Waits until another request has ended than before, or all have.
  int64_t WaitForNext(int64_t done_before) {
    core::MutexLock lock(mutex_);
    while (in_flight_ > 0 && done_ == done_before && status_.ok()) {
      changed_.Wait(mutex_);
    }
    return done_;
  }
  bool idle() {
    core::MutexLock lock(mutex_);
    return in_flight_ == 0;
  }
  absl::Status status() {
    core::MutexLock lock(mutex_);
    return status_;
  }

  // Requires (these): no request is in flight.
  std::vector<core::BakeResult> TakeResults() {
    core::MutexLock lock(mutex_);
    return std::move(results_);
  }
  int64_t bytes_sent() {
    core::MutexLock lock(mutex_);
    return bytes_sent_;
  }
  int64_t bytes_received() {
    core::MutexLock lock(mutex_);
    return bytes_received_;
  }

 private:
  core::Mutex mutex_;
  core::CondVar changed_;
  int in_flight_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t done_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  int64_t bytes_sent_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t bytes_received_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<core::BakeResult> results_ ABSL_GUARDED_BY(mutex_);
};

Batch NextBatch(const VoxelGrid& grid, const std::vector<GridBlock>& blocks,
                size_t first, const SceneBakeOptions& options) {
  Batch batch;
  batch.first = first;
  core::BakeOptions bake_options;
  bake_options.lower_bound = options.lower_bound;
  int64_t bytes = 0;
  int64_t cost = 0;
  for (size_t i = first;
       i < blocks.size() && batch.inputs.size() < kMaxRequestBlocks; ++i) {
    BlockInput input(grid, blocks[i], options.by_class);
    bytes += input.payload_bytes();
    cost += core::EstimatedCost(input.input(), options.recipe, bake_options);
    const bool full = bytes > kMaxRequestBytes || cost > kMaxRequestCost;
    if (full && !batch.inputs.empty()) break;
    batch.inputs.push_back(std::move(input));
  }
  return batch;
}

void AddOrigin(const core::Vec3i& origin, core::Hasher& hasher) {
  for (int axis = 0; axis < 3; ++axis) {
    hasher.AddU32(static_cast<uint32_t>(origin[axis]));
  }
}

void AddHash(const core::Hash128& hash, core::Hasher& hasher) {
  for (const uint64_t half : {hash.high, hash.low}) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      hasher.AddU8(static_cast<uint8_t>(half >> shift));
    }
  }
}

BakedScene Assemble(const std::vector<GridBlock>& blocks,
                    std::vector<core::BakeResult> results,
                    const SceneBakeOptions& options) {
  BakedScene scene;
  core::Hasher content;
  core::Hasher result;
  if (options.lower_bound) scene.lower_bound = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    core::BakeResult& baked = results[i];
    scene.solid_voxels += baked.solid_voxels;
    scene.boxes += static_cast<int64_t>(baked.boxes.size());
    if (options.lower_bound) {
      *scene.lower_bound += baked.lower_bound.value_or(0);
    }
    AddOrigin(blocks[i].origin, content);
    AddHash(baked.content_hash, content);
    AddOrigin(blocks[i].origin, result);
    AddHash(baked.result_hash, result);
    scene.blocks.push_back(
        {blocks[i].origin, blocks[i].size, std::move(baked.boxes)});
  }
  scene.content_hash = content.Finish();
  scene.result_hash = result.Finish();
  return scene;
}

}  // namespace

absl::StatusOr<BakedScene> BakeScene(const BakeClient& client,
                                     const VoxelGrid& grid,
                                     const std::vector<GridBlock>& blocks,
                                     const SceneBakeOptions& options,
                                     const BakeProgress& progress) {
  const auto report = [&](int64_t done) {
    if (progress) progress(done, static_cast<int64_t>(blocks.size()));
  };
  const Clock::time_point start = Clock::now();
  Collector collector(blocks.size());
  std::vector<CallHandle> calls;
  CallOptions call_options;
  call_options.timeout = options.timeout;

  size_t next = 0;
  while (next < blocks.size() && collector.status().ok()) {
    const Batch batch = NextBatch(grid, blocks, next, options);
    BakeRequest request;
    request.recipe = options.recipe;
    request.lower_bound = options.lower_bound;
    for (const BlockInput& input : batch.inputs) {
      request.blocks.push_back(input.input());
    }
    report(collector.WaitForRoom(options.requests_in_flight - 1));
    collector.Started();
    calls.push_back(client.BakeAsync(
        request, call_options,
        [&collector, first = batch.first](absl::StatusOr<BakeReply> reply) {
          collector.Deliver(first, std::move(reply));
        }));
    next += batch.inputs.size();
  }
  for (int64_t done = 0; !collector.idle();) {
    if (!collector.status().ok()) {
      for (const CallHandle& call : calls) call.Cancel();
      collector.WaitForRoom(0);
      break;
    }
    done = collector.WaitForNext(done);
    report(done);
  }
  KILN_RETURN_IF_ERROR(collector.status());
  BakedScene scene = Assemble(blocks, collector.TakeResults(), options);
  scene.duration = Clock::now() - start;
  scene.bytes_sent = collector.bytes_sent();
  scene.bytes_received = collector.bytes_received();
  return scene;
}

}  // namespace kiln::client
