// client/bench/callers/child_server.h
//
// A server that kiln-bench starts itself: kilnd, or the echo server. Both are
// processes of their own, so that what they cost can be told from what the
// load tester costs.

#ifndef KILN_CLIENT_BENCH_CALLERS_CHILD_SERVER_H_
#define KILN_CLIENT_BENCH_CALLERS_CHILD_SERVER_H_

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace kiln::client {

class ChildServer {
 public:
  // Starts `path` with `arguments` and --listen on a free port of loopback.
  // Errors: kUnavailable when it does not serve within ten seconds.
  static absl::StatusOr<std::unique_ptr<ChildServer>> StartKilnd(
      const std::string& path, const std::vector<std::string>& arguments);

  // Forks the echo server. Requires: gRPC has not been used in this process.
  static absl::StatusOr<std::unique_ptr<ChildServer>> ForkEcho();

  // Ends it and waits for that.
  ~ChildServer();
  ChildServer(const ChildServer&) = delete;
  ChildServer& operator=(const ChildServer&) = delete;

  const std::string& address() const { return address_; }
  // Processor time it has used so far, with the kernel's part; a resolution of
  // 10 ms.
  std::chrono::nanoseconds CpuTime() const;

 private:
  ChildServer(pid_t pid, int stop_fd) : pid_(pid), stop_fd_(stop_fd) {}
  absl::Status AwaitPortFile(const std::string& path);

  pid_t pid_;          // -1: it has ended by itself
  const int stop_fd_;  // the child ends when this is closed; -1: by SIGTERM
  std::string address_;
};

// The directory that holds this program.
std::string ProgramDirectory();

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_CALLERS_CHILD_SERVER_H_
