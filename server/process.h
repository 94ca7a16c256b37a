// server/process.h
//
// What a server needs of its process: signals and limits of the system.

#ifndef KILN_SERVER_PROCESS_H_
#define KILN_SERVER_PROCESS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace kiln::server {

// Raises the soft limit on file descriptors to the hard one: 1024, what many
// systems start a process with, is less than --max_connections.
// Returns the limit now.
int64_t RaiseFileLimit();

// Blocks SIGTERM and SIGINT, so that WaitForStopSignal gets them, and ignores
// SIGPIPE. Requires: called before any thread is started.
void PrepareSignals();

// Waits for SIGTERM or SIGINT and returns its name. From then on a second one
// ends the process at once, with status 1.
absl::string_view WaitForStopSignal();

}  // namespace kiln::server

#endif  // KILN_SERVER_PROCESS_H_
