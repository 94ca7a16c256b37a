#include "client/internal/connect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/status_matchers.h"

namespace kiln::client::internal {
namespace {

using ::kiln::tests::IsOk;
using ::kiln::tests::StatusIs;
using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

TEST(CheckHostPort, HostsOfEveryKindAreTaken) {
  for (const char* address : {"localhost:5456", "127.0.0.1:1", "[::1]:65535",
                              "kiln.games.svc.cluster.local:5456"}) {
    EXPECT_THAT(CheckHostPort(address), IsOk()) << address;
  }
}

TEST(CheckHostPort, AnythingElseIsRefusedByName) {
  for (const char* address :
       {"", ":", ":5456", "host", "host:", "host:0", "host:65536", "host:-1",
        "host:http", "::1:5456", "inproc", "inproc:x", "dns:///host:5456",
        "unix:/run/kiln:1", "[::1:5456"}) {
    EXPECT_THAT(CheckHostPort(address), StatusIs(kInvalid, HasSubstr(address)))
        << address;
    EXPECT_THAT(CheckHostPort(address),
                StatusIs(kInvalid, HasSubstr("allowed: host:port")));
  }
}

TEST(CheckOptions, DefaultsAreInRange) {
  EXPECT_THAT(CheckOptions({}), IsOk());
}

TEST(CheckOptions, ValueOutOfRangeIsNamed) {
  using std::chrono::milliseconds;
  ClientOptions options;
  options.timeout = milliseconds(0);
  EXPECT_THAT(CheckOptions(options), StatusIs(kInvalid, HasSubstr("timeout")));

  options = {};
  options.retry.max_attempts = 0;
  EXPECT_THAT(CheckOptions(options),
              StatusIs(kInvalid, HasSubstr("retry.max_attempts: 0")));

  options = {};
  options.max_response_bytes = int64_t{1} << 31;
  EXPECT_THAT(CheckOptions(options),
              StatusIs(kInvalid, HasSubstr("max_response_bytes: 2147483648")));

  options = {};
  options.inproc_threads = 1025;
  EXPECT_THAT(CheckOptions(options),
              StatusIs(kInvalid, HasSubstr("allowed: 0..1024")));
}

TEST(MakeConnection, NeitherAddressNorOptionIsLetThrough) {
  EXPECT_THAT(MakeConnection("host", {}), StatusIs(kInvalid));
  ClientOptions options;
  options.keepalive_time = std::chrono::milliseconds(1);
  EXPECT_THAT(MakeConnection("inproc:", options),
              StatusIs(kInvalid, HasSubstr("keepalive_time: 1")));
}

}  // namespace
}  // namespace kiln::client::internal
