// A caller as engines build them: without exceptions and without RTTI, and with
// nothing of gRPC or protobuf to include. That this file compiles is the test;
// it includes every public header of the client.

#include "tests/client/plain_caller.h"

#include "client/bake.h"
#include "client/bake_client.h"
#include "client/bake_stream.h"
#include "client/connection.h"
#include "client/options.h"
#include "client/testing/mock_connection.h"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this file is compiled with -fno-exceptions -fno-rtti"
#endif
#if defined(GRPCPP_GRPCPP_H) || defined(GOOGLE_PROTOBUF_VERSION) || \
    defined(GRPC_GRPC_H)
#error "a public header lets gRPC or protobuf through"
#endif

namespace kiln::tests {

int BakeOneVoxelPlainly() {
  const auto client = client::BakeClient::Connect("inproc:");
  if (!client.ok()) return -1;
  client::BakeRequest request;
  core::BakeInput& input = request.blocks.emplace_back();
  input.block.size = {1, 1, 1};
  input.block.payload = core::UniformPayload{1};
  const auto reply = client->Bake(request);
  return reply.ok() ? static_cast<int>(reply->results[0].boxes.size()) : -1;
}

}  // namespace kiln::tests
