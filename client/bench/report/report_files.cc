#include "client/bench/report/report_files.h"

#include <cerrno>
#include <cstdio>
#include <string>

#include "client/bench/report/csv_report.h"
#include "client/bench/report/html_report.h"
#include "client/bench/report/json_report.h"
#include "client/bench/report/table_report.h"
#include "client/formats/file_io.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr char kStandardOutput[] = "-";

absl::Status Print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    return core::SystemError("standard output", errno);
  }
  return absl::OkStatus();
}

absl::Status Write(const std::string& path, const std::string& text) {
  return path == kStandardOutput ? Print(text) : WriteFile(path, text);
}

}  // namespace

absl::Status WriteReports(const BenchOptions& options,
                          const BenchReport& report) {
  const std::string& json = options.json_file;
  const std::string& csv = options.csv_file;
  const std::string& html = options.html_file;
  // First: a file that cannot be written must not cost the figures.
  if (json != kStandardOutput && csv != kStandardOutput &&
      html != kStandardOutput) {
    KILN_RETURN_IF_ERROR(Print(ReportTable(options, report)));
  }
  if (!json.empty()) {
    KILN_RETURN_IF_ERROR(Write(json, ReportJson(options, report)));
  }
  if (!csv.empty()) KILN_RETURN_IF_ERROR(Write(csv, ReportCsv(report)));
  if (!html.empty()) {
    KILN_RETURN_IF_ERROR(Write(html, ReportHtml(options, report)));
  }
  return absl::OkStatus();
}

}  // namespace kiln::client
