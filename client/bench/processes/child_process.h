// client/bench/processes/child_process.h
//
// Another run of this program, spoken to in lines. Unlike ChildServer it is not
// loaded but loads.

#ifndef KILN_CLIENT_BENCH_PROCESSES_CHILD_PROCESS_H_
#define KILN_CLIENT_BENCH_PROCESSES_CHILD_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kiln::client {

// Threads: one at a time.
class ChildProcess {
 public:
  // Runs this program again with other arguments. Its standard error is ours.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const std::vector<std::string>& arguments);

  // Ends it, and waits for that.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Adds the line's end. Errors: kUnavailable when it has gone.
  absl::Status WriteLine(const std::string& line);
  // Waits for a line; without its end. Errors: kUnavailable when it has gone.
  absl::StatusOr<std::string> ReadLine();

 private:
  ChildProcess(pid_t pid, int to_child, int from_child)
      : pid_(pid), to_child_(to_child), from_child_(from_child) {}

  const pid_t pid_;
  const int to_child_;
  const int from_child_;
  std::string read_;  // and not yet returned
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_PROCESSES_CHILD_PROCESS_H_
