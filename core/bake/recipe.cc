#include "core/bake/recipe.h"

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
    case Method::kSearch:
      // Each step of effort multiplies the iterations (box_search.h).
      return int64_t{16} << (4 * recipe.effort);
  }
  return 1;
}

}  // namespace kiln::core
