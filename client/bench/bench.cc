#include "client/bench/bench.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/bench/baseline.h"
#include "client/bench/callers/child_server.h"
#include "client/bench/callers/kiln_callers.h"
#include "client/bench/load/generator.h"
#include "client/bench/load/generator_check.h"
#include "client/bench/load/rate_search.h"
#include "client/bench/measure/duration_text.h"
#include "client/bench/processes/worker_pool.h"
#include "client/bench/report/table_report.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

// One side of a comparison: a generator and the server it loads.
class Side {
 public:
  Side(std::string name, std::unique_ptr<Generator> generator,
       const ChildServer* server)
      : generator_(std::move(generator)), server_(server) {
    series_.name = std::move(name);
  }

  absl::Status Round(const LoadOptions& options) {
    const auto before = server_ ? server_->CpuTime() : cpu_;
    KILN_ASSIGN_OR_RETURN(const LoadResult result, generator_->Run(options));
    series_.Add(result);
    if (server_) cpu_ += server_->CpuTime() - before;
    return absl::OkStatus();
  }

  Series Take(std::optional<std::chrono::nanoseconds> max_lag) {
    const int64_t requests = series_.total.good + series_.total.warm_up_good;
    if (server_ && requests > 0) series_.server_cpu = cpu_ / requests;
    series_.complaint = GeneratorComplaint(series_.total, max_lag);
    return std::move(series_);
  }

 private:
  const std::unique_ptr<Generator> generator_;
  const ChildServer* const server_;
  std::chrono::nanoseconds cpu_{0};
  Series series_;
};

std::string FiguresOf(const Slo& slo, const LoadResult& result) {
  std::string text;
  for (const SloBound& bound : slo.bounds) {
    absl::StrAppend(&text, bound.name, " ",
                    DurationText(bound.Measured(result.latencies)), ", ");
  }
  return absl::StrCat(text, result.failed(), " failed, send lag p99 ",
                      DurationText(result.send_lag.Percentile(0.99)));
}

class Bench {
 public:
  Bench(const BenchOptions& options,
        const std::function<void(const std::string&)>& tell)
      : options_(options), tell_(tell) {}

  absl::StatusOr<BenchReport> Run() {
    // Before anything of gRPC: it does not survive a fork.
    if (options_.echo) {
      KILN_ASSIGN_OR_RETURN(echo_, ChildServer::ForkEcho());
    }
    KILN_RETURN_IF_ERROR(StartKiln());
    KILN_ASSIGN_OR_RETURN(workload_, Workload::Make(options_.workload));
    KILN_ASSIGN_OR_RETURN(sizes_, MeasureSizes(address_, *workload_));
    BenchReport report;
    report.requests = workload_->requests().size();
    report.mean_sizes = MeanOf(sizes_);
    report.inproc_cpu = MeasureInproc(*workload_);
    for (const CallMode mode : options_.modes) {
      KILN_ASSIGN_OR_RETURN(ModeReport mode_report,
                            options_.slo ? SearchMode(mode) : RunMode(mode));
      report.modes.push_back(std::move(mode_report));
    }
    return report;
  }

 private:
  absl::Status StartKiln() {
    address_ = options_.server;
    if (!address_.empty()) return absl::OkStatus();
    const std::string path = options_.kilnd.empty()
                                 ? absl::StrCat(ProgramDirectory(), "/kilnd")
                                 : options_.kilnd;
    KILN_ASSIGN_OR_RETURN(
        kilnd_, ChildServer::StartKilnd(
                    path, {absl::StrCat("--threads=", options_.threads)}));
    address_ = kilnd_->address();
    return absl::OkStatus();
  }

  LoadOptions LoadOf() const {
    LoadOptions load;
    load.duration = options_.duration / options_.rounds;
    load.warm_up = options_.warm_up;
    load.in_flight = options_.in_flight;
    load.rate = options_.rate;
    load.arrival = options_.arrival;
    load.seed = options_.seed;
    load.requests = workload_->requests().size();
    return load;
  }

  absl::StatusOr<std::unique_ptr<Generator>> MakeGenerator(CallMode mode) {
    std::unique_ptr<Generator> generator;
    if (options_.processes > 1) {
      KILN_ASSIGN_OR_RETURN(generator,
                            WorkerPool::Start(options_, address_, mode));
      return generator;
    }
    KILN_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Caller>> callers,
                          MakeKilnCallers(address_, mode, options_.connections,
                                          options_.in_flight, *workload_));
    generator = std::make_unique<LocalGenerator>(std::move(callers));
    return generator;
  }

  std::unique_ptr<Generator> MakeEchoGenerator(CallMode mode) const {
    std::vector<std::unique_ptr<Caller>> callers;
    callers.reserve(static_cast<size_t>(options_.connections));
    for (int i = 0; i < options_.connections; ++i) {
      callers.push_back(MakeEchoCaller(echo_->address(), mode, sizes_));
    }
    return std::make_unique<LocalGenerator>(std::move(callers));
  }

  absl::StatusOr<ModeReport> RunMode(CallMode mode) {
    KILN_ASSIGN_OR_RETURN(std::unique_ptr<Generator> generator,
                          MakeGenerator(mode));
    Side kiln(absl::StrCat("kiln ", ModeName(mode)), std::move(generator),
              kilnd_.get());
    std::optional<Side> echo;
    if (echo_ != nullptr) {
      echo.emplace(absl::StrCat("echo ", ModeName(mode)),
                   MakeEchoGenerator(mode), echo_.get());
    }
    LoadOptions load = LoadOf();
    for (int round = 0; round < options_.rounds; ++round) {
      KILN_RETURN_IF_ERROR(kiln.Round(load));
      if (echo) KILN_RETURN_IF_ERROR(echo->Round(load));
      load.warm_up = std::chrono::nanoseconds(0);
    }
    ModeReport report;
    report.mode = mode;
    report.rate = options_.rate;
    report.kiln = kiln.Take(options_.max_lag);
    if (echo) report.echo = echo->Take(options_.max_lag);
    return report;
  }

  absl::StatusOr<ModeReport> SearchMode(CallMode mode) {
    KILN_ASSIGN_OR_RETURN(const std::unique_ptr<Generator> generator,
                          MakeGenerator(mode));
    ModeReport report;
    report.mode = mode;
    const auto probe = [&](double rate) -> absl::StatusOr<Probe> {
      LoadOptions load = LoadOf();
      load.rate = rate;
      KILN_ASSIGN_OR_RETURN(const LoadResult result, generator->Run(load));
      const Probe made = Judge(rate, result);
      tell_(ProbeLine(mode, made));
      // What is reported is the last rate that was met.
      if (made.end == ProbeEnd::kMet || report.kiln.per_second.empty()) {
        report.kiln = Series();
        report.kiln.Add(result);
      }
      return made;
    };
    KILN_ASSIGN_OR_RETURN(report.search, FindMaxRate(options_.search, probe));
    report.kiln.name = absl::StrCat("kiln ", ModeName(mode));
    report.rate = report.search->rate;
    if (report.search->limited_by_generator) {
      report.kiln.complaint = absl::StrFormat(
          "at %.0f requests/s the load tester itself fell behind: the server "
          "may take more than was found. Give it more --connections or "
          "--processes, or cores of its own (taskset).",
          report.search->missed);
    }
    return report;
  }

  // The generator's delay is part of the latencies: an objective that is met
  // in spite of it is met.
  Probe Judge(double rate, const LoadResult& result) const {
    Probe probe;
    probe.rate = rate;
    probe.figures = FiguresOf(*options_.slo, result);
    if (result.failed() == 0 && options_.slo->IsMetBy(result.latencies)) {
      probe.end = ProbeEnd::kMet;
    } else if (GeneratorComplaint(result, options_.max_lag)) {
      probe.end = ProbeEnd::kBehind;
    }
    return probe;
  }

  const BenchOptions& options_;
  const std::function<void(const std::string&)>& tell_;
  std::unique_ptr<ChildServer> echo_;
  std::unique_ptr<ChildServer> kilnd_;
  std::string address_;
  std::unique_ptr<Workload> workload_;
  std::vector<MessageSizes> sizes_;
};

}  // namespace

absl::StatusOr<BenchReport> RunBench(
    const BenchOptions& options,
    const std::function<void(const std::string& line)>& tell) {
  return Bench(options, tell).Run();
}

}  // namespace kiln::client
