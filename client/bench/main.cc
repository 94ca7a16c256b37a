#include <cstdio>
#include <string>
#include <vector>

#include "client/bench/bench.h"
#include "client/bench/options/bench_options.h"
#include "client/bench/processes/worker.h"
#include "client/bench/report/compare.h"
#include "client/bench/report/report_files.h"
#include "client/cli/errors.h"
#include "client/formats/file_io.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;
constexpr int kExitFellBehind = 3;

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "kiln-bench: %s\n",
               std::string(status.message()).c_str());
  if (!IsUsageError(status)) return kExitFailed;
  std::fputs("kiln-bench --help explains the options\n", stderr);
  return kExitUsage;
}

// 0, or why the figures are not to be trusted.
int ExitCodeOf(const BenchReport& report) {
  int code = 0;
  for (const Series* series : report.AllSeries()) {
    if (!series->complaint) continue;
    std::fprintf(stderr, "kiln-bench: %s: %s\n", series->name.c_str(),
                 series->complaint->c_str());
    code = kExitFellBehind;
  }
  for (const ModeReport& mode : report.modes) {
    if (mode.kiln.total.failed() > 0) code = kExitFailed;
    if (mode.search && mode.search->rate == 0) code = kExitFailed;
  }
  return code;
}

absl::StatusOr<std::string> ReadText(const std::string& path) {
  KILN_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, ReadFile(path));
  return std::string(bytes.begin(), bytes.end());
}

int Compare(const CompareOptions& options) {
  const auto before = ReadText(options.before);
  if (!before.ok()) return Fail(before.status());
  const auto after = ReadText(options.after);
  if (!after.ok()) return Fail(after.status());
  const auto comparison = CompareReports(*before, *after, options.noise);
  if (!comparison.ok()) return Fail(comparison.status());
  if (std::fputs(ComparisonTable(*comparison).c_str(), stdout) < 0) {
    return kExitFailed;
  }
  return comparison->AnyWorse() ? kExitFailed : 0;
}

int Run(const std::vector<std::string>& words) {
  const auto options = ReadBenchOptions(words);
  if (!options.ok()) return Fail(options.status());
  if (options->help) return std::fputs(BenchHelp().c_str(), stdout) < 0;
  if (options->compare) return Compare(*options->compare);
  if (options->worker) return RunWorker(*options);
  // A report may be on its way to standard output.
  const auto report = RunBench(*options, [](const std::string& line) {
    std::fputs(line.c_str(), stderr);
  });
  if (!report.ok()) return Fail(report.status());
  const absl::Status written = WriteReports(*options, *report);
  if (!written.ok()) return Fail(written);
  return ExitCodeOf(*report);
}

}  // namespace
}  // namespace kiln::client

int main(int argc, char** argv) {
  return kiln::client::Run(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
