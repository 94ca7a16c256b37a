// tests/client/formats/vox/vox_builder.h
//
// Makes .vox files chunk by chunk, also ones that no program would write. Has
// nothing in common with client/formats/vox/vox_writer.h.

#ifndef KILN_TESTS_CLIENT_FORMATS_VOX_VOX_BUILDER_H_
#define KILN_TESTS_CLIENT_FORMATS_VOX_VOX_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/geometry/vec3.h"

namespace kiln::tests {

using VoxAttributes = std::vector<std::pair<std::string, std::string>>;

// A voxel as the file stores it: x, y, z, colour.
using VoxBytes = std::vector<uint8_t>;

class VoxBuilder {
 public:
  explicit VoxBuilder(int version = 150) : version_(version) {}

  VoxBuilder& Size(const core::Vec3i& size);
  VoxBuilder& Xyzi(const VoxBytes& voxels);
  // SIZE and XYZI.
  VoxBuilder& Model(const core::Vec3i& size, const VoxBytes& voxels);
  // SIZE and TDCZ of dense colours, x fastest, then y, z.
  VoxBuilder& CompressedModel(const core::Vec3i& size,
                              const std::vector<uint8_t>& colors);

  VoxBuilder& Transform(int id, int child,
                        const std::vector<VoxAttributes>& frames = {{}},
                        const VoxAttributes& attributes = {}, int layer = 0);
  VoxBuilder& Group(int id, const std::vector<int>& children,
                    const VoxAttributes& attributes = {});
  // A shape that shows `models`, the i-th from frame frames[i] on, if given.
  VoxBuilder& Shape(int id, const std::vector<int>& models,
                    const std::vector<int>& frames = {});
  VoxBuilder& Layer(int id, bool hidden);
  VoxBuilder& Chunk(const std::string& name, const std::string& content);

  std::vector<uint8_t> Bytes() const;

 private:
  int version_;
  std::string chunks_;
};

// An int32 as the file stores it.
std::string LittleEndian(int value);

}  // namespace kiln::tests

#endif  // KILN_TESTS_CLIENT_FORMATS_VOX_VOX_BUILDER_H_
