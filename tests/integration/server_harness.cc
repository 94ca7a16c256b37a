#include "tests/integration/server_harness.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "core/base/check.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "tests/support/random_blocks.h"

namespace kiln::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string KilndPath() {
  const char* folder = std::getenv("KILN_BIN_DIR");
  return std::string(folder != nullptr ? folder : "build/dev/bin") + "/kilnd";
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Starts kilnd with its output in `log`.
pid_t Spawn(std::vector<std::string> arguments,
            std::vector<std::string> environment, const std::string& log,
            std::optional<int> max_files) {
  const std::string path = KilndPath();
  arguments.insert(arguments.begin(), path);
  // Sanitizers read theirs from the environment.
  for (const char* name : {"ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) {
      environment.push_back(std::string(name) + "=" + value);
    }
  }
  const std::vector<char*> argv = Pointers(arguments);
  const std::vector<char*> envp = Pointers(environment);
  const int output = open(log.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  const pid_t pid = fork();
  if (pid == 0) {
    // Only async-signal-safe calls between fork and exec: threads may run.
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    if (max_files) {
      const auto most = static_cast<rlim_t>(*max_files);
      const rlimit limit = {most, most};
      setrlimit(RLIMIT_NOFILE, &limit);
    }
    execve(path.c_str(), argv.data(), envp.data());
    _exit(127);
  }
  close(output);
  return pid;
}

int CodeOf(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string NewDirectory() {
  std::string path = testing::TempDir() + "/kilndXXXXXX";
  KILN_CHECK(mkdtemp(path.data()) != nullptr);
  return path;
}

void SetSize(v1::VoxelBlock& block, int edge) {
  block.mutable_size()->set_x(static_cast<uint32_t>(edge));
  block.mutable_size()->set_y(static_cast<uint32_t>(edge));
  block.mutable_size()->set_z(static_cast<uint32_t>(edge));
}

}  // namespace

std::shared_ptr<grpc::Channel> NewChannel(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

server::ServerOptions TestOptions() {
  server::ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.threads = 2;
  return options;
}

TestServer::TestServer(const server::ServerOptions& options) {
  auto server = server::Server::Start(options);
  KILN_CHECK(server.ok());
  server_ = *std::move(server);
  stub_ = v1::BakeService::NewStub(NewChannel(server_->address()));
}

bool WaitUntil(const std::function<bool()>& condition, milliseconds limit) {
  const auto end = steady_clock::now() + limit;
  while (!condition()) {
    if (steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

KilndProcess::KilndProcess(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment,
                           std::optional<int> max_files)
    : directory_(NewDirectory()) {
  std::vector<std::string> all = {"--listen=127.0.0.1:0",
                                  "--port_file=" + directory_ + "/port"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  pid_ = Spawn(all, environment, directory_ + "/log", max_files);
  std::string port;
  WaitUntil(
      [this, &port] {
        port = ReadFile(directory_ + "/port");
        return !port.empty();
      },
      milliseconds(10'000));
  if (!port.empty()) {
    address_ = "127.0.0.1:" + port.substr(0, port.find('\n'));
  }
}

KilndProcess::~KilndProcess() {
  if (pid_ > 0) {
    Signal(SIGKILL);
    Wait();
  }
  for (const char* name : {"/port", "/log"}) {
    unlink((directory_ + name).c_str());
  }
  rmdir(directory_.c_str());
}

void KilndProcess::Signal(int signal_number) { kill(pid_, signal_number); }

ChildResult KilndProcess::Wait() {
  int status = 0;
  waitpid(std::exchange(pid_, -1), &status, 0);
  return {CodeOf(status), ReadFile(directory_ + "/log")};
}

ChildResult RunKilnd(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment) {
  const std::string directory = NewDirectory();
  const std::string log = directory + "/log";
  const pid_t pid = Spawn(arguments, environment, log, std::nullopt);
  int status = 0;
  waitpid(pid, &status, 0);
  ChildResult result = {CodeOf(status), ReadFile(log)};
  unlink(log.c_str());
  rmdir(directory.c_str());
  return result;
}

v1::BlockInput NoiseInput(int edge, uint64_t seed) {
  v1::BlockInput input;
  SetSize(*input.mutable_block(), edge);
  const auto volume = static_cast<size_t>(edge) * static_cast<size_t>(edge) *
                      static_cast<size_t>(edge);
  std::string bits((volume + 7) / 8, '\0');
  Random random(seed);
  for (char& byte : bits) byte = static_cast<char>(random.Next());
  if (volume % 8 != 0) bits.back() = 0;  // bits beyond the last voxel are 0
  input.mutable_block()->mutable_bitset()->mutable_bits()->set_data(bits);
  return input;
}

v1::BlockInput SolidInput(int edge) {
  v1::BlockInput input;
  SetSize(*input.mutable_block(), edge);
  input.mutable_block()->set_uniform_entry(1);
  return input;
}

v1::BakeVoxelsRequest RequestOf(std::vector<v1::BlockInput> blocks,
                                v1::Method method, uint32_t effort) {
  v1::BakeVoxelsRequest request;
  request.mutable_recipe()->set_method(method);
  request.mutable_recipe()->set_effort(effort);
  for (v1::BlockInput& block : blocks) {
    *request.add_blocks() = std::move(block);
  }
  return request;
}

v1::BakeVoxelsRequest LongRequest() {
  return RequestOf({NoiseInput(80, 1), NoiseInput(80, 2)}, v1::METHOD_SEARCH,
                   3);
}

std::string HashesOf(const v1::BakeVoxelsResponse& response) {
  std::string hashes;
  for (const v1::BoxSet& result : response.results()) {
    hashes += result.result_hash();
  }
  return hashes;
}

}  // namespace kiln::tests
