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

// The bound where none is given: no more than 1 % of the requests of a schedule
// may be sent later than this after they could have been, or than this share of
// the p99 of the latencies, whichever is more. The first is ten times what the
// timers of an idle machine are late; the second keeps a server that stalls for
// seconds from being blamed on a generator that is milliseconds late.
inline constexpr std::chrono::milliseconds kDefaultMaxLag{1};
inline constexpr double kDefaultMaxLagShare = 0.05;

// What is wrong and what to change, in one paragraph; unset where the p99 of
// the send lag is at most `max_lag` (unset: the default above).
std::optional<std::string> GeneratorComplaint(
    const LoadResult& result, std::optional<std::chrono::nanoseconds> max_lag);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LOAD_GENERATOR_CHECK_H_
