#include "client/bench/callers/child_server.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "absl/strings/str_cat.h"
#include "client/bench/callers/echo_server.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

constexpr std::chrono::seconds kStartTime{10};
constexpr std::chrono::milliseconds kPollTime{5};

// In the child: it must not outlive us, whatever ends us.
void DieWithParent() { prctl(PR_SET_PDEATHSIG, SIGTERM); }

}  // namespace

absl::StatusOr<std::unique_ptr<ChildServer>> ChildServer::StartKilnd(
    const std::string& path, const std::vector<std::string>& arguments) {
  char directory[] = "/tmp/kiln-bench-XXXXXX";
  if (mkdtemp(directory) == nullptr) return core::SystemError("mkdtemp", errno);
  const std::string port_file = absl::StrCat(directory, "/port");
  std::vector<std::string> words = {path, "--listen=127.0.0.1:0",
                                    "--log_level=warn",
                                    absl::StrCat("--port_file=", port_file)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid < 0) return core::SystemError("fork", errno);
  if (pid == 0) {
    DieWithParent();
    execv(path.c_str(), argv.data());
    _exit(127);
  }
  std::unique_ptr<ChildServer> server(new ChildServer(pid, /*stop_fd=*/-1));
  const absl::Status status = server->AwaitPortFile(port_file);
  unlink(port_file.c_str());
  rmdir(directory);
  KILN_RETURN_IF_ERROR(core::WithContext(absl::StrCat(path, ": "), status));
  return server;
}

absl::Status ChildServer::AwaitPortFile(const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + kStartTime;
  int port = 0;
  for (;;) {
    std::ifstream file(path);
    if (file >> port && port > 0) break;
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return core::UnavailableError("ended at once; see its messages");
    }
    if (std::chrono::steady_clock::now() > end) {
      return core::UnavailableError("does not serve after 10 s");
    }
    std::this_thread::sleep_for(kPollTime);
  }
  address_ = absl::StrCat("127.0.0.1:", port);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<ChildServer>> ChildServer::ForkEcho() {
  int port_pipe[2];
  int stop_pipe[2];
  if (pipe2(port_pipe, O_CLOEXEC) != 0 || pipe2(stop_pipe, O_CLOEXEC) != 0) {
    return core::SystemError("pipe", errno);
  }
  const pid_t pid = fork();
  if (pid < 0) return core::SystemError("fork", errno);
  if (pid == 0) {
    DieWithParent();
    close(port_pipe[0]);
    close(stop_pipe[1]);
    _exit(ServeEcho(port_pipe[1], stop_pipe[0]));
  }
  close(port_pipe[1]);
  close(stop_pipe[0]);
  std::unique_ptr<ChildServer> server(new ChildServer(pid, stop_pipe[1]));
  std::string port;
  char byte = 0;
  while (read(port_pipe[0], &byte, 1) == 1 && byte != '\n') port += byte;
  close(port_pipe[0]);
  if (port.empty()) return core::UnavailableError("the echo server failed");
  server->address_ = absl::StrCat("127.0.0.1:", port);
  return server;
}

ChildServer::~ChildServer() {
  if (stop_fd_ >= 0) close(stop_fd_);
  if (pid_ < 0) return;
  if (stop_fd_ < 0) kill(pid_, SIGTERM);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::chrono::nanoseconds ChildServer::CpuTime() const {
  std::ifstream file(absl::StrCat("/proc/", pid_, "/stat"));
  std::string word;
  // Fields 14 and 15, in clock ticks. The second, the name, holds no blank.
  for (int field = 1; field < 14; ++field) file >> word;
  int64_t user = 0;
  int64_t system = 0;
  file >> user >> system;
  const int64_t ticks_per_second = sysconf(_SC_CLK_TCK);
  return std::chrono::nanoseconds((user + system) *
                                  (int64_t{1'000'000'000} / ticks_per_second));
}

std::string ProgramDirectory() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0) return ".";
  const std::string program(path, static_cast<size_t>(length));
  return program.substr(0, program.rfind('/'));
}

}  // namespace kiln::client
