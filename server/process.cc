#include "server/process.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

namespace kiln::server {
namespace {

sigset_t StopSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

void ExitAtOnce(int /*signal*/) { _exit(1); }

}  // namespace

int64_t RaiseFileLimit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  rlimit raised = limit;
  raised.rlim_cur = raised.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  return static_cast<int64_t>(limit.rlim_cur);
}

void PrepareSignals() {
  const sigset_t set = StopSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

absl::string_view WaitForStopSignal() {
  const sigset_t set = StopSignals();
  int signal_number = 0;
  while (sigwait(&set, &signal_number) != 0) {
  }
  struct sigaction action = {};
  action.sa_handler = ExitAtOnce;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  return signal_number == SIGTERM ? "SIGTERM" : "SIGINT";
}

}  // namespace kiln::server
