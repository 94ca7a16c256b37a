#include "client/bench/report/html_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/bench/measure/duration_text.h"
#include "client/bench/report/percentiles.h"
#include "client/bench/report/svg_plot.h"
#include "client/bench/report/table_report.h"

namespace kiln::client {
namespace {

constexpr const char* kColors[] = {"#1f6fb4", "#d95f02", "#2a9d4a", "#8e44ad"};

constexpr char kStyle[] =
    "body{font:14px/1.45 sans-serif;margin:2em auto;max-width:60em;"
    "color:#222;background:#fff}"
    "table{border-collapse:collapse;margin:1em 0}"
    "th,td{padding:.25em .7em;text-align:right;border-bottom:1px solid #ddd}"
    "th:first-child,td:first-child{text-align:left}"
    "pre{background:#f6f6f6;padding:1em;overflow-x:auto}"
    ".bad{background:#fde8e8;border-left:4px solid #c00;padding:.5em 1em}"
    "svg{max-width:100%;height:auto}svg text{font:11px sans-serif;fill:#333}";

// Percentiles on the x axis are log10(1 / (1 - fraction)): as much room from
// 99 % to 99.9 % as from 90 % to 99 %.
PlotAxis PercentileAxis(double decades) {
  PlotAxis axis;
  axis.label = "percentile";
  axis.max = std::max(1.0, decades);
  axis.ticks = {{0, "0"}, {std::log10(2.0), "p50"}};
  for (int decade = 1; decade <= static_cast<int>(axis.max); ++decade) {
    axis.ticks.emplace_back(
        decade, absl::StrFormat("p%.12g", 100 - std::pow(10, 2 - decade)));
  }
  return axis;
}

double LogUs(std::chrono::nanoseconds time) {
  return std::log10(std::max(Microseconds(time), 1e-3));
}

std::string PercentilePlot(const std::vector<const Series*>& all) {
  constexpr double kStepsPerDecade = 50;
  Plot plot;
  plot.title = "Latency by percentile";
  double decades = 1, min_us = 1e12, max_us = 1e-3;
  for (const Series* series : all) {
    const LatencyHistogram& latencies = series->total.latencies;
    if (latencies.count() == 0) continue;
    const auto count = static_cast<double>(latencies.count());
    PlotLine line{series->name, kColors[plot.lines.size() % 4], {}};
    const double end = std::log10(count);
    for (double x = 0; x < end; x += 1 / kStepsPerDecade) {
      line.points.emplace_back(
          x, LogUs(latencies.Percentile(1 - std::pow(10, -x))));
    }
    line.points.emplace_back(end, LogUs(latencies.max()));
    plot.lines.push_back(std::move(line));
    decades = std::max(decades, end);
    min_us = std::min(min_us, Microseconds(latencies.min()));
    max_us = std::max(max_us, Microseconds(latencies.max()));
  }
  plot.x = PercentileAxis(decades);
  plot.y = LogTimeAxis(std::min(min_us, max_us), max_us);
  return SvgPlot(plot);
}

PlotLine LineOf(const char* name, size_t color,
                const std::vector<TimeRow>& rows,
                const std::function<double(const TimeRow&)>& value) {
  PlotLine line{name, kColors[color], {}};
  for (size_t i = 0; i < rows.size(); ++i) {
    line.points.emplace_back(static_cast<double>(i), value(rows[i]));
  }
  return line;
}

PlotAxis SecondsAxis(size_t rows) {
  const double last = static_cast<double>(std::max<size_t>(rows, 2) - 1);
  PlotAxis axis = LinearAxis("seconds", last);
  axis.max = last;
  while (axis.ticks.back().first > last) axis.ticks.pop_back();
  return axis;
}

std::string RatePlot(const Series& series, const std::vector<TimeRow>& rows) {
  double most = 1;
  for (const TimeRow& row : rows) {
    most = std::max({most, static_cast<double>(row.requests),
                     static_cast<double>(row.answers)});
  }
  Plot plot;
  plot.title = series.name + ": requests and answers in each second";
  plot.x = SecondsAxis(rows.size());
  plot.y = LinearAxis("a second", most);
  plot.lines = {LineOf("requests", 0, rows,
                       [](const TimeRow& row) {
                         return static_cast<double>(row.requests);
                       }),
                LineOf("answers", 2, rows, [](const TimeRow& row) {
                  return static_cast<double>(row.answers);
                })};
  return SvgPlot(plot);
}

std::string LatencyPlot(const Series& series, std::vector<TimeRow> rows) {
  // Seconds in which nothing was due have no latency.
  while (!rows.empty() && rows.back().latencies.count() == 0) rows.pop_back();
  if (rows.empty()) return "";
  Plot plot;
  plot.title = series.name + ": latency of the requests of each second";
  plot.x = SecondsAxis(rows.size());
  plot.y =
      LogTimeAxis(Microseconds(std::max(series.total.latencies.Percentile(0.05),
                                        std::chrono::nanoseconds(1000))),
                  Microseconds(series.total.latencies.max()));
  plot.lines = {LineOf("p50", 2, rows,
                       [](const TimeRow& row) {
                         return LogUs(row.latencies.Percentile(0.5));
                       }),
                LineOf("p99", 0, rows,
                       [](const TimeRow& row) {
                         return LogUs(row.latencies.Percentile(0.99));
                       }),
                LineOf("max", 1, rows, [](const TimeRow& row) {
                  return LogUs(row.latencies.max());
                })};
  return SvgPlot(plot);
}

std::string SeriesPlots(const Series& series) {
  std::vector<TimeRow> rows;
  for (size_t i = 0; i < series.total.series.size(); ++i) {
    rows.push_back(series.total.series.Row(i));
  }
  // What was answered after the end would look like a fall of the rate.
  while (!rows.empty() && rows.back().requests == 0) rows.pop_back();
  if (rows.empty()) return "";
  return absl::StrCat(RatePlot(series, rows), LatencyPlot(series, rows));
}

std::string Cell(const std::string& text) {
  return absl::StrCat("<td>", EscapeXml(text), "</td>");
}

std::string LatencyTable(const std::vector<const Series*>& all) {
  std::string html = "<table>\n<tr><th></th><th>requests/s</th>";
  for (const NamedPercentile& percentile : kPercentiles) {
    absl::StrAppend(&html, "<th>", percentile.name, "</th>");
  }
  html += "<th>max</th><th>failed</th></tr>\n";
  for (const Series* series : all) {
    const LatencyHistogram& latencies = series->total.latencies;
    absl::StrAppend(&html, "<tr>", Cell(series->name),
                    Cell(absl::StrFormat("%.0f", series->total.PerSecond())));
    for (const NamedPercentile& percentile : kPercentiles) {
      html += Cell(DurationText(latencies.Percentile(percentile.fraction)));
    }
    absl::StrAppend(&html, Cell(DurationText(latencies.max())),
                    Cell(absl::StrCat(series->total.failed())), "</tr>\n");
  }
  return html + "</table>\n";
}

std::string ProbeTable(const BenchReport& report) {
  std::string html;
  for (const ModeReport& mode : report.modes) {
    if (!mode.search) continue;
    absl::StrAppend(&html,
                    "<h2>Search for the highest rate: ", ModeName(mode.mode),
                    "</h2>\n<pre>");
    for (const Probe& probe : mode.search->probes) {
      html += EscapeXml(ProbeLine(mode.mode, probe));
    }
    html += "</pre>\n";
  }
  return html;
}

}  // namespace

std::string ReportHtml(const BenchOptions& options, const BenchReport& report) {
  const std::vector<const Series*> all = report.AllSeries();
  std::string html = absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"/>"
      "<title>kiln-bench</title>\n<style>",
      kStyle, "</style></head>\n<body>\n<h1>kiln-bench</h1>\n");
  for (const Series* series : all) {
    if (!series->complaint) continue;
    absl::StrAppend(&html, "<p class=\"bad\">", EscapeXml(series->name), ": ",
                    EscapeXml(*series->complaint), "</p>\n");
  }
  absl::StrAppend(&html, LatencyTable(all), PercentilePlot(all));
  for (const Series* series : all) html += SeriesPlots(*series);
  absl::StrAppend(&html, ProbeTable(report), "<h2>As text</h2>\n<pre>",
                  EscapeXml(ReportTable(options, report)),
                  "</pre>\n</body>\n</html>\n");
  return html;
}

}  // namespace kiln::client
