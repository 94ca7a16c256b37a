// client/bench/load/arrival_schedule.h
//
// When the requests of one connection are due, whatever the server does. All
// connections of all processes together give the rate asked for.

#ifndef KILN_CLIENT_BENCH_LOAD_ARRIVAL_SCHEDULE_H_
#define KILN_CLIENT_BENCH_LOAD_ARRIVAL_SCHEDULE_H_

#include <chrono>
#include <cstdint>

#include "core/base/random.h"

namespace kiln::client {

enum class Arrival : uint8_t {
  kConstant,  // equal distances
  kPoisson,   // independent of each other, as from very many users
};

struct ScheduleOptions {
  Arrival arrival = Arrival::kConstant;
  // Requests a second of all connections. Requires: > 0.
  double rate = 1;
  // Which of how many connections this is. Requires: 0 <= index < connections.
  int index = 0;
  int connections = 1;
  uint64_t seed = 1;  // of Poisson arrivals; each connection draws its own
};

// Equal options give equal times. Not thread-safe.
class ArrivalSchedule {
 public:
  explicit ArrivalSchedule(const ScheduleOptions& options);

  // The next time, from the start of the load; never before the last one.
  //
  // Guarantees: constant arrivals are right to a nanosecond however long it
  //             takes, and those of all connections are interleaved evenly.
  //             The sum of independent Poisson processes is one of their rates'
  //             sum.
  std::chrono::nanoseconds Next();

 private:
  const Arrival arrival_;
  const double interval_ns_;  // mean distance on this connection
  const double first_ns_;     // of constant arrivals
  core::Random random_;
  double count_ = 0;
  double now_ns_ = 0;  // of Poisson arrivals
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LOAD_ARRIVAL_SCHEDULE_H_
