// client/cli/commands/commands.h
//
// The entry of each command, for the table in command.cc.

#ifndef KILN_CLIENT_CLI_COMMANDS_COMMANDS_H_
#define KILN_CLIENT_CLI_COMMANDS_COMMANDS_H_

#include "client/cli/command.h"

namespace kiln::client {

extern const Command kBakeCommand;
extern const Command kInfoCommand;
extern const Command kSampleCommand;
extern const Command kPictureCommand;
extern const Command kDemoCommand;
extern const Command kVersionCommand;

}  // namespace kiln::client

#endif  // KILN_CLIENT_CLI_COMMANDS_COMMANDS_H_
