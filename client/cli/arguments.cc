#include "client/cli/arguments.h"

#include <algorithm>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client/cli/errors.h"
#include "core/base/errors.h"

namespace kiln::client {
namespace {

// Letters to add, remove or change to make one word of the other.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row[b.size()];
}

absl::Status UnknownOption(absl::string_view name,
                           std::span<const OptionSpec> known) {
  std::vector<std::string> names;
  for (const OptionSpec& option : known) names.emplace_back(option.name);
  const std::string nearest = Nearest(name, names);
  return UsageError(absl::StrCat(
      "unknown option --", name,
      nearest.empty() ? "" : absl::StrCat("; did you mean --", nearest, "?")));
}

}  // namespace

std::string Nearest(absl::string_view word,
                    const std::vector<std::string>& candidates) {
  std::string nearest;
  // Two letters in the wrong order are two changes; more than a third of the
  // word is a guess.
  const size_t most =
      word.size() < 4 ? 1 : std::max<size_t>(2, word.size() / 3);
  size_t best = most + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = EditDistance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

absl::StatusOr<Arguments> Arguments::Parse(std::span<const std::string> words,
                                           std::span<const OptionSpec> known) {
  Arguments result;
  bool only_words = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--" && !only_words) {
      only_words = true;
      continue;
    }
    if (only_words || !absl::StartsWith(word, "--")) {
      if (!only_words && word.size() > 1 && word[0] == '-') {
        return UsageError(
            absl::StrCat("unknown option ", word, "; options begin with --"));
      }
      result.words_.push_back(word);
      continue;
    }
    const size_t equals = word.find('=');
    const bool has_value = equals != std::string::npos;
    const std::string name =
        word.substr(2, has_value ? equals - 2 : std::string::npos);
    const auto spec =
        std::find_if(known.begin(), known.end(),
                     [&](const OptionSpec& o) { return o.name == name; });
    if (spec == known.end()) return UnknownOption(name, known);
    std::string value = has_value ? word.substr(equals + 1) : "";
    if (spec->value.empty() && has_value) {
      return UsageError(absl::StrCat("--", name, " takes no value"));
    }
    if (!spec->value.empty() && !has_value) {
      if (i + 1 == words.size()) {
        return UsageError(absl::StrCat("--", name, " needs a value: --", name,
                                       " ", spec->value));
      }
      value = words[++i];
    }
    if (!result.options_.emplace(name, value).second) {
      return UsageError(absl::StrCat("--", name, " is given twice"));
    }
  }
  return result;
}

bool Arguments::Has(absl::string_view option) const {
  return options_.find(std::string(option)) != options_.end();
}

std::string Arguments::Text(absl::string_view option,
                            absl::string_view otherwise) const {
  const auto found = options_.find(std::string(option));
  return found == options_.end() ? std::string(otherwise) : found->second;
}

absl::StatusOr<int64_t> Arguments::Number(absl::string_view option,
                                          int64_t otherwise, int64_t min,
                                          int64_t max) const {
  const auto found = options_.find(std::string(option));
  if (found == options_.end()) return otherwise;
  int64_t value = 0;
  const std::string name = absl::StrCat("--", option);
  if (!absl::SimpleAtoi(found->second, &value)) {
    return UsageError(
        core::FieldError(name, absl::StrCat("\"", found->second, "\""),
                         max == std::numeric_limits<int64_t>::max()
                             ? absl::StrCat("a number from ", min)
                             : absl::StrCat(min, "..", max)));
  }
  if (value < min || value > max) {
    return UsageError(core::RangeError(name, value, min, max));
  }
  return value;
}

absl::Status Arguments::ExpectWords(size_t min, size_t max,
                                    absl::string_view what) const {
  if (words_.size() < min) {
    return UsageError(absl::StrCat("missing ", what));
  }
  if (words_.size() > max) {
    return UsageError(absl::StrCat("unexpected word \"", words_[max], "\""));
  }
  return absl::OkStatus();
}

}  // namespace kiln::client
