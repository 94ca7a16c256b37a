#include <cstdio>
#include <string>
#include <vector>

#include "client/bench/bench.h"
#include "client/bench/bench_options.h"
#include "client/bench/report.h"
#include "client/cli/errors.h"
#include "client/formats/file_io.h"

namespace kiln::client {
namespace {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "kiln-bench: %s\n",
               std::string(status.message()).c_str());
  if (!IsUsageError(status)) return 1;
  std::fputs("kiln-bench --help explains the options\n", stderr);
  return 2;
}

int Run(const std::vector<std::string>& words) {
  const auto options = ReadBenchOptions(words);
  if (!options.ok()) return Fail(options.status());
  if (options->help) return std::fputs(BenchHelp().c_str(), stdout) < 0;
  const auto report = RunBench(*options);
  if (!report.ok()) return Fail(report.status());
  if (options->json_file == "-") {
    std::fputs(ReportJson(*options, *report).c_str(), stdout);
  } else {
    std::fputs(ReportTable(*options, *report).c_str(), stdout);
    if (!options->json_file.empty()) {
      const absl::Status written =
          WriteFile(options->json_file, ReportJson(*options, *report));
      if (!written.ok()) return Fail(written);
    }
  }
  for (const ModeReport& mode : report->modes) {
    if (mode.kiln.total.failed() > 0) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace kiln::client

int main(int argc, char** argv) {
  return kiln::client::Run(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
