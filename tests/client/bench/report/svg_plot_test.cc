#include "client/bench/report/svg_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/bench/report/xml_check.h"

namespace kiln::client {
namespace {

using testing::HasSubstr;

Plot Diagonal() {
  Plot plot;
  plot.title = "a < b";
  plot.lines = {{"line \"1\"", "#000", {{0, 0}, {0.5, 0.5}, {1, 1}}}};
  return plot;
}

TEST(SvgPlot, PointsLieBetweenTheAxesEnds) {
  const std::string svg = SvgPlot(Diagonal());
  EXPECT_EQ(tests::XmlComplaint(svg), "");
  EXPECT_THAT(svg, HasSubstr("points=\"70.0,250.0 410.0,142.0 750.0,34.0 \""));
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
}

TEST(SvgPlot, PointsBeyondAreDrawnAtTheEnd) {
  Plot plot = Diagonal();
  plot.lines[0].points = {{-5, -5}, {9, 9}};
  EXPECT_THAT(SvgPlot(plot), HasSubstr("points=\"70.0,250.0 750.0,34.0 \""));
}

TEST(EscapeXml, OnlyPrintableTextIsLeft) {
  EXPECT_EQ(EscapeXml("a<b>&\"c\"\n"), "a&lt;b&gt;&amp;&quot;c&quot;\n");
  EXPECT_EQ(EscapeXml(absl::string_view("\0\x1b\xff\t~", 5)), "????~");
}

TEST(PlotAxis, LinearTicksAreRoundAndReachTheMaximum) {
  for (const double max : {0.0, 0.3, 1.0, 7.0, 99.0, 100.0, 12345.0}) {
    const PlotAxis axis = LinearAxis("n", max);
    EXPECT_GE(axis.max, max);
    EXPECT_GE(axis.ticks.size(), 2u) << max;
    EXPECT_LE(axis.ticks.size(), 7u) << max;
    EXPECT_DOUBLE_EQ(axis.ticks.back().first, axis.max);
  }
  EXPECT_EQ(LinearAxis("n", 99).ticks[1].second, "20");
}

TEST(PlotAxis, LogTicksAreDecadesWithUnits) {
  const PlotAxis axis = LogTimeAxis(30, 2'000'000);
  ASSERT_EQ(axis.ticks.size(), 7u);
  EXPECT_EQ(axis.ticks.front().second, "10us");
  EXPECT_EQ(axis.ticks[2].second, "1ms");
  EXPECT_EQ(axis.ticks.back().second, "10s");
  EXPECT_GT(LogTimeAxis(100, 100).max, LogTimeAxis(100, 100).min);
  EXPECT_GT(LogTimeAxis(0, 0).max, LogTimeAxis(0, 0).min);
}

}  // namespace
}  // namespace kiln::client
