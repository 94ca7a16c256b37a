// Bakes a small castle and prints its boxes. Needs no server ("inproc:"); with
// an address such as localhost:5456 as its argument it asks kilnd.

#include <cstdio>
#include <vector>

#include "client/bake_client.h"

using namespace kiln;  // NOLINT(google-build-using-namespace)

int main(int argc, char** argv) {
  const auto client =
      client::BakeClient::Connect(argc > 1 ? argv[1] : "inproc:");
  if (!client.ok()) return std::puts(client.status().ToString().c_str()), 1;

  // One byte a voxel, x fastest, then y (up), then z: a floor and four walls.
  const core::Vec3i size = {16, 6, 16};
  std::vector<uint8_t> voxels;
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        const bool wall = x % 15 == 0 || z % 15 == 0;
        const bool gate = z == 0 && x >= 6 && x < 10 && y < 4;
        voxels.push_back(y == 0 || (wall && !gate));
      }
    }
  }
  client::BakeRequest request;
  core::EncodedBlock& block = request.blocks.emplace_back().block;
  block.size = size;
  block.payload = core::ArrayPayload{.bytes = voxels};
  const auto reply = client->Bake(request);
  if (!reply.ok()) return std::puts(reply.status().ToString().c_str()), 1;

  for (const core::Box& box : reply->results[0].boxes) {
    const core::Vec3i a = box.min(), b = box.max();
    std::printf("(%d %d %d) to (%d %d %d), exposed:", a.x, a.y, a.z, b.x, b.y,
                b.z);
    constexpr const char* kFaces[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    for (int face = 0; face < core::kFaceCount; ++face) {
      if (box.exposed_faces() >> face & 1) std::printf(" %s", kFaces[face]);
    }
    std::puts("");
  }
}
