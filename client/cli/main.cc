#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "client/cli/command.h"

int main(int argc, char** argv) {
  kiln::client::Console console{.out = std::cout,
                                .err = std::cerr,
                                .err_is_terminal = isatty(STDERR_FILENO) != 0};
  return kiln::client::RunTool(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
      console);
}
