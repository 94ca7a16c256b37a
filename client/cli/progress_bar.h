// client/cli/progress_bar.h
//
// A bar on a terminal; nothing where nobody looks (Console::err_is_terminal).

#ifndef KILN_CLIENT_CLI_PROGRESS_BAR_H_
#define KILN_CLIENT_CLI_PROGRESS_BAR_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "client/cli/console.h"

namespace kiln::client {

// Not thread-safe.
class ProgressBar {
 public:
  // `what` is counted: "blocks".
  ProgressBar(Console& console, std::string what)
      : console_(console), what_(std::move(what)) {}
  // Wipes the bar.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Draws, at most ten times a second.
  void Show(int64_t done, int64_t total);

 private:
  Console& console_;
  std::string what_;
  size_t width_ = 0;  // characters on the screen
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_CLI_PROGRESS_BAR_H_
