#include "client/cli/progress_bar.h"

#include "absl/strings/str_cat.h"

namespace kiln::client {

ProgressBar::~ProgressBar() {
  if (width_ == 0) return;
  console_.err << '\r' << std::string(width_, ' ') << '\r';
  console_.err.flush();
}

void ProgressBar::Show(int64_t done, int64_t total) {
  constexpr int64_t kCells = 30;
  if (!console_.err_is_terminal || total <= 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_ && done < total) return;
  next_ = now + std::chrono::milliseconds(100);
  const int64_t filled = done * kCells / total;
  std::string line =
      absl::StrCat("[", std::string(static_cast<size_t>(filled), '#'),
                   std::string(static_cast<size_t>(kCells - filled), '.'), "] ",
                   done, "/", total, " ", what_);
  const size_t width = line.size();
  if (width < width_) line.resize(width_, ' ');
  width_ = width;
  console_.err << '\r' << line;
  console_.err.flush();
}

}  // namespace kiln::client
