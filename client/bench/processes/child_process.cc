#include "client/bench/processes/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/errors.h"

namespace kiln::client {
namespace {

constexpr char kThisProgram[] = "/proc/self/exe";

// In the child, where between fork and exec only calls are allowed that are
// safe in a signal handler: other threads may have held locks.
[[noreturn]] void RunAgain(int in, int out, char* const* argv) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  execv(kThisProgram, argv);
  _exit(127);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(
    const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"kiln-bench"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // A socket to write to: sending to a child that has gone must not kill us.
  int to_child[2];
  int from_child[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to_child) != 0) {
    return core::SystemError("socketpair", errno);
  }
  if (pipe2(from_child, O_CLOEXEC) != 0) {
    const int error = errno;
    close(to_child[0]);
    close(to_child[1]);
    return core::SystemError("pipe", error);
  }
  const pid_t pid = fork();
  if (pid == 0) RunAgain(to_child[0], from_child[1], argv.data());
  const int error = errno;
  close(to_child[0]);
  close(from_child[1]);
  if (pid < 0) {
    close(to_child[1]);
    close(from_child[0]);
    return core::SystemError("fork", error);
  }
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(pid, to_child[1], from_child[0]));
}

ChildProcess::~ChildProcess() {
  close(to_child_);
  close(from_child_);
  kill(pid_, SIGTERM);  // it may be in the middle of a load
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

absl::Status ChildProcess::WriteLine(const std::string& line) {
  const std::string bytes = line + "\n";
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t some =
        send(to_child_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return core::UnavailableError("a worker process has ended");
    sent += static_cast<size_t>(some);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ChildProcess::ReadLine() {
  for (;;) {
    const size_t end = read_.find('\n');
    if (end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    char buffer[65536];
    const ssize_t some = read(from_child_, buffer, sizeof(buffer));
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return core::UnavailableError("a worker process has ended");
    read_.append(buffer, static_cast<size_t>(some));
  }
}

}  // namespace kiln::client
