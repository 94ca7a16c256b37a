// core/bake/recipe.h
//
// What to bake: together with the content it decides every byte of a result.
// What only concerns one call (bounds, the tree, deadlines) is BakeOptions.

#ifndef KILN_CORE_BAKE_RECIPE_H_
#define KILN_CORE_BAKE_RECIPE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "core/voxel/exposure.h"

namespace kiln::core {

// Values are part of the result hash: never renumber.
enum class Method : uint8_t {
  kPartition = 1,
  kSearch = 2,
  kCover = 3,
  kTree = 4,
  kGrow = 5,
};
inline constexpr Method kAllMethods[] = {Method::kPartition, Method::kSearch,
                                         Method::kCover, Method::kTree,
                                         Method::kGrow};

struct Recipe {
  Method method = Method::kPartition;
  int effort = 0;  // of kSearch: 0..3; else 0
  ExposureRule exposure = ExposureRule::kAnySolid;

  friend bool operator==(const Recipe&, const Recipe&) = default;
};

// "partition", "search", "cover", "tree", "grow".
absl::string_view MethodName(Method method);
std::optional<Method> MethodFromName(absl::string_view name);

// Work that one voxel costs with this recipe, in units of a voxel's partition:
// what admission multiplies the voxels of a request with. Measured, rounded up.
int64_t CostPerVoxel(const Recipe& recipe);

}  // namespace kiln::core

#endif  // KILN_CORE_BAKE_RECIPE_H_
