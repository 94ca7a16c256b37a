#include "server/log/log_burst.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "server/limits.h"
#include "server/log/log.h"

namespace kiln::server {

void LogBurst::Note(absl::string_view why, TimePoint now) {
  core::MutexLock lock(mutex_);
  if (in_burst_ > 0 && now - last_ > kBurstQuiet) EndBurst();
  if (in_burst_ == 0) {
    begin_ = now;
    Log(LogLevel::kWarn, event_, {{"why", why}});
  }
  ++in_burst_;
  ++total_;
  last_ = now;
}

void LogBurst::Tick(TimePoint now) {
  core::MutexLock lock(mutex_);
  if (in_burst_ > 0 && now - last_ > kBurstQuiet) EndBurst();
}

void LogBurst::EndBurst() {
  Log(LogLevel::kWarn, absl::StrCat(event_, "_total"),
      {{"count", in_burst_},
       {"ms", std::chrono::duration_cast<std::chrono::milliseconds>(last_ -
                                                                    begin_)}});
  in_burst_ = 0;
}

int64_t LogBurst::total() const {
  core::MutexLock lock(mutex_);
  return total_;
}

}  // namespace kiln::server
