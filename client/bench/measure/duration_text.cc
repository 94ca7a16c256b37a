#include "client/bench/measure/duration_text.h"

#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "core/base/errors.h"

namespace kiln::client {
namespace {

constexpr struct {
  absl::string_view name;
  double ns;
} kUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};  // s last

constexpr double kMostNs = 3600e9;

}  // namespace

absl::StatusOr<std::chrono::nanoseconds> ParseDuration(absl::string_view text) {
  for (const auto& unit : kUnits) {
    if (!absl::EndsWith(text, unit.name)) continue;
    const absl::string_view digits =
        text.substr(0, text.size() - unit.name.size());
    double number = 0;
    // SimpleAtod also takes signs, "inf" and "1e5".
    if (digits.find_first_not_of("0123456789.") != absl::string_view::npos ||
        !absl::SimpleAtod(digits, &number) || number * unit.ns > kMostNs) {
      break;
    }
    return std::chrono::nanoseconds(std::llround(number * unit.ns));
  }
  return core::FieldError("time", text, kAllowedDurations);
}

std::string DurationText(std::chrono::nanoseconds time) {
  const auto ns = static_cast<double>(time.count());
  size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && ns >= kUnits[unit + 1].ns) ++unit;
  return absl::StrFormat("%.4g%s", ns / kUnits[unit].ns, kUnits[unit].name);
}

double Microseconds(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count()) / 1e3;
}

double Seconds(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count()) / 1e9;
}

}  // namespace kiln::client
