// The kiln tool against a real server, in this process and as programs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "client/formats/file_io.h"
#include "tests/client/cli/tool_runner.h"
#include "tests/integration/server_harness.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using tests::Kiln;
using tests::TestServer;
using tests::ToolOutcome;

std::string PathTo(const std::string& name) {
  return testing::TempDir() + "/kiln_cli_" + name;
}

// A world of 100 x 64 x 100 with a castle, as a file.
std::string SampleFile() {
  static const std::string path = [] {
    std::string vox = PathTo("sample.vox");
    EXPECT_EQ(Kiln({"sample", "--size", "100x64x100", "--out", vox}).code, 0);
    return vox;
  }();
  return path;
}

TEST(CliServer, ServerAndLocalGiveTheSameBytes) {
  TestServer server;
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--method", "partition", "--bound"},
        {"--method", "search", "--effort", "1", "--block", "16"},
        {"--method", "cover", "--by-class"},
        {"--method", "tree"},
        {"--method", "grow", "--block", "100"}}) {
    std::array<json, 2> results;
    std::array<std::vector<uint8_t>, 2> boxes;
    for (const size_t remote : {0u, 1u}) {
      std::vector<std::string> words = {"bake", SampleFile(), "--json", "--out",
                                        PathTo("boxes.json")};
      words.insert(words.end(), how.begin(), how.end());
      if (remote == 1) {
        words.insert(words.end(), {"--server", server.address()});
      }
      const ToolOutcome outcome = Kiln(words);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      results[remote] = json::parse(outcome.out);
      KILN_ASSERT_OK_AND_ASSIGN(boxes[remote], ReadFile(PathTo("boxes.json")));
    }
    EXPECT_EQ(results[0]["wire_bytes"], 0);
    EXPECT_GT(results[1]["wire_bytes"], 0);
    for (json& result : results) {
      for (const char* key : {"wire_bytes", "bake_seconds", "threads"}) {
        result.erase(key);
      }
    }
    EXPECT_EQ(results[0], results[1]) << how[1];
    EXPECT_EQ(boxes[0], boxes[1]) << how[1];
  }
}

TEST(CliServer, UnreachableServerFailsWithItsAddress) {
  // Port 1 of loopback: nobody listens there.
  const ToolOutcome outcome =
      Kiln({"bake", SampleFile(), "--server", "127.0.0.1:1"});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("no kilnd at 127.0.0.1:1"));
}

TEST(CliServer, ServersLimitIsShown) {
  server::ServerOptions options = tests::TestOptions();
  options.request.max_blocks = 4;
  TestServer server(options);
  const ToolOutcome outcome = Kiln(
      {"bake", SampleFile(), "--block", "8", "--server", server.address()});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("--max_blocks_per_request"));
}

// Runs a command line of the shell; standard error goes to standard output.
ToolOutcome Shell(const std::string& command) {
  ToolOutcome outcome;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "", "popen failed"};
  std::array<char, 4096> buffer;
  while (const size_t count =
             std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.out.append(buffer.data(), count);
  }
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

TEST(CliServer, ProgramsWorkTogether) {
  const char* folder = std::getenv("KILN_BIN_DIR");
  ASSERT_NE(folder, nullptr) << "run it with ctest";
  const std::string kiln = std::string(folder) + "/kiln";
  tests::KilndProcess kilnd;
  ASSERT_NE(kilnd.address(), "");
  const std::string vox = PathTo("program.vox");

  EXPECT_EQ(Shell(kiln + " sample --size 64x48x64 --out " + vox).code, 0);
  const ToolOutcome remote =
      Shell(kiln + " bake --json --server " + kilnd.address() + " " + vox);
  ASSERT_EQ(remote.code, 0) << remote.out;
  const ToolOutcome local = Shell(kiln + " bake --json --local " + vox);
  ASSERT_EQ(local.code, 0) << local.out;
  EXPECT_EQ(json::parse(remote.out)["result_hash"],
            json::parse(local.out)["result_hash"]);
  const ToolOutcome demo = Shell(kiln + " demo --server " + kilnd.address() +
                                 " --out " + testing::TempDir());
  EXPECT_EQ(demo.code, 0) << demo.out;
  EXPECT_THAT(demo.out, HasSubstr("sample.glb"));

  EXPECT_EQ(Shell(kiln + " bake /nonexistent.vox").code, 1);
  EXPECT_EQ(Shell(kiln + " bake --nonsense").code, 2);
  EXPECT_EQ(Shell(kiln + " version >/dev/full").code, 1);
}

}  // namespace
}  // namespace kiln::client
