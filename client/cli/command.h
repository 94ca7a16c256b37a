// client/cli/command.h
//
// A command of the `kiln` tool as data: what it is called, what it takes, how
// it is explained, what runs it. Help and parsing read the same lists.

#ifndef KILN_CLIENT_CLI_COMMAND_H_
#define KILN_CLIENT_CLI_COMMAND_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "client/cli/arguments.h"
#include "client/cli/console.h"

namespace kiln::client {

struct Command {
  absl::string_view name;
  absl::string_view usage;    // words and options, after "kiln "
  absl::string_view summary;  // one line, for the list of commands
  absl::string_view details;  // paragraphs, may be empty
  std::span<const OptionSpec> options;
  absl::Status (*run)(const Arguments& arguments, Console& console);
};

// All commands but help, in the order in which help lists them.
std::span<const Command> AllCommands();

// Exit codes of the tool.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  // the reason is on `console.err`
inline constexpr int kExitUsage = 2;   // the command line cannot be understood

// Runs the tool. `words` are the arguments after the program's name.
int RunTool(const std::vector<std::string>& words, Console& console);

}  // namespace kiln::client

#endif  // KILN_CLIENT_CLI_COMMAND_H_
