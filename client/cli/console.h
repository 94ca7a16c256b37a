// client/cli/console.h
//
// Where a command writes: results to `out`, all else to `err`. Tests give it
// string streams.

#ifndef KILN_CLIENT_CLI_CONSOLE_H_
#define KILN_CLIENT_CLI_CONSOLE_H_

#include <ostream>

namespace kiln::client {

struct Console {
  std::ostream& out;
  std::ostream& err;
  // Whether somebody looks at `err`: progress is drawn only then.
  bool err_is_terminal = false;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_CLI_CONSOLE_H_
