// tests/client/cli/tool_runner.h
//
// The `kiln` tool inside a test's process: what it would have printed and its
// exit code.

#ifndef KILN_TESTS_CLIENT_CLI_TOOL_RUNNER_H_
#define KILN_TESTS_CLIENT_CLI_TOOL_RUNNER_H_

#include <sstream>
#include <string>
#include <vector>

#include "client/cli/command.h"
#include "client/cli/console.h"

namespace kiln::tests {

struct ToolOutcome {
  int code = 0;
  std::string out;
  std::string err;
};

// Runs `kiln WORDS...`, with neither stream a terminal.
inline ToolOutcome Kiln(const std::vector<std::string>& words) {
  std::ostringstream out, err;
  client::Console console{.out = out, .err = err};
  ToolOutcome outcome;
  outcome.code = client::RunTool(words, console);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

}  // namespace kiln::tests

#endif  // KILN_TESTS_CLIENT_CLI_TOOL_RUNNER_H_
