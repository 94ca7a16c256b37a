// server/log/log.h
//
// Structured log lines: an event's name and key=value fields, as text for
// people or as one JSON object a line for machines. The event's name is a
// constant; all that varies is in fields, so lines can be counted and filtered
// by event.

#ifndef KILN_SERVER_LOG_LOG_H_
#define KILN_SERVER_LOG_LOG_H_

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/strings/string_view.h"

namespace kiln::server {

enum class LogLevel { kDebug, kInfo, kWarn, kError, kOff };
enum class LogFormat { kText, kJson };

struct LogOptions {
  LogLevel level = LogLevel::kInfo;
  LogFormat format = LogFormat::kText;
};

// One field, written as it is when it was a number, quoted and escaped when it
// was text.
class LogField {
 public:
  LogField(absl::string_view name, absl::string_view text)
      : key(name), value(text), is_text(true) {}
  LogField(absl::string_view name, const std::string& text)
      : LogField(name, absl::string_view(text)) {}
  LogField(absl::string_view name, const char* text)
      : LogField(name, absl::string_view(text)) {}
  LogField(absl::string_view name, int64_t number)
      : key(name), value(std::to_string(number)) {}
  LogField(absl::string_view name, int number)
      : LogField(name, int64_t{number}) {}
  LogField(absl::string_view name, std::chrono::milliseconds duration)
      : LogField(name, int64_t{duration.count()}) {}

  const std::string key;
  const std::string value;
  const bool is_text = false;
};

// Sets level and format of this process's log, which goes to standard error.
// Until it is called only errors are written, as text.
// Requires: called before other threads log.
void InitLog(const LogOptions& options);

// Whether a line of this level would be written: ask before working out fields
// that are not free.
bool LogEnabled(LogLevel level);

// Writes one line. Threads: any.
void Log(LogLevel level, absl::string_view event,
         std::initializer_list<LogField> fields = {});

// The line that Log writes, without the line break. `time` is in UTC.
std::string FormatLogLine(LogFormat format,
                          std::chrono::system_clock::time_point time,
                          LogLevel level, absl::string_view event,
                          std::initializer_list<LogField> fields);

}  // namespace kiln::server

#endif  // KILN_SERVER_LOG_LOG_H_
