// core/base/status_macros.h
//
// Early return for absl::Status and absl::StatusOr (Abseil 20220623 ships
// none). Only for .cc files: macros in headers reach everybody.

#ifndef KILN_CORE_BASE_STATUS_MACROS_H_
#define KILN_CORE_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"

#define KILN_STATUS_CONCAT_INNER_(a, b) a##b
#define KILN_STATUS_CONCAT_(a, b) KILN_STATUS_CONCAT_INNER_(a, b)

// Returns from the enclosing function if `expression` is not OK.
#define KILN_RETURN_IF_ERROR(expression)                                  \
  do {                                                                    \
    if (::absl::Status kiln_status_ = (expression); !kiln_status_.ok()) { \
      return kiln_status_;                                                \
    }                                                                     \
  } while (false)

// Assigns the value of a StatusOr to `target`, or returns its status.
// `target` may declare a variable: KILN_ASSIGN_OR_RETURN(auto x, F());
#define KILN_ASSIGN_OR_RETURN(target, expression)                             \
  KILN_ASSIGN_OR_RETURN_IMPL_(KILN_STATUS_CONCAT_(kiln_status_or_, __LINE__), \
                              target, expression)

#define KILN_ASSIGN_OR_RETURN_IMPL_(result, target, expression) \
  auto result = (expression);                                   \
  if (!result.ok()) return std::move(result).status();          \
  target = *std::move(result)

#endif  // KILN_CORE_BASE_STATUS_MACROS_H_
