// kilnd: parse flags, serve until told to stop, exit.

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <variant>

#include "server/flags.h"
#include "server/log/log.h"
#include "server/probe.h"
#include "server/process.h"
#include "server/server.h"
#include "server/version.h"

namespace kiln::server {
namespace {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "kilnd: %s\n", std::string(status.message()).c_str());
  return absl::IsInvalidArgument(status) ? 2 : 1;
}

int Serve(const ServerOptions& options) {
  InitLog(options.log);
  PrepareSignals();
  const int64_t files = RaiseFileLimit();
  const auto server = Server::Start(options);
  if (!server.ok()) return Fail(server.status());
  Log(LogLevel::kInfo, "serving",
      {{"version", Version()},
       {"address", (*server)->address()},
       {"threads", (*server)->threads()},
       {"io_threads", (*server)->io_threads()},
       {"cores", core::AvailableCores()},
       {"files", files}});
  Log(LogLevel::kInfo, "draining",
      {{"signal", WaitForStopSignal()},
       {"requests", (*server)->admission().requests_inside()}});
  const bool all_answered = (*server)->Stop(options.drain);
  Log(LogLevel::kInfo, "stopped", {{"all_answered", all_answered ? 1 : 0}});
  return 0;
}

}  // namespace
}  // namespace kiln::server

int main(int argc, char** argv) {
  using namespace kiln::server;  // NOLINT(google-build-using-namespace)
  const auto command = ReadCommand(argc, argv);
  if (!command.ok()) return Fail(command.status());
  if (const auto* text = std::get_if<std::string>(&*command)) {
    return std::fputs(text->c_str(), stdout) < 0 ? 1 : 0;
  }
  if (const auto* probe = std::get_if<ProbeOptions>(&*command)) {
    const absl::Status status = Probe(*probe);
    return status.ok() ? 0 : Fail(status);
  }
  return Serve(std::get<ServerOptions>(*command));
}
