#include "client/cli/commands/commands.h"
#include "core/bake/result_codec.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

absl::Status RunVersion(const Arguments& arguments, Console& console) {
  KILN_RETURN_IF_ERROR(arguments.ExpectWords(0, 0, ""));
  console.out << "kiln " KILN_VERSION ", result format "
              << int{core::kResultFormatVersion} << "\n";
  return absl::OkStatus();
}

}  // namespace

const Command kVersionCommand = {"version",
                                 "version",
                                 "Prints the version of the tool and of the "
                                 "bytes that its hashes are over.",
                                 "",
                                 {},
                                 RunVersion};

}  // namespace kiln::client
