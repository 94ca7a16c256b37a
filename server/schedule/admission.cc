#include "server/schedule/admission.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::server {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

milliseconds ClampHint(nanoseconds wait) {
  return std::clamp(duration_cast<milliseconds>(wait), kMinRetryAfter,
                    kMaxRetryAfter);
}

}  // namespace

Ticket& Ticket::operator=(Ticket&& other) noexcept {
  if (this == &other) return *this;
  Release();
  left_ = other.left_;
  admission_ = std::exchange(other.admission_, nullptr);
  return *this;
}

void Ticket::BlockDone(int64_t cost, nanoseconds busy) {
  KILN_CHECK(admission_ != nullptr);
  const double seconds = std::chrono::duration<double>(busy).count();
  // Weighted by busy time, so that a thousand tiny blocks do not outvote the
  // one that takes a second.
  const double keep = std::exp2(
      -seconds / std::chrono::duration<double>(kRateHalfLife).count());
  core::MutexLock lock(admission_->mutex_);
  KILN_DCHECK(cost <= left_.cost);
  left_.cost -= cost;
  admission_->TakeLocked(left_.priority, -cost, 0);
  admission_->measured_cost_ =
      admission_->measured_cost_ * keep + static_cast<double>(cost);
  admission_->measured_seconds_ =
      admission_->measured_seconds_ * keep + seconds;
}

void Ticket::Release() {
  if (admission_ == nullptr) return;
  core::MutexLock lock(admission_->mutex_);
  admission_->TakeLocked(left_.priority, -left_.cost, -left_.bytes);
  --admission_->requests_;
  admission_ = nullptr;
}

Admission::Admission(const AdmissionOptions& options, int threads)
    : options_(options),
      threads_(threads),
      measured_cost_(kInitialCostPerSecond),
      measured_seconds_(1) {
  KILN_CHECK(threads >= 1);
}

Admission::~Admission() { KILN_CHECK(requests_inside() == 0); }

absl::StatusOr<Ticket> Admission::Admit(const Demand& demand, TimePoint now) {
  KILN_DCHECK(demand.priority >= 0 && demand.priority <= core::kMaxPriority);
  core::MutexLock lock(mutex_);
  if (draining_) return core::UnavailableError("the server is draining");
  KILN_RETURN_IF_ERROR(CheckDeadline(demand, now));
  KILN_RETURN_IF_ERROR(CheckRoom(demand));
  TakeLocked(demand.priority, demand.cost, demand.bytes);
  ++requests_;
  return Ticket(this, demand);
}

absl::Status Admission::CheckDeadline(const Demand& demand,
                                      TimePoint now) const {
  if (demand.deadline == TimePoint::max()) return absl::OkStatus();
  if (demand.deadline <= now) return core::DeadlineError();
  // Only what certainly runs first counts: the less urgent may yet be
  // overtaken.
  int64_t ahead = 0;
  for (int p = demand.priority; p <= core::kMaxPriority; ++p) {
    ahead += cost_by_priority_[static_cast<size_t>(p)];
  }
  const nanoseconds wait = TimeFor(static_cast<double>(ahead));
  if (wait <= demand.deadline - now) return absl::OkStatus();
  return core::DeadlineUnreachableError(
      duration_cast<milliseconds>(wait),
      duration_cast<milliseconds>(demand.deadline - now));
}

absl::Status Admission::CheckRoom(const Demand& demand) const {
  if (requests_ == 0) return absl::OkStatus();
  const int64_t cost_over = cost_ + demand.cost - options_.queue_cost;
  const int64_t bytes_over = bytes_ + demand.bytes - options_.queue_bytes;
  if (cost_over <= 0 && bytes_over <= 0) return absl::OkStatus();
  // There is room once as much as is too much has been worked off. Bytes go
  // with the requests they belong to, so their share is turned into cost.
  double too_much = static_cast<double>(std::max<int64_t>(cost_over, 0));
  if (bytes_over > 0 && bytes_ > 0) {
    too_much =
        std::max(too_much, static_cast<double>(cost_) *
                               std::min(1.0, static_cast<double>(bytes_over) /
                                                 static_cast<double>(bytes_)));
  }
  return core::BusyError(absl::StrCat("busy: ", requests_, " requests of cost ",
                                      cost_, " are ahead"),
                         ClampHint(TimeFor(too_much)));
}

void Admission::TakeLocked(int priority, int64_t cost, int64_t bytes) {
  cost_ += cost;
  bytes_ += bytes;
  cost_by_priority_[static_cast<size_t>(priority)] += cost;
}

double Admission::RateLocked() const {
  // Where clocks are coarse a block may take no time at all.
  constexpr double least_seconds = 1e-6;
  return threads_ * measured_cost_ / std::max(measured_seconds_, least_seconds);
}

nanoseconds Admission::TimeFor(double cost) const {
  constexpr double most_seconds = 1e6;  // keeps the sum with a clock in range
  const double seconds = std::min(cost / RateLocked(), most_seconds);
  return duration_cast<nanoseconds>(std::chrono::duration<double>(seconds));
}

void Admission::StopAdmitting() {
  core::MutexLock lock(mutex_);
  draining_ = true;
}

int64_t Admission::cost_inside() const {
  core::MutexLock lock(mutex_);
  return cost_;
}

int64_t Admission::requests_inside() const {
  core::MutexLock lock(mutex_);
  return requests_;
}

double Admission::cost_per_second() const {
  core::MutexLock lock(mutex_);
  return RateLocked();
}

}  // namespace kiln::server
