#include "client/bench/bench.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/bench/callers/child_server.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr std::chrono::milliseconds kWarmUp{500};
// A plain call is timed for this long; its mean is taken.
constexpr std::chrono::milliseconds kInprocTime{300};

std::chrono::nanoseconds ThreadCpuTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

// CPU of baking one request of the workload by plain calls, on this thread.
std::chrono::nanoseconds MeasureInproc(const Workload& workload) {
  const std::chrono::nanoseconds start = ThreadCpuTime();
  std::chrono::nanoseconds spent{0};
  int64_t rounds = 0;
  do {
    for (const BakeRequest& request : workload.requests()) {
      for (const core::BakeInput& input : request.blocks) {
        core::Bake(input, request.recipe).IgnoreError();
      }
    }
    ++rounds;
    spent = ThreadCpuTime() - start;
  } while (spent < kInprocTime);
  return spent / (rounds * static_cast<int64_t>(workload.requests().size()));
}

// Message sizes of each request, from sending each once.
absl::StatusOr<std::vector<MessageSizes>> MeasureSizes(
    const std::string& address, const Workload& workload) {
  KILN_ASSIGN_OR_RETURN(const BakeClient client, BakeClient::Connect(address));
  std::vector<MessageSizes> sizes;
  for (const BakeRequest& request : workload.requests()) {
    KILN_ASSIGN_OR_RETURN(const BakeReply reply, client.Bake(request));
    sizes.push_back({reply.stats.bytes_sent, reply.stats.bytes_received});
  }
  return sizes;
}

MessageSizes MeanOf(const std::vector<MessageSizes>& sizes) {
  MessageSizes mean;
  for (const MessageSizes& size : sizes) {
    mean.request += size.request;
    mean.response += size.response;
  }
  mean.request /= static_cast<int64_t>(sizes.size());
  mean.response /= static_cast<int64_t>(sizes.size());
  return mean;
}

// One side of a comparison: connections and the server behind them.
class Side {
 public:
  Side(std::string name, const ChildServer* server) : server_(server) {
    series_.name = std::move(name);
  }

  std::vector<std::unique_ptr<Caller>>& callers() { return callers_; }

  void WarmUp(LoadOptions options) {
    options.duration = kWarmUp;
    RunLoad(callers_, options);
  }

  void Round(const LoadOptions& options) {
    const auto before = server_ ? server_->CpuTime() : cpu_;
    series_.Add(RunLoad(callers_, options));
    if (server_) cpu_ += server_->CpuTime() - before;
  }

  Series Take() {
    if (server_ && series_.total.good > 0) {
      series_.server_cpu = cpu_ / series_.total.good;
    }
    return std::move(series_);
  }

 private:
  const ChildServer* const server_;
  std::vector<std::unique_ptr<Caller>> callers_;
  std::chrono::nanoseconds cpu_{0};
  Series series_;
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options) : options_(options) {}

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
      KILN_ASSIGN_OR_RETURN(ModeReport mode_report, RunMode(mode));
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

  absl::StatusOr<ModeReport> RunMode(CallMode mode) {
    const char* const name = mode == CallMode::kUnary ? "unary" : "stream";
    Side kiln(absl::StrCat("kiln ", name), kilnd_.get());
    Side echo(absl::StrCat("echo ", name), echo_.get());
    for (int i = 0; i < options_.connections; ++i) {
      KILN_ASSIGN_OR_RETURN(
          std::unique_ptr<Caller> caller,
          MakeKilnCaller(address_, mode, options_.in_flight, *workload_));
      kiln.callers().push_back(std::move(caller));
      if (echo_ != nullptr) {
        echo.callers().push_back(
            MakeEchoCaller(echo_->address(), mode, sizes_));
      }
    }
    LoadOptions load;
    load.duration =
        std::chrono::nanoseconds(options_.seconds) / options_.rounds;
    load.in_flight = options_.in_flight;
    load.rate = options_.rate;
    load.requests = workload_->requests().size();
    kiln.WarmUp(load);
    if (echo_ != nullptr) echo.WarmUp(load);
    for (int round = 0; round < options_.rounds; ++round) {
      kiln.Round(load);
      if (echo_ != nullptr) echo.Round(load);
    }
    ModeReport report;
    report.mode = mode;
    report.kiln = kiln.Take();
    if (echo_ != nullptr) report.echo = echo.Take();
    return report;
  }

  const BenchOptions& options_;
  std::unique_ptr<ChildServer> echo_;
  std::unique_ptr<ChildServer> kilnd_;
  std::string address_;
  std::unique_ptr<Workload> workload_;
  std::vector<MessageSizes> sizes_;
};

}  // namespace

absl::StatusOr<BenchReport> RunBench(const BenchOptions& options) {
  return Bench(options).Run();
}

}  // namespace kiln::client
