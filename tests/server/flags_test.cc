#include "server/flags.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "absl/flags/reflection.h"
#include "tests/support/status_matchers.h"

namespace kiln::server {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using tests::IsOk;
using tests::StatusIs;

// Applies `environment` and reads the options; flags are as before afterwards.
absl::StatusOr<ServerOptions> OptionsWith(
    const std::map<std::string, std::string>& environment) {
  const absl::FlagSaver saver;
  const absl::Status status =
      ApplyEnvironment([&environment](const char* name) {
        const auto it = environment.find(name);
        return it == environment.end() ? nullptr : it->second.c_str();
      });
  if (!status.ok()) return status;
  return OptionsFromFlags();
}

TEST(Flags, DefaultsAreValidAndThoseOfOptions) {
  KILN_ASSERT_OK_AND_ASSIGN(const ServerOptions options, OptionsWith({}));
  const ServerOptions plain;
  EXPECT_EQ(options.listen, plain.listen);
  EXPECT_EQ(options.max_connections, plain.max_connections);
  EXPECT_EQ(options.request.max_cost, plain.request.max_cost);
  EXPECT_EQ(options.admission.queue_cost, plain.admission.queue_cost);
  EXPECT_EQ(options.drain, plain.drain);
  EXPECT_EQ(options.keepalive.time, plain.keepalive.time);
}

TEST(Flags, EnvironmentSetsFlags) {
  KILN_ASSERT_OK_AND_ASSIGN(const ServerOptions options,
                            OptionsWith({{"KILN_LISTEN", "127.0.0.1:0"},
                                         {"KILN_MAX_STREAM_IN_FLIGHT", "7"},
                                         {"KILN_LOG_FORMAT", "json"}}));
  EXPECT_EQ(options.listen, "127.0.0.1:0");
  EXPECT_EQ(options.max_stream_in_flight, 7);
  EXPECT_EQ(options.log.format, LogFormat::kJson);
}

TEST(Flags, MalformedVariableIsNamed) {
  EXPECT_THAT(
      OptionsWith({{"KILN_THREADS", "many"}}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("KILN_THREADS: many"), HasSubstr("--threads"))));
}

TEST(Flags, ValueOutOfRangeNamesFlagAndRange) {
  EXPECT_THAT(
      OptionsWith({{"KILN_THREADS", "1025"}}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("--threads: 1025"), HasSubstr("0..1024"))));
}

TEST(Flags, QueueSmallerThanRequestIsRefused) {
  EXPECT_THAT(OptionsWith({{"KILN_MAX_REQUEST_COST", "500"},
                           {"KILN_QUEUE_COST", "499"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("500..")));
}

TEST(Flags, UnknownLogLevelListsThoseThatExist) {
  EXPECT_THAT(OptionsWith({{"KILN_LOG_LEVEL", "loud"}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("debug, info, warn, error, off")));
}

TEST(Flags, HelpShowsFlagsWithDefaults) {
  EXPECT_THAT(HelpText(), AllOf(HasSubstr("--listen  (default 0.0.0.0:5456)"),
                                HasSubstr("--max_message_bytes"),
                                HasSubstr("--drain_seconds"),
                                HasSubstr("KILN_LOG_LEVEL=debug")));
}

}  // namespace
}  // namespace kiln::server
