// server/flags.h
//
// kilnd's command line. Every flag is also an environment variable:
// --max_connections is KILN_MAX_CONNECTIONS; the command line wins. Nothing
// outside flags.cc reads a flag: they become options once.

#ifndef KILN_SERVER_FLAGS_H_
#define KILN_SERVER_FLAGS_H_

#include <functional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/options.h"

namespace kiln::server {

// What the command line asks for: to serve, to probe, or to print a text
// (--help,
// --version).
using Command = std::variant<ServerOptions, ProbeOptions, std::string>;

// Reads environment and command line. A flag that does not exist, or whose
// value has the wrong type, ends the process with a message and status 1: that
// is Abseil's way.
//
// Errors: kInvalidArgument for a value outside its range or a malformed
//         environment variable, naming it.
// Requires: called once, before other threads are started.
absl::StatusOr<Command> ReadCommand(int argc, char** argv);

// Parts of ReadCommand, for tests.

// Sets each flag of kilnd that `get` (std::getenv) knows as KILN_<NAME>.
// Errors: kInvalidArgument naming the variable and its value.
absl::Status ApplyEnvironment(
    const std::function<const char*(const char*)>& get);

// The flags as they stand, checked.
absl::StatusOr<ServerOptions> OptionsFromFlags();

// The text of --help: every flag with its default and its variable.
std::string HelpText();

}  // namespace kiln::server

#endif  // KILN_SERVER_FLAGS_H_
