// The generator of the load, over a caller that answers as told.

#include "client/bench/load/load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "client/bench/load/generator_check.h"
#include "client/internal/inproc/io_loop.h"
#include "core/base/errors.h"

namespace kiln::client {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Answers each request after a fixed time, on a thread of its own; every
// request that comes in a stall is answered when that ends.
class FakeCaller : public Caller {
 public:
  explicit FakeCaller(milliseconds answer_time) : answer_time_(answer_time) {}

  void Send(size_t index, Done done) override {
    ++sent_;
    std::this_thread::sleep_for(send_time_);
    max_under_way_ = std::max<int>(max_under_way_, ++under_way_);
    Clock::time_point at = Clock::now() + answer_time_;
    if (at > stall_begin_ && at < stall_end_) at = stall_end_;
    loop_.RunAt(at, [this, index, done = std::move(done)] {
      --under_way_;
      CallEnd end;
      end.bytes_sent = 10;
      end.bytes_received = 20;
      if (fails_ && index == 1) end.status = core::UnavailableError("no");
      done(end);
    });
  }

  void Stall(milliseconds from, milliseconds to) {
    const Clock::time_point now = Clock::now();
    stall_begin_ = now + from;
    stall_end_ = now + to;
  }
  void SendSlowly(milliseconds time) { send_time_ = time; }
  void FailOddRequests() { fails_ = true; }
  int sent() const { return sent_; }
  int max_under_way() const { return max_under_way_; }

 private:
  const milliseconds answer_time_;
  std::atomic<int> sent_{0};
  std::atomic<int> under_way_{0};
  std::atomic<int> max_under_way_{0};
  bool fails_ = false;
  milliseconds send_time_{0};
  Clock::time_point stall_begin_, stall_end_;
  internal::IoLoop loop_;
};

struct OneCaller {
  explicit OneCaller(milliseconds answer_time) {
    auto caller = std::make_unique<FakeCaller>(answer_time);
    fake = caller.get();
    callers.push_back(std::move(caller));
  }
  FakeCaller* fake;
  std::vector<std::unique_ptr<Caller>> callers;
};

TEST(Load, ClosedLoopKeepsTheNumberUnderWay) {
  OneCaller one(milliseconds(2));
  LoadOptions options;
  options.duration = milliseconds(100);
  options.in_flight = 3;
  const LoadResult result = RunLoad(one.callers, options);
  EXPECT_EQ(one.fake->max_under_way(), 3);
  EXPECT_EQ(result.good, one.fake->sent());
  EXPECT_EQ(result.latencies.count(), result.good);
  EXPECT_EQ(result.bytes_sent, 10 * result.good);
  EXPECT_EQ(result.bytes_received, 20 * result.good);
  EXPECT_GE(result.latencies.Percentile(0), milliseconds(2));
  EXPECT_GE(result.time, milliseconds(100));
}

TEST(Load, FailuresAreCountedByTheirMessage) {
  OneCaller one(milliseconds(0));
  one.fake->FailOddRequests();
  LoadOptions options;
  options.duration = milliseconds(20);
  options.requests = 2;
  const LoadResult result = RunLoad(one.callers, options);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors.begin()->first, "UNAVAILABLE: no");
  EXPECT_EQ(result.good + result.failed(), one.fake->sent());
  EXPECT_EQ(result.latencies.count(), result.good);
}

// 100 requests of which 50 are due while the server stands still for 500 ms:
// those waited 0..500 ms, and half of them more than 250 ms, whether or not
// they could be sent.
TEST(Load, OnScheduleAStallShowsInTheTail) {
  OneCaller one(milliseconds(0));
  one.fake->Stall(milliseconds(200), milliseconds(700));
  LoadOptions options;
  options.duration = milliseconds(1000);
  options.in_flight = 4;
  options.rate = 100;
  const LoadResult result = RunLoad(one.callers, options);
  EXPECT_EQ(result.good, 100);
  EXPECT_LT(result.latencies.Percentile(0.25), milliseconds(100));
  EXPECT_NEAR(static_cast<double>(result.latencies.Percentile(0.75).count()),
              250e6, 100e6);
  EXPECT_GT(result.latencies.Percentile(0.99), milliseconds(400));
  // Four fit, the others waited, and none of that was the generator's.
  EXPECT_GT(result.held_back, 30);
  EXPECT_LT(result.send_lag.Percentile(0.99), milliseconds(100));
  EXPECT_EQ(result.send_lag.count(), 100);
}

// The same stall with room for all: what the latencies say does not depend on
// the bound.
TEST(Load, RoomDoesNotChangeTheTail) {
  OneCaller one(milliseconds(0));
  one.fake->Stall(milliseconds(200), milliseconds(700));
  LoadOptions options;
  options.duration = milliseconds(1000);
  options.in_flight = 1000;
  options.rate = 100;
  const LoadResult result = RunLoad(one.callers, options);
  EXPECT_EQ(result.good, 100);
  EXPECT_NEAR(static_cast<double>(result.latencies.Percentile(0.75).count()),
              250e6, 100e6);
  EXPECT_EQ(result.held_back, 0);
}

// 20 ms to send each request, every 10 ms one is due: the generator's own
// fault, and it says so.
TEST(Load, SlowGeneratorShowsInTheLag) {
  OneCaller one(milliseconds(0));
  one.fake->SendSlowly(milliseconds(20));
  LoadOptions options;
  options.duration = milliseconds(400);
  options.in_flight = 1000;
  options.rate = 100;
  const LoadResult result = RunLoad(one.callers, options);
  EXPECT_EQ(result.good, 40);
  // The last is sent 390 ms after it was due.
  EXPECT_GT(result.send_lag.Percentile(0.99), milliseconds(300));
  EXPECT_GT(result.latencies.max(), milliseconds(380));
  EXPECT_TRUE(GeneratorComplaint(result, milliseconds(20)));
}

// One at a time, 50 ms each, of 20 a run that are due: the run ends all the
// same, and says what it has not sent.
TEST(Load, WhatCannotBeSentIsGivenUpAndCounted) {
  OneCaller one(milliseconds(50));
  LoadOptions options;
  options.duration = milliseconds(200);
  options.patience = milliseconds(100);
  options.rate = 100;
  const Clock::time_point start = Clock::now();
  const LoadResult result = RunLoad(one.callers, options);
  EXPECT_LT(Clock::now() - start, milliseconds(900));  // 1 s for all of them
  EXPECT_EQ(result.good, one.fake->sent());
  EXPECT_EQ(result.good + result.failed(), 20);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors.begin()->first.substr(0, 8), "not sent");
  EXPECT_EQ(result.series.Row(0).errors, result.failed());
}

TEST(Load, WarmUpIsLoadedButNotMeasured) {
  for (const double rate : {0.0, 100.0}) {
    OneCaller one(milliseconds(1));
    LoadOptions options;
    options.warm_up = milliseconds(300);
    options.duration = milliseconds(200);
    options.rate = rate;
    options.in_flight = rate == 0 ? 1 : 100;
    const LoadResult result = RunLoad(one.callers, options);
    EXPECT_EQ(result.good + result.warm_up_good, one.fake->sent());
    EXPECT_EQ(result.latencies.count(), result.good);
    EXPECT_GT(result.warm_up_good, result.good * 6 / 5);
    EXPECT_GE(result.time, milliseconds(200));
    EXPECT_EQ(result.series.Row(0).requests, result.good);
    if (rate > 0) {
      EXPECT_EQ(result.good, 20);
    }
  }
}

// One of four connections is here: a quarter of the rate.
TEST(Load, PartOfTheConnectionsSendsItsShare) {
  OneCaller one(milliseconds(0));
  LoadOptions options;
  options.duration = milliseconds(500);
  options.in_flight = 100;
  options.rate = 400;
  options.first_connection = 2;
  options.all_connections = 4;
  options.start = Clock::now() + milliseconds(100);
  const LoadResult result = RunLoad(one.callers, options);
  EXPECT_GE(Clock::now(), *options.start + milliseconds(490));
  EXPECT_EQ(result.good, 50);
}

}  // namespace
}  // namespace kiln::client
