#include "client/bench/processes/worker.h"

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/bench/callers/kiln_callers.h"
#include "client/bench/load/load.h"
#include "client/bench/measure/measure_json.h"
#include "client/bench/processes/load_order.h"
#include "client/bench/workload.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

void Say(absl::string_view line) { std::cout << line << '\n' << std::flush; }

absl::Status Work(const BenchOptions& options) {
  KILN_ASSIGN_OR_RETURN(const std::unique_ptr<Workload> workload,
                        Workload::Make(options.workload));
  KILN_ASSIGN_OR_RETURN(
      const std::vector<std::unique_ptr<Caller>> callers,
      MakeKilnCallers(options.server, options.modes.front(),
                      options.connections, options.in_flight, *workload));
  Say(kWorkerReady);
  for (std::string line; std::getline(std::cin, line);) {
    KILN_ASSIGN_OR_RETURN(LoadOptions load, LoadOrderFromText(line));
    load.requests = workload->requests().size();
    Say(LoadResultToText(RunLoad(callers, load)));
  }
  return absl::OkStatus();
}

}  // namespace

int RunWorker(const BenchOptions& options) {
  const absl::Status status = Work(options);
  if (status.ok()) return 0;
  Say(absl::StrCat(
      kWorkerError,
      absl::StrReplaceAll(std::string(status.message()), {{"\n", " "}})));
  return 1;
}

}  // namespace kiln::client
