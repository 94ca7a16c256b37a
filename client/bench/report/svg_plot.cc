#include "client/bench/report/svg_plot.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "client/bench/measure/duration_text.h"

namespace kiln::client {
namespace {

// Pixels of the picture and of the part that is drawn on.
constexpr double kWidth = 760;
constexpr double kHeight = 300;
constexpr double kLeft = 70;
constexpr double kRight = 750;
constexpr double kTop = 34;
constexpr double kBottom = 250;
constexpr double kKeyStep = 130;  // from one name of a line to the next

// The place of a value between two pixels.
double Place(const PlotAxis& axis, double value, double from, double to) {
  const double part = (value - axis.min) / (axis.max - axis.min);
  return from + (to - from) * std::clamp(part, 0.0, 1.0);
}

double PlaceX(const Plot& plot, double x) {
  return Place(plot.x, x, kLeft, kRight);
}
double PlaceY(const Plot& plot, double y) {
  return Place(plot.y, y, kBottom, kTop);
}

std::string Text(double x, double y, const char* anchor,
                 absl::string_view text) {
  return absl::StrFormat(
      "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s"
      "</text>\n",
      x, y, anchor, EscapeXml(text));
}

std::string Grid(const Plot& plot) {
  std::string svg;
  constexpr char kLine[] =
      "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
      "stroke=\"#ddd\"/>\n";
  for (const auto& [value, name] : plot.x.ticks) {
    const double x = PlaceX(plot, value);
    absl::StrAppendFormat(&svg, kLine, x, kTop, x, kBottom);
    svg += Text(x, kBottom + 16, "middle", name);
  }
  for (const auto& [value, name] : plot.y.ticks) {
    const double y = PlaceY(plot, value);
    absl::StrAppendFormat(&svg, kLine, kLeft, y, kRight, y);
    svg += Text(kLeft - 6, y + 4, "end", name);
  }
  return svg;
}

std::string Lines(const Plot& plot) {
  std::string svg;
  double key_x = kLeft;
  for (const PlotLine& line : plot.lines) {
    std::string points;
    for (const auto& [x, y] : line.points) {
      absl::StrAppendFormat(&points, "%.1f,%.1f ", PlaceX(plot, x),
                            PlaceY(plot, y));
    }
    absl::StrAppendFormat(
        &svg,
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" "
        "points=\"%s\"/>\n",
        EscapeXml(line.color), points);
    absl::StrAppendFormat(
        &svg,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
        "stroke-width=\"3\"/>\n",
        key_x, kHeight - 8, key_x + 18, kHeight - 8, EscapeXml(line.color));
    svg += Text(key_x + 23, kHeight - 4, "start", line.name);
    key_x += kKeyStep;
  }
  return svg;
}

// 1, 2 or 5 times a power of ten, at least `value`.
double RoundUp(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= value) return step * power;
  }
  return 10 * power;
}

}  // namespace

std::string EscapeXml(absl::string_view text) {
  std::string printable(text);
  for (char& byte : printable) {
    if (byte != '\n' &&
        !absl::ascii_isprint(static_cast<unsigned char>(byte))) {
      byte = '?';
    }
  }
  return absl::StrReplaceAll(
      printable,
      {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string SvgPlot(const Plot& plot) {
  return absl::StrCat(
      absl::StrFormat("<svg viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" "
                      "role=\"img\">\n<title>%s</title>\n",
                      kWidth, kHeight, kWidth, kHeight, EscapeXml(plot.title)),
      Text(kLeft, 18, "start", plot.title),
      Text(kRight, 18, "end", plot.y.label), Grid(plot), Lines(plot),
      Text(kRight, kHeight - 4, "end", plot.x.label), "</svg>\n");
}

PlotAxis LinearAxis(const std::string& label, double max) {
  PlotAxis axis;
  axis.label = label;
  const double step = RoundUp(std::max(max, 1e-9) / 5);
  axis.max = step * std::max(1.0, std::ceil(max / step));
  const int ticks = static_cast<int>(std::lround(axis.max / step));
  for (int i = 0; i <= ticks; ++i) {
    axis.ticks.emplace_back(i * step, absl::StrFormat("%g", i * step));
  }
  return axis;
}

PlotAxis LogTimeAxis(double min_us, double max_us) {
  constexpr double kLeastUs = 1e-3;
  PlotAxis axis;
  axis.label = "latency";
  axis.min = std::floor(std::log10(std::max(min_us, kLeastUs)));
  axis.max = std::ceil(std::log10(std::max(max_us, kLeastUs)));
  if (axis.max <= axis.min) axis.max = axis.min + 1;
  for (double decade = axis.min; decade <= axis.max; decade += 1) {
    const double ns = std::pow(10, decade + 3);
    axis.ticks.emplace_back(
        decade, DurationText(std::chrono::nanoseconds(std::llround(ns))));
  }
  return axis;
}

}  // namespace kiln::client
