#include "client/bench/report/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/bench/report/sample_report.h"
#include "tests/client/bench/report/xml_check.h"

namespace kiln::client {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kDoctype[] = "<!DOCTYPE html>\n";

std::string Sample() {
  return ReportHtml(tests::SampleOptions(), tests::SampleReport());
}

TEST(HtmlReport, IsWellFormed) {
  const std::string html = Sample();
  ASSERT_THAT(html, StartsWith(kDoctype));
  EXPECT_EQ(tests::XmlComplaint(html.substr(sizeof(kDoctype) - 1)), "");
}

TEST(HtmlReport, LoadsNothingAndRunsNothing) {
  const std::string html = Sample();
  // The message of the sample's error holds src= behind &quot;, as text.
  for (const char* loads : {"src=\"", "href=", "data=\"", "url(", "@import",
                            "<script", "<link", "<iframe", "onload="}) {
    EXPECT_THAT(html, Not(HasSubstr(loads)));
  }
}

TEST(HtmlReport, ShowsPlotsTablesAndTheComplaint) {
  const std::string html = Sample();
  size_t plots = 0;
  for (size_t at = html.find("<svg"); at != std::string::npos;
       at = html.find("<svg", at + 1)) {
    ++plots;
  }
  EXPECT_EQ(plots, 5u);  // percentiles; rate and latency of two series
  for (const char* part :
       {"p99.99", "kiln unary", "echo unary", "fell behind &lt;a&gt;",
        "100.0/s", "missed", "seconds"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
}

TEST(HtmlReport, NothingMeasuredIsStillAPage) {
  BenchReport report;
  report.modes.emplace_back().kiln.name = "kiln unary";
  const std::string html = ReportHtml({}, report);
  EXPECT_EQ(tests::XmlComplaint(html.substr(sizeof(kDoctype) - 1)), "");
}

}  // namespace
}  // namespace kiln::client
