#include "core/bake/recipe.h"

#include <algorithm>

#include "core/base/limits.h"

namespace kiln::core {

absl::string_view MethodName(Method method) {
  switch (method) {
    case Method::kPartition:
      return "partition";
    case Method::kSearch:
      return "search";
    case Method::kCover:
      return "cover";
    case Method::kTree:
      return "tree";
    case Method::kGrow:
      return "grow";
  }
  return "?";
}

std::optional<Method> MethodFromName(absl::string_view name) {
  for (const Method method : kAllMethods) {
    if (MethodName(method) == name) return method;
  }
  return std::nullopt;
}

int64_t CostPerVoxel(const Recipe& recipe) {
  switch (recipe.method) {
    case Method::kPartition:
      return 1;
    case Method::kCover:
    case Method::kGrow:
      return 8;
    case Method::kTree:
      return 64;
    case Method::kSearch: {
      // Measured over nine real models in sections of 16^3: efforts 1, 2, 3
      // take 0.6, 4.6 and 27 ms.
      constexpr int64_t kByEffort[] = {16, 256, 2048, 12288};
      return kByEffort[std::clamp(recipe.effort, 0, kMaxSearchEffort)];
    }
  }
  return 1;
}

}  // namespace kiln::core
