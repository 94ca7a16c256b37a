// client/bake.h
//
// What a bake through the client takes and gives. Blocks and results are the
// core's own types, so that the same code bakes over a network, inside the
// process ("inproc:") or with the core alone.

#ifndef KILN_CLIENT_BAKE_H_
#define KILN_CLIENT_BAKE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "core/bake/baker.h"
#include "core/bake/recipe.h"
#include "core/base/limits.h"

namespace kiln::client {

// Of the bytes of a request. Worth its time where the network is slow or far;
// results do not depend on it.
enum class Compression : uint8_t { kNone, kZlib, kZstd, kLz4 };

struct BakeRequest {
  core::Recipe recipe;
  // At least one. Their spans are borrowed: they must stay valid until the
  // function the request is given to returns, no longer.
  std::vector<core::BakeInput> blocks;
  bool lower_bound = false;  // also work out a bound on the number of boxes
  bool tree = false;         // also return the tree; only with Method::kTree
  int priority = core::kDefaultPriority;         // 0..7, 7 is the most urgent
  Compression compression = Compression::kNone;  // no effect with "inproc:"
};

// What one call cost. Bytes are those of the messages, without HTTP/2 framing,
// over all attempts; 0 with "inproc:".
struct CallStats {
  int attempts = 0;
  int64_t bytes_sent = 0;
  int64_t bytes_received = 0;
  std::chrono::nanoseconds latency{0};  // from the call to its result
};

struct BakeReply {
  // One for each block, in the order of the request.
  std::vector<core::BakeResult> results;
  CallStats stats;
};

using BakeCallback = std::function<void(absl::StatusOr<BakeReply>)>;

}  // namespace kiln::client

#endif  // KILN_CLIENT_BAKE_H_
