#include "client/bench/options/conflicts.h"

#include "absl/strings/str_cat.h"
#include "client/bench/options/option_table.h"
#include "client/cli/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

struct Pair {
  absl::string_view option;
  absl::string_view other;
  absl::string_view why;
};

// Both given: a mistake.
constexpr Pair kExclusive[] = {
    {"server", "spawn", "either there is a server or one is started"},
    {"server", "kilnd", "kilnd is started only without --server"},
    {"server", "threads",
     "give --threads to the kilnd that runs at that address"},
    {"vox", "inputs", "the file is the input"},
    {"vox", "encoding", "a file is sent in one encoding"},
    {"find-max-rate", "rounds", "each probe is one round"},
    {"find-max-rate", "echo", "measure the echo in a run of its own"},
    {"processes", "echo",
     "the comparison needs both sides in one process; leave out one of them"},
};

// The first needs the second.
constexpr Pair kNeeds[] = {
    {"find-max-rate", "slo", "say what must hold, as in --slo p99=5ms"},
    {"slo", "find-max-rate",
     "without it nothing is looked for; add it, or leave out --slo"},
    {"resolution", "find-max-rate", "add it, or leave out --resolution"},
    {"noise", "compare", "add it, or leave out --noise"},
};

// Only an open loop has a schedule.
constexpr absl::string_view kOfSchedules[] = {"arrival", "max-lag"};

// Options that go with --compare, which runs nothing.
constexpr absl::string_view kOfCompare[] = {"compare", "noise", "help"};

constexpr absl::string_view kReports[] = {"json", "csv", "html"};

bool IsOfCompare(absl::string_view option) {
  for (const absl::string_view allowed : kOfCompare) {
    if (option == allowed) return true;
  }
  return false;
}

absl::Status CheckCompare(const Arguments& arguments) {
  if (!arguments.Has("compare")) return absl::OkStatus();
  for (const OptionSpec& option : AllBenchOptions()) {
    if (arguments.Has(option.name) && !IsOfCompare(option.name)) {
      return UsageError(absl::StrCat(
          "--compare reads two reports and runs nothing; leave out --",
          option.name));
    }
  }
  if (arguments.words().size() != 2) {
    return UsageError(
        "--compare takes two reports written by --json: kiln-bench --compare "
        "A.json B.json");
  }
  return absl::OkStatus();
}

absl::Status CheckSchedule(const Arguments& arguments) {
  const std::string rate = arguments.Text("rate", "0");
  const bool open = arguments.Has("find-max-rate") ||
                    rate.find_first_not_of("0.") != std::string::npos;
  if (!open) {
    for (const absl::string_view option : kOfSchedules) {
      if (!arguments.Has(option)) continue;
      return UsageError(
          absl::StrCat("--", option,
                       " needs --rate: a closed loop has no schedule; add "
                       "--rate N, or leave out --",
                       option));
    }
  }
  if (arguments.Has("seed") && arguments.Text("arrival") != "poisson") {
    return UsageError(
        "--seed needs --arrival poisson: nothing else is random; add it, or "
        "leave out --seed");
  }
  return absl::OkStatus();
}

absl::Status CheckStandardOutput(const Arguments& arguments) {
  absl::string_view first;
  for (const absl::string_view report : kReports) {
    if (arguments.Text(report) != "-") continue;
    if (!first.empty()) {
      return UsageError(absl::StrCat("--", first, " and --", report,
                                     " both go to standard output; write one "
                                     "of them to a file"));
    }
    first = report;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckConflicts(const Arguments& arguments) {
  KILN_RETURN_IF_ERROR(CheckCompare(arguments));
  for (const Pair& pair : kExclusive) {
    if (arguments.Has(pair.option) && arguments.Has(pair.other)) {
      return UsageError(absl::StrCat("--", pair.option,
                                     " does not go together with --",
                                     pair.other, ": ", pair.why));
    }
  }
  for (const Pair& pair : kNeeds) {
    if (arguments.Has(pair.option) && !arguments.Has(pair.other)) {
      return UsageError(absl::StrCat("--", pair.option, " needs --", pair.other,
                                     ": ", pair.why));
    }
  }
  KILN_RETURN_IF_ERROR(CheckSchedule(arguments));
  return CheckStandardOutput(arguments);
}

}  // namespace kiln::client
