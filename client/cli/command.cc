#include "client/cli/command.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/cli/commands/commands.h"
#include "client/cli/errors.h"

namespace kiln::client {
namespace {

// Options and commands are listed in a column of this width.
constexpr size_t kColumn = 22;

std::string Padded(absl::string_view text, size_t width) {
  std::string result(text);
  result.resize(std::max(width, text.size() + 1), ' ');
  return result;
}

void PrintEntry(absl::string_view name, absl::string_view help,
                std::ostream& out) {
  std::string margin = absl::StrCat("  ", Padded(name, kColumn));
  for (const absl::string_view line : absl::StrSplit(help, '\n')) {
    out << margin << line << "\n";
    margin.assign(kColumn + 2, ' ');
  }
}

void PrintOverview(std::ostream& out) {
  out << "kiln: bakes collision boxes from voxels, in the process or through "
         "a kilnd server\n\nusage: kiln COMMAND [ARGUMENT...]\n\n";
  for (const Command& command : AllCommands()) {
    PrintEntry(command.name, command.summary, out);
  }
  PrintEntry("help [COMMAND]", "Explains a command.", out);
  out << "\nexit codes: 0 done, 1 failed, 2 the command line is wrong\n";
}

void PrintCommandHelp(const Command& command, std::ostream& out) {
  out << "usage: kiln " << command.usage << "\n\n" << command.summary << "\n";
  if (!command.details.empty()) out << "\n" << command.details << "\n";
  if (command.options.empty()) return;
  out << "\noptions:\n";
  for (const OptionSpec& option : command.options) {
    PrintEntry(absl::StrCat("--", option.name, option.value.empty() ? "" : " ",
                            option.value),
               option.help, out);
  }
}

const Command* FindCommand(absl::string_view name) {
  for (const Command& command : AllCommands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

absl::Status UnknownCommand(absl::string_view name) {
  std::vector<std::string> names = {"help"};
  for (const Command& command : AllCommands()) names.emplace_back(command.name);
  const std::string nearest = Nearest(name, names);
  return UsageError(absl::StrCat(
      "unknown command \"", name, "\"",
      nearest.empty() ? "" : absl::StrCat("; did you mean ", nearest, "?")));
}

absl::Status RunHelp(const std::vector<std::string>& words, Console& console) {
  if (words.empty()) {
    PrintOverview(console.out);
    return absl::OkStatus();
  }
  const Command* command = FindCommand(words.front());
  if (command == nullptr) return UnknownCommand(words.front());
  PrintCommandHelp(*command, console.out);
  return absl::OkStatus();
}

absl::Status Run(const std::vector<std::string>& words, Console& console) {
  if (words.empty()) return UsageError("no command is given");
  const std::string& name = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (name == "help" || name == "--help" || name == "-h") {
    return RunHelp(rest, console);
  }
  if (name == "--version") return kVersionCommand.run(Arguments(), console);
  const Command* command = FindCommand(name);
  if (command == nullptr) return UnknownCommand(name);
  for (const std::string& word : rest) {
    if (word == "--") break;
    if (word == "--help" || word == "-h") return RunHelp({name}, console);
  }
  absl::StatusOr<Arguments> arguments =
      Arguments::Parse(rest, command->options);
  if (!arguments.ok()) return arguments.status();
  return command->run(*arguments, console);
}

}  // namespace

std::span<const Command> AllCommands() {
  // A copy, so that the order of initialization does not matter.
  static const std::array<Command, 6> kCommands = {
      kBakeCommand,    kInfoCommand, kSampleCommand,
      kPictureCommand, kDemoCommand, kVersionCommand};
  return kCommands;
}

int RunTool(const std::vector<std::string>& words, Console& console) {
  const absl::Status status = Run(words, console);
  console.out.flush();
  if (!console.out.good()) {
    console.err << "kiln: writing the output failed\n";
    return kExitFailed;
  }
  if (status.ok()) return kExitOk;
  console.err << "kiln: "
              << absl::string_view(status.message().data(),
                                   status.message().size())
              << "\n";
  if (!IsUsageError(status)) return kExitFailed;
  const bool known = !words.empty() && FindCommand(words.front()) != nullptr;
  console.err << "try: kiln help" << (known ? " " + words.front() : "") << "\n";
  return kExitUsage;
}

}  // namespace kiln::client
