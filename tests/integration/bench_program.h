// tests/integration/bench_program.h
//
// kiln-bench as a program.

#ifndef KILN_TESTS_INTEGRATION_BENCH_PROGRAM_H_
#define KILN_TESTS_INTEGRATION_BENCH_PROGRAM_H_

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace kiln::tests {

struct BenchOutcome {
  int code = -1;
  std::string output;  // standard output and error
};

// Runs it to its end; `arguments` are a command line of the shell.
inline BenchOutcome RunKilnBench(const std::string& arguments) {
  const char* folder = std::getenv("KILN_BIN_DIR");
  const std::string program =
      std::string(folder != nullptr ? folder : "build/dev/bin") + "/kiln-bench";
  BenchOutcome outcome;
  std::FILE* pipe = popen((program + " " + arguments + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer;
  while (const size_t count =
             std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.output.append(buffer.data(), count);
  }
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

// A file name of this test run.
inline std::string BenchFile(const std::string& name) {
  return testing::TempDir() + "/kiln_bench_" + std::to_string(getpid()) + name;
}

}  // namespace kiln::tests

#endif  // KILN_TESTS_INTEGRATION_BENCH_PROGRAM_H_
