// client/bench/workload.h
//
// The blocks that kiln-bench sends, in the encoding asked for.

#ifndef KILN_CLIENT_BENCH_WORKLOAD_H_
#define KILN_CLIENT_BENCH_WORKLOAD_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/bake.h"
#include "client/formats/grid_blocks.h"
#include "core/geometry/vec3.h"

namespace kiln::client {

inline constexpr absl::string_view kEncodingNames[] = {
    "bitset",  "u8",   "u16",    "u32",   "packed",
    "palette", "runs", "points", "boxes", "columns"};

// A block with the memory its spans point to.
struct OwnedBlock {
  OwnedBlock() = default;
  OwnedBlock(const OwnedBlock&) = delete;
  OwnedBlock& operator=(const OwnedBlock&) = delete;

  core::BakeInput input;
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> lists[6];
};

// `voxels` (one byte each, x fastest, then y, then z; 1 = solid) in the
// encoding of that name; null for a name that is not in kEncodingNames.
// Requires: size.x * size.y * size.z voxels.
std::unique_ptr<OwnedBlock> EncodeGrid(const std::vector<uint8_t>& voxels,
                                       const core::Vec3i& size,
                                       absl::string_view encoding);

struct WorkloadOptions {
  std::vector<std::string> grids = {"hills"};  // core::kSampleGridNames
  int edge = 32;
  std::string encoding = "bitset";
  std::string vox_file;  // instead of grids; cut into blocks of `edge`
  int blocks_per_request = 1;
  core::Recipe recipe;
  Compression compression = Compression::kNone;
};

// Requests that are sent in turns. Threads: const calls may run concurrently.
class Workload {
 public:
  // Errors: kInvalidArgument for a name that is none; those of the .vox reader.
  static absl::StatusOr<std::unique_ptr<Workload>> Make(
      const WorkloadOptions& options);

  const std::vector<BakeRequest>& requests() const { return requests_; }

 private:
  Workload() = default;
  absl::Status AddGrids(const WorkloadOptions& options);
  absl::Status AddVoxFile(const WorkloadOptions& options);
  void MakeRequests(const std::vector<core::BakeInput>& inputs,
                    const WorkloadOptions& options);

  std::vector<std::unique_ptr<OwnedBlock>> grids_;
  std::vector<BlockInput> blocks_;
  std::vector<BakeRequest> requests_;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_WORKLOAD_H_
