#include "server/log/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <ctime>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace kiln::server {
namespace {

std::atomic<LogFormat> log_format{LogFormat::kText};
std::atomic<LogLevel> log_level{LogLevel::kError};

// spdlog brings the lock, the flush and the sink; the line is ours.
spdlog::logger& Logger() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = std::make_shared<spdlog::logger>(
        "kilnd", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%v");
    made->set_level(spdlog::level::trace);
    return made;
  }();
  return *logger;
}

absl::string_view LevelName(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarn:
      return "warn";
    case LogLevel::kError:
      return "error";
    case LogLevel::kOff:
      break;
  }
  return "off";
}

// "2024-05-01T12:34:56.789Z".
std::string Timestamp(std::chrono::system_clock::time_point time) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                      time.time_since_epoch())
                      .count();
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm utc = {};
  gmtime_r(&seconds, &utc);
  return absl::StrFormat("%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
                         utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                         utc.tm_hour, utc.tm_min, utc.tm_sec, ms % 1000);
}

// A JSON string. Bytes that are not printable ASCII are escaped one by one, so
// that a line is valid JSON whatever a peer put into it.
std::string Quoted(absl::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      absl::StrAppend(&out, "\\", absl::string_view(&c, 1));
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte >= 0x7f) {
      absl::StrAppend(&out, absl::StrFormat("\\u%04x", byte));
    } else {
      out += c;
    }
  }
  out += '"';
  return out;
}

// Whether text can stand in a text line without quotes.
bool IsPlain(absl::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '=') {
      return false;
    }
  }
  return true;
}

}  // namespace

void InitLog(const LogOptions& options) {
  log_format = options.format;
  log_level = options.level;
}

bool LogEnabled(LogLevel level) {
  return level >= log_level.load(std::memory_order_relaxed);
}

void Log(LogLevel level, absl::string_view event,
         std::initializer_list<LogField> fields) {
  if (!LogEnabled(level)) return;
  const std::string line =
      FormatLogLine(log_format.load(std::memory_order_relaxed),
                    std::chrono::system_clock::now(), level, event, fields);
  Logger().info(spdlog::string_view_t(line.data(), line.size()));
}

std::string FormatLogLine(LogFormat format,
                          std::chrono::system_clock::time_point time,
                          LogLevel level, absl::string_view event,
                          std::initializer_list<LogField> fields) {
  std::string line;
  if (format == LogFormat::kText) {
    line = absl::StrCat(Timestamp(time), " ", LevelName(level), " ", event);
    for (const LogField& field : fields) {
      absl::StrAppend(&line, " ", field.key, "=",
                      field.is_text && !IsPlain(field.value)
                          ? Quoted(field.value)
                          : field.value);
    }
    return line;
  }
  line = absl::StrCat("{\"ts\":\"", Timestamp(time), "\",\"level\":\"",
                      LevelName(level), "\",\"event\":", Quoted(event));
  for (const LogField& field : fields) {
    absl::StrAppend(&line, ",", Quoted(field.key), ":",
                    field.is_text ? Quoted(field.value) : field.value);
  }
  absl::StrAppend(&line, "}");
  return line;
}

}  // namespace kiln::server
