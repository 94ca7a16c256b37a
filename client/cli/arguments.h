// client/cli/arguments.h
//
// Options and words of one command line, parsed against the options a command
// knows. Written for subcommands, which Abseil's flags do not have.

#ifndef KILN_CLIENT_CLI_ARGUMENTS_H_
#define KILN_CLIENT_CLI_ARGUMENTS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kiln::client {

struct OptionSpec {
  absl::string_view name;   // without the dashes
  absl::string_view value;  // what it takes ("N"); empty: a switch
  absl::string_view help;   // one or more lines
};

class Arguments {
 public:
  // Reads "--name=value", "--name value", "--switch" and words; after "--" all
  // are words.
  //
  // Errors: usage errors, for an option that is not in `known` (naming the
  //         nearest that is), one given twice, a missing or needless value.
  static absl::StatusOr<Arguments> Parse(std::span<const std::string> words,
                                         std::span<const OptionSpec> known);

  const std::vector<std::string>& words() const { return words_; }

  bool Has(absl::string_view option) const;
  // `otherwise` where the option is not given.
  std::string Text(absl::string_view option,
                   absl::string_view otherwise = "") const;
  // Errors: usage errors for what is no number or not in min..max.
  absl::StatusOr<int64_t> Number(absl::string_view option, int64_t otherwise,
                                 int64_t min, int64_t max) const;

  // A usage error unless there are min..max words; `what` names them.
  absl::Status ExpectWords(size_t min, size_t max,
                           absl::string_view what) const;

 private:
  std::map<std::string, std::string> options_;
  std::vector<std::string> words_;
};

// The entry of `candidates` that `word` is most likely meant to be; empty where
// none is near.
std::string Nearest(absl::string_view word,
                    const std::vector<std::string>& candidates);

}  // namespace kiln::client

#endif  // KILN_CLIENT_CLI_ARGUMENTS_H_
