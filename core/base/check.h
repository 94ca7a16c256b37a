// core/base/check.h
//
// Assertions for our own mistakes. Input from outside is never checked with
// these: it gets an absl::Status (core/base/errors.h).
//
// KILN_CHECK runs in every build and is for invariants whose breach would
// corrupt a world; KILN_DCHECK runs where KILN_DCHECK_ENABLED is defined (the
// dev and sanitizer presets) and may stand in hot code.

#ifndef KILN_CORE_BASE_CHECK_H_
#define KILN_CORE_BASE_CHECK_H_

#include <cstdio>
#include <cstdlib>

namespace kiln::core::internal {

[[noreturn]] inline void CheckFailed(const char* file, int line,
                                     const char* condition) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace kiln::core::internal

#define KILN_CHECK(condition)   \
  (static_cast<bool>(condition) \
       ? static_cast<void>(0)   \
       : ::kiln::core::internal::CheckFailed(__FILE__, __LINE__, #condition))

#ifdef KILN_DCHECK_ENABLED
#define KILN_DCHECK(condition) KILN_CHECK(condition)
#else
#define KILN_DCHECK(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#endif

#endif  // KILN_CORE_BASE_CHECK_H_
