#include "server/schedule/admission.h"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>

#include "core/base/errors.h"
#include "tests/support/status_matchers.h"

namespace kiln::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using tests::IsOk;
using tests::StatusIs;

const TimePoint kNow = TimePoint() + std::chrono::hours(1);

// One core works off this in a second until something has been measured.
constexpr auto kSecondOfWork = static_cast<int64_t>(kInitialCostPerSecond);

AdmissionOptions SmallQueue() {
  AdmissionOptions options;
  options.queue_cost = 2 * kSecondOfWork;
  options.queue_bytes = 1000;
  return options;
}

Demand Of(int64_t cost, int64_t bytes = 0) {
  Demand demand;
  demand.cost = cost;
  demand.bytes = bytes;
  return demand;
}

TEST(Admission, EmptyTakesRequestLargerThanQueue) {
  Admission admission(SmallQueue(), 1);
  EXPECT_THAT(admission.Admit(Of(9 * kSecondOfWork, 5000), kNow), IsOk());
}

TEST(Admission, FullIsBusyWithTimeUntilThereIsRoom) {
  Admission admission(SmallQueue(), 1);
  const auto inside = admission.Admit(Of(2 * kSecondOfWork), kNow);
  const auto refused = admission.Admit(Of(kSecondOfWork / 2), kNow);
  ASSERT_THAT(refused, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(core::RetryAfter(refused.status()), milliseconds(500));
}

TEST(Admission, MoreThreadsGiveShorterHint) {
  Admission admission(SmallQueue(), 4);
  const auto inside = admission.Admit(Of(2 * kSecondOfWork), kNow);
  const auto refused = admission.Admit(Of(kSecondOfWork), kNow);
  EXPECT_EQ(core::RetryAfter(refused.status()), milliseconds(250));
}

TEST(Admission, FullOfBytesIsBusy) {
  Admission admission(SmallQueue(), 1);
  const auto inside = admission.Admit(Of(100, 900), kNow);
  EXPECT_THAT(admission.Admit(Of(100, 100), kNow), IsOk());
  EXPECT_THAT(admission.Admit(Of(100, 101), kNow),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(Admission, HintStaysWithinItsBounds) {
  AdmissionOptions options = SmallQueue();
  options.queue_cost = 1000 * kSecondOfWork;
  Admission admission(options, 1);
  const auto inside = admission.Admit(Of(1000 * kSecondOfWork), kNow);
  EXPECT_EQ(core::RetryAfter(admission.Admit(Of(1), kNow).status()),
            kMinRetryAfter);
  EXPECT_EQ(
      core::RetryAfter(admission.Admit(Of(900 * kSecondOfWork), kNow).status()),
      kMaxRetryAfter);
}

TEST(Admission, ReleasedTicketMakesRoom) {
  Admission admission(SmallQueue(), 1);
  {
    const auto inside = admission.Admit(Of(2 * kSecondOfWork, 1000), kNow);
    EXPECT_EQ(admission.requests_inside(), 1);
  }
  EXPECT_EQ(admission.requests_inside(), 0);
  EXPECT_EQ(admission.cost_inside(), 0);
  EXPECT_THAT(admission.Admit(Of(2 * kSecondOfWork, 1000), kNow), IsOk());
}

TEST(Admission, MovedTicketIsReleasedOnce) {
  Admission admission(SmallQueue(), 1);
  KILN_ASSERT_OK_AND_ASSIGN(Ticket first, admission.Admit(Of(10), kNow));
  Ticket second = std::move(first);
  first.Release();
  EXPECT_EQ(admission.requests_inside(), 1);
  second.Release();
  EXPECT_EQ(admission.requests_inside(), 0);
}

TEST(Admission, FinishedBlockMakesRoom) {
  Admission admission(SmallQueue(), 1);
  KILN_ASSERT_OK_AND_ASSIGN(Ticket ticket,
                            admission.Admit(Of(2 * kSecondOfWork), kNow));
  ticket.BlockDone(kSecondOfWork, seconds(1));
  EXPECT_EQ(admission.cost_inside(), kSecondOfWork);
  EXPECT_THAT(admission.Admit(Of(kSecondOfWork), kNow), IsOk());
}

TEST(Admission, RateFollowsWhatBlocksTook) {
  Admission admission(SmallQueue(), 2);
  KILN_ASSERT_OK_AND_ASSIGN(Ticket ticket,
                            admission.Admit(Of(1'000'000), kNow));
  // Ten times slower than assumed, for far longer than the half-life.
  ticket.BlockDone(1'000'000, milliseconds(10'000));
  EXPECT_NEAR(admission.cost_per_second(), 2 * 100'000, 200'000);
}

TEST(Admission, StoppedIsUnavailable) {
  Admission admission(SmallQueue(), 1);
  admission.StopAdmitting();
  EXPECT_THAT(admission.Admit(Of(1), kNow),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("draining")));
}

TEST(Admission, PassedDeadlineIsRefused) {
  Admission admission(SmallQueue(), 1);
  Demand demand = Of(1);
  demand.deadline = kNow;
  EXPECT_THAT(admission.Admit(demand, kNow),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST(Admission, DeadlineShorterThanBacklogIsRefused) {
  Admission admission(SmallQueue(), 1);
  const auto inside = admission.Admit(Of(kSecondOfWork), kNow);
  Demand demand = Of(1);
  demand.deadline = kNow + milliseconds(900);
  EXPECT_THAT(admission.Admit(demand, kNow),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("900 ms are left, the queue takes 1000 ms")));
  demand.deadline = kNow + milliseconds(1100);
  EXPECT_THAT(admission.Admit(demand, kNow), IsOk());
}

TEST(Admission, LessUrgentBacklogDoesNotRefuseDeadline) {
  Admission admission(SmallQueue(), 1);
  Demand idle = Of(kSecondOfWork);
  idle.priority = 2;
  const auto inside = admission.Admit(idle, kNow);
  Demand urgent = Of(1);
  urgent.priority = 3;
  urgent.deadline = kNow + milliseconds(1);
  EXPECT_THAT(admission.Admit(urgent, kNow), IsOk());
}

}  // namespace
}  // namespace kiln::server
