// client/bench/load/generator.h
//
// Something that can load a server: connections of this process, or several
// processes with connections of their own.

#ifndef KILN_CLIENT_BENCH_LOAD_GENERATOR_H_
#define KILN_CLIENT_BENCH_LOAD_GENERATOR_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/load/load.h"

namespace kiln::client {

class Generator {
 public:
  virtual ~Generator() = default;
  // One load, to its last answer. Errors: what keeps it from being run.
  virtual absl::StatusOr<LoadResult> Run(const LoadOptions& options) = 0;
};

class LocalGenerator : public Generator {
 public:
  explicit LocalGenerator(std::vector<std::unique_ptr<Caller>> callers)
      : callers_(std::move(callers)) {}

  absl::StatusOr<LoadResult> Run(const LoadOptions& options) override {
    return RunLoad(callers_, options);
  }

 private:
  const std::vector<std::unique_ptr<Caller>> callers_;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_LOAD_GENERATOR_H_
