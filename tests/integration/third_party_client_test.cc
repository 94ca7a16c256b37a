// What a client gets that is not ours: python3-grpcio with messages generated
// from the .proto files bakes the same blocks to the same bytes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/bake_client.h"
#include "tests/integration/server_harness.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using ::kiln::tests::TestServer;

constexpr char kPython[] = "/usr/bin/python3";

// Output and exit code of a shell command.
int RunShell(const std::string& command, std::string& output) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return -1;
  char buffer[4096];
  size_t bytes = 0;
  while ((bytes = fread(buffer, 1, sizeof(buffer), pipe)) > 0) {
    output.append(buffer, bytes);
  }
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The blocks of third_party_client.py, by the same rule.
struct Blocks {
  Blocks() {
    for (const core::Vec3i& size :
         {core::Vec3i{9, 6, 7}, core::Vec3i{1, 1, 1}, core::Vec3i{32, 16, 8}}) {
      std::vector<uint8_t>& voxels = bytes.emplace_back();
      for (int z = 0; z < size.z; ++z) {
        for (int y = 0; y < size.y; ++y) {
          for (int x = 0; x < size.x; ++x) {
            voxels.push_back((x * 7 + y * 13 + z * 5 + x * y * z) % 11 < 6);
          }
        }
      }
      core::ArrayPayload payload;
      payload.bytes = voxels;
      core::BakeInput& input = request.blocks.emplace_back();
      input.block.size = size;
      input.block.payload = payload;
    }
  }

  std::vector<std::vector<uint8_t>> bytes;
  BakeRequest request;
};

// A result as the script prints it.
std::string Describe(const core::BakeResult& result) {
  std::vector<int> bounds;
  std::string faces;
  for (const core::Box& box : result.boxes) {
    for (int axis = 0; axis < 3; ++axis) bounds.push_back(box.min()[axis]);
    for (int axis = 0; axis < 3; ++axis) bounds.push_back(box.max()[axis]);
    faces += static_cast<char>(box.exposed_faces());
  }
  return absl::StrCat(core::ToHex(result.content_hash), " ",
                      core::ToHex(result.result_hash), " ", result.solid_voxels,
                      " ", absl::StrJoin(bounds, ","), " ",
                      absl::BytesToHexString(faces), "\n");
}

TEST(ThirdPartyClient, BakesTheSameBlocksToTheSameBytes) {
  std::string output;
  if (RunShell(absl::StrCat(kPython,
                            " -c 'import grpc, google.protobuf' 2>/dev/null"),
               output) != 0) {
    GTEST_SKIP() << kPython << " has no grpc or no google.protobuf: install "
                 << "python3-grpcio and python3-protobuf";
  }
  TestServer server;
  const BakeClient client = *BakeClient::Connect(server.address());
  Blocks blocks;
  std::string expected;
  for (const core::Method method : core::kAllMethods) {
    blocks.request.recipe.method = method;
    KILN_ASSERT_OK_AND_ASSIGN(const BakeReply reply,
                              client.Bake(blocks.request));
    for (const core::BakeResult& result : reply.results) {
      expected += Describe(result);
    }
  }
  expected += expected;  // unary, then as a stream
  blocks.request.recipe.method = core::Method::kPartition;
  blocks.request.blocks[1].block.size.y = 257;
  const absl::Status refused = client.Bake(blocks.request).status();
  absl::StrAppend(&expected, absl::StatusCodeToString(refused.code()), " ",
                  refused.message(), "\n");

  char work[] = "/tmp/kiln-third-party-XXXXXX";
  ASSERT_NE(mkdtemp(work), nullptr);
  const int code = RunShell(
      absl::StrCat(kPython, " tests/integration/third_party_client.py ",
                   server.address(), " proto ", work, " 2>&1"),
      output);
  std::string ignored;
  RunShell(absl::StrCat("rm -r ", work), ignored);
  EXPECT_EQ(code, 0) << output;
  EXPECT_EQ(output, expected);
}

}  // namespace
}  // namespace kiln::client
