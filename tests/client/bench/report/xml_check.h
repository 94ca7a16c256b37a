// tests/client/bench/report/xml_check.h
//
// Whether a text is well-formed XML, as far as a report needs it: tags that
// nest, attributes in quotes, references that exist.

#ifndef KILN_TESTS_CLIENT_BENCH_REPORT_XML_CHECK_H_
#define KILN_TESTS_CLIENT_BENCH_REPORT_XML_CHECK_H_

#include <regex>
#include <string>
#include <vector>

namespace kiln::tests {

// Empty where it is; else what is wrong.
inline std::string XmlComplaint(const std::string& text) {
  static const std::regex tag(
      R"re(<(/?)([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+="[^"<]*")*)(/?)>)re");
  static const std::regex reference("&(amp|lt|gt|quot);");
  std::vector<std::string> open;
  size_t at = 0;
  while (at < text.size()) {
    const auto rest = text.begin() + static_cast<std::ptrdiff_t>(at);
    std::smatch match;
    if (text[at] == '<') {
      if (!std::regex_search(rest, text.end(), match, tag,
                             std::regex_constants::match_continuous)) {
        return "no tag: " + text.substr(at, 60);
      }
      if (match[1].length() > 0) {
        if (open.empty() || open.back() != match[2]) {
          return "closes nothing: " + match.str();
        }
        open.pop_back();
      } else if (match[4].length() == 0) {
        open.push_back(match[2]);
      }
      at += static_cast<size_t>(match.length());
    } else if (text[at] == '&') {
      if (!std::regex_search(rest, text.end(), match, reference,
                             std::regex_constants::match_continuous)) {
        return "no reference: " + text.substr(at, 60);
      }
      at += static_cast<size_t>(match.length());
    } else {
      ++at;
    }
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

}  // namespace kiln::tests

#endif  // KILN_TESTS_CLIENT_BENCH_REPORT_XML_CHECK_H_
