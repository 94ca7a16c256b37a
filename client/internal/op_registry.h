// client/internal/op_registry.h
//
// The operations of a connection that are under way, so that a shutdown can
// cancel all of them and knows when the last has ended.

#ifndef KILN_CLIENT_INTERNAL_OP_REGISTRY_H_
#define KILN_CLIENT_INTERNAL_OP_REGISTRY_H_

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/base/mutex.h"

namespace kiln::client::internal {

class Op {
 public:
  virtual ~Op() = default;
  // Makes the operation end soon. Threads: any, also after it has ended.
  virtual void Cancel() = 0;
};

// Threads: every method may be called from any thread.
class OpRegistry {
 public:
  // Keeps `op` alive until End. False, and nothing is kept, after Close.
  bool Begin(std::shared_ptr<Op> op) {
    core::MutexLock lock(mutex_);
    if (closed_) return false;
    Op* const key = op.get();
    ops_.emplace(key, std::move(op));
    return true;
  }

  // True for the last operation after Close: nothing begins any more.
  bool End(Op* op) {
    std::shared_ptr<Op> keep;  // destroyed without the lock
    core::MutexLock lock(mutex_);
    const auto it = ops_.find(op);
    keep = std::move(it->second);
    ops_.erase(it);
    return closed_ && ops_.empty();
  }

  // Refuses new operations and cancels those under way. Returns true where
  // there were none; else End tells. Only the first call does anything.
  bool Close() {
    std::vector<std::shared_ptr<Op>> ops;
    {
      core::MutexLock lock(mutex_);
      if (closed_) return false;
      closed_ = true;
      for (const auto& entry : ops_) ops.push_back(entry.second);
    }
    for (const std::shared_ptr<Op>& op : ops) op->Cancel();
    return ops.empty();
  }

  bool closed() const {
    core::MutexLock lock(mutex_);
    return closed_;
  }

 private:
  mutable core::Mutex mutex_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::unordered_map<Op*, std::shared_ptr<Op>> ops_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kiln::client::internal

#endif  // KILN_CLIENT_INTERNAL_OP_REGISTRY_H_
