#include "server/flags.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/reflection.h"
#include "absl/flags/usage.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"
#include "server/limits.h"
#include "server/version.h"

// In the order in which an operator meets them; --help sorts by name.
// No flag may be called `port` or `service_host`: Kubernetes sets KILN_PORT and
// KILN_SERVICE_HOST in every pod beside a service named "kiln".
ABSL_FLAG(
    std::string, listen, "0.0.0.0:5456",
    "host:port to listen on; [::]:5456 takes IPv6 and IPv4, port 0 is any "
    "free one (see --port_file)");
ABSL_FLAG(std::string, port_file, "",
          "file that the bound port is written to once calls are answered; "
          "empty: none");
ABSL_FLAG(int, threads, 0,
          "threads that bake, 0..1024; 0: as many as the container's CPU quota "
          "has cores");
ABSL_FLAG(
    int, io_threads, 0,
    "threads that talk gRPC and bake what is too small to hand over, 0..64; "
    "0: half of --threads, at least 1");
ABSL_FLAG(int, max_connections, kiln::server::kDefaultMaxConnections,
          "open connections, 1..1000000; more are closed at once, so that they "
          "do not take the memory of those that are served");
ABSL_FLAG(int, max_concurrent_streams,
          kiln::server::kDefaultMaxConcurrentStreams,
          "open calls of one connection, 1..100000; bounds what one client can "
          "have waiting before it is admitted");
ABSL_FLAG(
    int64_t, max_message_bytes, kiln::server::kDefaultMaxMessageBytes,
    "longest request message in bytes, 1024..1073741823; a dense block of "
    "256^3 voxels at one byte each is 16777216");
ABSL_FLAG(int64_t, max_request_raw_bytes,
          kiln::server::kDefaultMaxRequestRawBytes,
          "bytes that the compressed payloads of one request may become, "
          "1024..1099511627776; checked before anything is decompressed");
ABSL_FLAG(int, max_blocks_per_request,
          kiln::server::kDefaultMaxBlocksPerRequest,
          "blocks of one request, 1..1000000");
ABSL_FLAG(int64_t, max_request_cost, kiln::server::kDefaultMaxRequestCost,
          "estimated cost of one request in voxels of a partition, "
          "1..1000000000000000; a core works off about 1e9 a second, `search` "
          "multiplies with 16^(effort+1)");
ABSL_FLAG(int64_t, queue_cost, kiln::server::kDefaultQueueCost,
          "estimated cost of all requests inside, "
          "--max_request_cost..1000000000000000; beyond it the answer is busy");
ABSL_FLAG(int64_t, queue_bytes, kiln::server::kDefaultQueueBytes,
          "message bytes of all requests inside, "
          "--max_message_bytes..1099511627776; beyond it the answer is busy");
ABSL_FLAG(
    int, max_stream_in_flight, kiln::server::kDefaultMaxStreamInFlight,
    "unanswered requests of one stream, 1..100000; at the bound the stream "
    "is not read");
ABSL_FLAG(int64_t, memory_quota, kiln::server::kDefaultMemoryQuotaBytes,
          "bytes of gRPC's own buffers, 16777216..1099511627776; near it gRPC "
          "reads more slowly");
ABSL_FLAG(int, drain_seconds, kiln::server::kDefaultDrainSeconds,
          "seconds from SIGTERM to exit, 1..3600; keep it below the time after "
          "which your orchestrator kills (Docker 10, Kubernetes 30)");
ABSL_FLAG(int, stall_seconds, kiln::server::kDefaultStallSeconds,
          "seconds, 1..3600, that requests may wait without one being started "
          "before readiness is withdrawn");
ABSL_FLAG(int, keepalive_seconds, 30,
          "seconds, 1..86400, between pings to a silent client, idle ones too; "
          "finds peers that are gone without a word");
ABSL_FLAG(int, keepalive_timeout_seconds, 10,
          "seconds, 1..3600, that a client may take to answer a ping");
ABSL_FLAG(int, min_client_ping_seconds, 5,
          "seconds, 1..86400; a client that pings more often is sent away "
          "(GOAWAY), so clients' keepalive must be longer");
ABSL_FLAG(std::string, log_level, "info", "debug, info, warn, error or off");
ABSL_FLAG(std::string, log_format, "text", "text or json (one object a line)");
ABSL_FLAG(bool, probe, false,
          "ask a running kilnd for its health and exit: 0 if it is SERVING, "
          "else 1");
ABSL_FLAG(std::string, probe_address, "",
          "host:port that --probe asks; empty: the port of --listen, or of "
          "--port_file where that is 0, on loopback");
ABSL_FLAG(std::string, probe_service, "",
          "grpc.health.v1 name that --probe asks for; empty: readiness, "
          "\"liveness\": whether the process is alive");

namespace kiln::server {
namespace {

// Flags that are ours and not a library's.
std::map<std::string, absl::CommandLineFlag*> OwnFlags() {
  std::map<std::string, absl::CommandLineFlag*> own;
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    if (absl::EndsWith(flag->Filename(), "server/flags.cc")) {
      own.emplace(std::string(name), flag);
    }
  }
  return own;
}

std::string VariableName(absl::string_view flag) {
  return absl::StrCat("KILN_", absl::AsciiStrToUpper(flag));
}

template <typename T>
absl::Status CheckRange(absl::string_view flag, T value, int64_t min,
                        int64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return core::RangeError(absl::StrCat("--", flag), value, min, max);
}

// Checks a flag and assigns it.
#define KILN_FLAG_IN_RANGE(target, flag, min, max)                     \
  do {                                                                 \
    const auto value = absl::GetFlag(FLAGS_##flag);                    \
    KILN_RETURN_IF_ERROR(CheckRange(#flag, value, int64_t{min}, max)); \
    target = static_cast<std::decay_t<decltype(target)>>(value);       \
  } while (false)

absl::Status ReadLimits(ServerOptions& options) {
  constexpr int64_t most_cost = 1'000'000'000'000'000;
  constexpr int64_t most_bytes = int64_t{1} << 40;
  RequestOptions& request = options.request;
  AdmissionOptions& admission = options.admission;
  KILN_FLAG_IN_RANGE(options.max_connections, max_connections, 1, 1'000'000);
  KILN_FLAG_IN_RANGE(options.max_concurrent_streams, max_concurrent_streams, 1,
                     100'000);
  // Twice this is gRPC's limit, an int.
  KILN_FLAG_IN_RANGE(request.max_message_bytes, max_message_bytes, 1024,
                     std::numeric_limits<int>::max() / 2);
  KILN_FLAG_IN_RANGE(request.max_raw_bytes, max_request_raw_bytes, 1024,
                     most_bytes);
  KILN_FLAG_IN_RANGE(request.max_blocks, max_blocks_per_request, 1, 1'000'000);
  KILN_FLAG_IN_RANGE(request.max_cost, max_request_cost, 1, most_cost);
  KILN_FLAG_IN_RANGE(admission.queue_cost, queue_cost, request.max_cost,
                     most_cost);
  KILN_FLAG_IN_RANGE(admission.queue_bytes, queue_bytes,
                     request.max_message_bytes, most_bytes);
  KILN_FLAG_IN_RANGE(options.max_stream_in_flight, max_stream_in_flight, 1,
                     100'000);
  KILN_FLAG_IN_RANGE(options.memory_quota_bytes, memory_quota, 16 << 20,
                     most_bytes);
  return absl::OkStatus();
}

absl::Status ReadTimes(ServerOptions& options) {
  constexpr int day = 86'400;
  int seconds = 0;
  KILN_FLAG_IN_RANGE(seconds, drain_seconds, 1, 3600);
  options.drain = std::chrono::seconds(seconds);
  KILN_FLAG_IN_RANGE(seconds, stall_seconds, 1, 3600);
  options.stall = std::chrono::seconds(seconds);
  KILN_FLAG_IN_RANGE(seconds, keepalive_seconds, 1, day);
  options.keepalive.time = std::chrono::seconds(seconds);
  KILN_FLAG_IN_RANGE(seconds, keepalive_timeout_seconds, 1, 3600);
  options.keepalive.timeout = std::chrono::seconds(seconds);
  KILN_FLAG_IN_RANGE(seconds, min_client_ping_seconds, 1, day);
  options.keepalive.min_client_interval = std::chrono::seconds(seconds);
  return absl::OkStatus();
}

// The value that `names` gives to the flag's text.
template <typename T>
absl::Status ReadName(absl::string_view flag, const std::string& text,
                      const std::vector<std::pair<std::string, T>>& names,
                      T& target) {
  std::string allowed;
  for (const auto& [name, value] : names) {
    if (name == text) {
      target = value;
      return absl::OkStatus();
    }
    absl::StrAppend(&allowed, allowed.empty() ? "" : ", ", name);
  }
  return core::FieldError(absl::StrCat("--", flag), text, allowed);
}

absl::Status ReadLog(LogOptions& log) {
  KILN_RETURN_IF_ERROR(ReadName<LogLevel>("log_level",
                                          absl::GetFlag(FLAGS_log_level),
                                          {{"debug", LogLevel::kDebug},
                                           {"info", LogLevel::kInfo},
                                           {"warn", LogLevel::kWarn},
                                           {"error", LogLevel::kError},
                                           {"off", LogLevel::kOff}},
                                          log.level));
  return ReadName<LogFormat>(
      "log_format", absl::GetFlag(FLAGS_log_format),
      {{"text", LogFormat::kText}, {"json", LogFormat::kJson}}, log.format);
}

#undef KILN_FLAG_IN_RANGE

// Where --probe asks when it is not told: beside it, in the same container.
absl::StatusOr<ProbeOptions> ProbeFromFlags() {
  ProbeOptions probe;
  probe.service = absl::GetFlag(FLAGS_probe_service);
  probe.address = absl::GetFlag(FLAGS_probe_address);
  if (!probe.address.empty()) return probe;
  const std::string listen = absl::GetFlag(FLAGS_listen);
  std::string port = listen.substr(listen.rfind(':') + 1);
  if (port == "0") {
    port.clear();
    std::ifstream(absl::GetFlag(FLAGS_port_file)) >> port;
  }
  if (port.empty()) {
    return core::FieldError("--probe_address", "(empty)",
                            "host:port, where --listen has port 0 and there is "
                            "no --port_file");
  }
  // A server that listens on one address only is asked there.
  const std::string host = listen.substr(0, listen.rfind(':'));
  const bool any = host.empty() || host == "0.0.0.0" || host == "[::]";
  probe.address = absl::StrCat(any ? "127.0.0.1" : host, ":", port);
  return probe;
}

// Abseil's own --help exits with 1 and says nothing of flags outside main's
// file, so both are answered here.
std::optional<std::string> TextAskedFor(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--") break;
    if (argument == "--help" || argument == "-help" || argument == "-h") {
      return HelpText();
    }
    if (argument == "--version" || argument == "-version") {
      return absl::StrCat("kilnd ", Version(), "\n");
    }
  }
  return std::nullopt;
}

}  // namespace

absl::Status ApplyEnvironment(
    const std::function<const char*(const char*)>& get) {
  for (const auto& [name, flag] : OwnFlags()) {
    const std::string variable = VariableName(name);
    const char* value = get(variable.c_str());
    std::string error;
    if (value != nullptr && !flag->ParseFrom(value, &error)) {
      return core::FieldError(
          variable, value,
          absl::StrCat("a value of --", name, " (", flag->Help(), ")"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ServerOptions> OptionsFromFlags() {
  ServerOptions options;
  options.listen = absl::GetFlag(FLAGS_listen);
  options.port_file = absl::GetFlag(FLAGS_port_file);
  options.threads = absl::GetFlag(FLAGS_threads);
  KILN_RETURN_IF_ERROR(CheckRange("threads", options.threads, 0, 1024));
  options.io_threads = absl::GetFlag(FLAGS_io_threads);
  KILN_RETURN_IF_ERROR(
      CheckRange("io_threads", options.io_threads, 0, kMaxIoThreads));
  KILN_RETURN_IF_ERROR(ReadLimits(options));
  KILN_RETURN_IF_ERROR(ReadTimes(options));
  KILN_RETURN_IF_ERROR(ReadLog(options.log));
  return options;
}

std::string HelpText() {
  std::string text = absl::StrCat("kilnd ", Version(),
                                  ": bakes collision as a network service\n\n"
                                  "usage: kilnd [--flag=value ...]\n\n"
                                  "Each flag can also be given as the "
                                  "environment variable KILN_<FLAG>, in\n"
                                  "upper case: --log_level=debug is "
                                  "KILN_LOG_LEVEL=debug. The command line\n"
                                  "wins. Exit status: 0 after SIGTERM or "
                                  "SIGINT and a drain, 2 for a wrong\n"
                                  "value, 1 for all else.\n\n");
  for (const auto& [name, flag] : OwnFlags()) {
    const std::string value = flag->DefaultValue();
    absl::StrAppend(&text, "  --", name, "  (default ",
                    value.empty() ? "\"\"" : value, ")\n      ", flag->Help(),
                    "\n");
  }
  return text;
}

absl::StatusOr<Command> ReadCommand(int argc, char** argv) {
  if (std::optional<std::string> text = TextAskedFor(argc, argv)) {
    return Command(*std::move(text));
  }
  absl::SetProgramUsageMessage("kilnd [--flag=value ...]; see kilnd --help");
  KILN_RETURN_IF_ERROR(
      ApplyEnvironment([](const char* name) { return std::getenv(name); }));
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    return core::FieldError("argument", rest[1],
                            "--flag=value only; see kilnd --help");
  }
  if (absl::GetFlag(FLAGS_probe)) {
    KILN_ASSIGN_OR_RETURN(ProbeOptions probe, ProbeFromFlags());
    return Command(std::move(probe));
  }
  KILN_ASSIGN_OR_RETURN(ServerOptions options, OptionsFromFlags());
  return Command(std::move(options));
}

}  // namespace kiln::server
