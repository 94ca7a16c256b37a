#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/bench/options/bench_options.h"
#include "client/bench/options/option_table.h"

namespace kiln::client {
namespace {

constexpr size_t kColumn = 22;

constexpr char kUsage[] =
    "kiln-bench: loads a Kiln server and reports throughput and latencies\n\n"
    "usage: kiln-bench [--server ADDR] [OPTION...]\n"
    "       kiln-bench --find-max-rate --slo p99=5ms [OPTION...]\n"
    "       kiln-bench --compare A.json B.json [--noise N]\n";

constexpr char kExplanation[] =
    "\nIn a closed loop latencies count from the sending, and a server that "
    "stalls also\nstops the load. With --rate they count from the moment each "
    "request was due,\nsent or not; streams are measured message by message. "
    "\"Send lag\" is what the\nload tester itself was late; where its p99 is "
    "over --max-lag the figures are\nreported, but the exit code is 3.\n\n"
    "exit codes: 0 done; 1 failed, some requests failed, or --compare found "
    "something\nworse; 2 the command line is wrong; 3 the load tester fell "
    "behind\n";

void AppendOption(const OptionSpec& option, std::string& text) {
  std::string margin = absl::StrCat(
      "  --", option.name, option.value.empty() ? "" : " ", option.value);
  margin.resize(std::max(margin.size() + 1, kColumn), ' ');
  for (const absl::string_view line : absl::StrSplit(option.help, '\n')) {
    absl::StrAppend(&text, margin, line, "\n");
    margin.assign(kColumn, ' ');
  }
}

}  // namespace

std::string BenchHelp() {
  std::string text = kUsage;
  for (const OptionGroup& group : BenchOptionGroups()) {
    absl::StrAppend(&text, "\n", group.title, ":\n");
    for (const OptionSpec& option : group.options) AppendOption(option, text);
  }
  absl::StrAppend(&text, kExplanation);
  return text;
}

}  // namespace kiln::client
