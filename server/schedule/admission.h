// server/schedule/admission.h
//
// Who may come in. Counts the estimated cost and the bytes of the requests that
// are inside and refuses what does not fit now or cannot be done in time. It
// keeps accounts only: what runs when is scheduler.h; what could never be done
// is refused before it comes here (wire::HeadFromProto).

#ifndef KILN_SERVER_SCHEDULE_ADMISSION_H_
#define KILN_SERVER_SCHEDULE_ADMISSION_H_

#include <array>
#include <chrono>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/limits.h"
#include "core/base/mutex.h"
#include "server/options.h"

namespace kiln::server {

class Admission;

using TimePoint = std::chrono::steady_clock::time_point;

// What is known of a request at the door.
struct Demand {
  int64_t cost = 0;   // core::EstimatedCost of its blocks, and overheads
  int64_t bytes = 0;  // of its message
  int priority = core::kDefaultPriority;
  TimePoint deadline = TimePoint::max();
};

// The room that one admitted request takes; given back when it is destroyed.
// Threads: BlockDone may be called concurrently.
class Ticket {
 public:
  Ticket() = default;
  Ticket(Ticket&& other) noexcept { *this = std::move(other); }
  Ticket& operator=(Ticket&& other) noexcept;
  ~Ticket() { Release(); }

  // A part of the request is done: gives its `cost` back and tells how long one
  // core took. Requires: the costs told sum to at most the request's.
  void BlockDone(int64_t cost, std::chrono::nanoseconds busy);
  void Release();

 private:
  friend class Admission;
  Ticket(Admission* admission, const Demand& demand)
      : admission_(admission), left_(demand) {}

  Admission* admission_ = nullptr;
  Demand left_;  // guarded by the admission's mutex
};

// Threads: all methods may be called concurrently.
class Admission {
 public:
  // Requires: threads >= 1.
  Admission(const AdmissionOptions& options, int threads);
  ~Admission();  // Requires: every ticket is released.

  // Lets a request in, or says why not:
  //   kUnavailable        draining
  //   kDeadlineExceeded   what is ahead of it takes longer than it has
  //   kResourceExhausted  no room now; the hint is when there should be some
  // A request of any size gets in when nothing else is inside.
  absl::StatusOr<Ticket> Admit(const Demand& demand, TimePoint now);

  // From now on every request is refused as kUnavailable.
  void StopAdmitting();

  int64_t cost_inside() const;
  int64_t requests_inside() const;
  // Cost that all cores work off in a second, as measured of late.
  double cost_per_second() const;

 private:
  friend class Ticket;

  double RateLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::chrono::nanoseconds TimeFor(double cost) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CheckRoom(const Demand& demand) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CheckDeadline(const Demand& demand, TimePoint now) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLocked(int priority, int64_t cost, int64_t bytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const AdmissionOptions options_;
  const int threads_;

  mutable core::Mutex mutex_;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t requests_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t cost_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::array<int64_t, core::kMaxPriority + 1> cost_by_priority_
      ABSL_GUARDED_BY(mutex_) = {};
  // Cost and seconds of the blocks done of late; older ones fade.
  double measured_cost_ ABSL_GUARDED_BY(mutex_);
  double measured_seconds_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kiln::server

#endif  // KILN_SERVER_SCHEDULE_ADMISSION_H_
