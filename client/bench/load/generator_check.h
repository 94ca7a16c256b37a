// client/bench/load/generator_check.h
//
// Whether the load tester did what it was asked to: a generator that cannot
// keep up measures itself and not the server.

#ifndef KILN_CLIENT_BENCH_LOAD_GENERATOR_CHECK_H_
#define KILN_CLIENT_BENCH_LOAD_GENERATOR_CHECK_H_

#include <chrono>
#include <optional>
#include <string>

#include "client/bench/measure/load_result.h"

namespace kiln::client {

// More than 1 % of the requests of a schedule may not be sent later than this
// after they could have been. A fifth of the goal of 5 ms that section 10 of
// the design sets for a p99; timers of an idle machine are right to 0.1 ms.
inline constexpr std::chrono::milliseconds kDefaultMaxLag{1};

// What is wrong and what to change, in one paragraph; unset where the p99 of
// the send lag is at most `max_lag`.
std::optional<std::string> GeneratorComplaint(const LoadResult& result,
                                              std::chrono::nanoseconds max_lag);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LOAD_GENERATOR_CHECK_H_
