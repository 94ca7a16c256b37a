// client/bench/options/option_table.h
//
// Every option of kiln-bench with its help, by subject.

#ifndef KILN_CLIENT_BENCH_OPTIONS_OPTION_TABLE_H_
#define KILN_CLIENT_BENCH_OPTIONS_OPTION_TABLE_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "client/cli/arguments.h"

namespace kiln::client {

// The option by which kiln-bench starts itself; not in the help.
inline constexpr absl::string_view kWorkerOption = "worker";

struct OptionGroup {
  absl::string_view title;
  std::vector<OptionSpec> options;
};

const std::vector<OptionGroup>& BenchOptionGroups();

// Those of all groups, and kWorkerOption.
std::vector<OptionSpec> AllBenchOptions();

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_OPTIONS_OPTION_TABLE_H_
