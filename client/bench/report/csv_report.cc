#include "client/bench/report/csv_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/bench/measure/duration_text.h"
#include "client/bench/report/percentiles.h"

namespace kiln::client {
namespace {

std::string Line(const std::string& series, const std::string& second,
                 const TimeRow& row) {
  std::string line = absl::StrCat(series, ",", second, ",", row.requests, ",",
                                  row.answers, ",", row.errors);
  const LatencyHistogram& latencies = row.latencies;
  absl::StrAppendFormat(&line, ",%.1f,%.1f", Microseconds(latencies.min()),
                        Microseconds(latencies.mean()));
  for (const NamedPercentile& percentile : kPercentiles) {
    absl::StrAppendFormat(
        &line, ",%.1f",
        Microseconds(latencies.Percentile(percentile.fraction)));
  }
  absl::StrAppendFormat(&line, ",%.1f\n", Microseconds(latencies.max()));
  return line;
}

TimeRow WholeOf(const LoadResult& total) {
  TimeRow row;
  row.requests = total.good + total.failed();
  row.answers = total.good;
  row.errors = total.failed();
  row.latencies = total.latencies;
  return row;
}

}  // namespace

std::string ReportCsv(const BenchReport& report) {
  std::string text = "series,second,requests,answers,errors,min_us,mean_us";
  for (const NamedPercentile& percentile : kPercentiles) {
    absl::StrAppend(&text, ",", percentile.name, "_us");
  }
  text += ",max_us\n";
  for (const Series* series : report.AllSeries()) {
    const TimeSeries& rows = series->total.series;
    for (size_t i = 0; i < rows.size(); ++i) {
      text += Line(series->name, absl::StrCat(i), rows.Row(i));
    }
    text += Line(series->name, "all", WholeOf(series->total));
  }
  return text;
}

}  // namespace kiln::client
