// client/bench/report/svg_plot.h
//
// A plot of lines as an <svg> element: no script, no style sheet, no network.

#ifndef KILN_CLIENT_BENCH_REPORT_SVG_PLOT_H_
#define KILN_CLIENT_BENCH_REPORT_SVG_PLOT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace kiln::client {

// Values that are drawn are those of the axis itself: whoever wants a
// logarithmic one gives logarithms, and ticks that name what they stand for.
struct PlotAxis {
  std::string label;
  double min = 0;
  double max = 1;  // Requires: > min
  std::vector<std::pair<double, std::string>> ticks;
};

struct PlotLine {
  std::string name;
  std::string color;                              // as in CSS
  std::vector<std::pair<double, double>> points;  // by rising x
};

struct Plot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotLine> lines;
};

// Well-formed XML. Points beyond the axes are drawn at their ends.
std::string SvgPlot(const Plot& plot);

// For the text between tags and in attributes. Bytes that are not printable
// ASCII become "?": messages of errors may hold any.
std::string EscapeXml(absl::string_view text);

// An axis from 0 to at least `max` with about five round ticks.
PlotAxis LinearAxis(const std::string& label, double max);

// A logarithmic axis of times in whole decades that hold min_us..max_us, in
// microseconds: values on it are log10 of them.
PlotAxis LogTimeAxis(double min_us, double max_us);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_REPORT_SVG_PLOT_H_
