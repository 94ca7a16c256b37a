// client/bench/measure/duration_text.h
//
// Times as people write and read them: "250us", "5ms", "1.5s".

#ifndef KILN_CLIENT_BENCH_MEASURE_DURATION_TEXT_H_
#define KILN_CLIENT_BENCH_MEASURE_DURATION_TEXT_H_

#include <chrono>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kiln::client {

inline constexpr char kAllowedDurations[] =
    "a number above 0 and a unit: ns, us, ms or s, as in 5ms; up to 1h";

// A decimal number, not negative, and its unit, without a blank between.
// Errors: kInvalidArgument, naming what is allowed, for anything else and for
//         more than an hour.
absl::StatusOr<std::chrono::nanoseconds> ParseDuration(absl::string_view text);

// In the largest unit that gives 1 or more, with up to four digits:
// ParseDuration gives the same time back where that is enough.
std::string DurationText(std::chrono::nanoseconds time);

// As a number of microseconds or seconds, for reports.
double Microseconds(std::chrono::nanoseconds time);
double Seconds(std::chrono::nanoseconds time);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_MEASURE_DURATION_TEXT_H_
