#include "client/bench/baseline.h"

#include <time.h>

#include "client/bake_client.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

// A plain call is timed for this long; its mean is taken.
constexpr std::chrono::milliseconds kInprocTime{300};

std::chrono::nanoseconds ThreadCpuTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

absl::StatusOr<std::vector<MessageSizes>> MeasureSizes(
    const std::string& address, const Workload& workload) {
  KILN_ASSIGN_OR_RETURN(const BakeClient client, BakeClient::Connect(address));
  std::vector<MessageSizes> sizes;
  for (const BakeRequest& request : workload.requests()) {
    KILN_ASSIGN_OR_RETURN(const BakeReply reply, client.Bake(request));
    sizes.push_back({reply.stats.bytes_sent, reply.stats.bytes_received});
  }
  return sizes;
}

MessageSizes MeanOf(const std::vector<MessageSizes>& sizes) {
  MessageSizes mean;
  for (const MessageSizes& size : sizes) {
    mean.request += size.request;
    mean.response += size.response;
  }
  mean.request /= static_cast<int64_t>(sizes.size());
  mean.response /= static_cast<int64_t>(sizes.size());
  return mean;
}

std::chrono::nanoseconds MeasureInproc(const Workload& workload) {
  const std::chrono::nanoseconds start = ThreadCpuTime();
  std::chrono::nanoseconds spent{0};
  int64_t rounds = 0;
  do {
    for (const BakeRequest& request : workload.requests()) {
      for (const core::BakeInput& input : request.blocks) {
        core::Bake(input, request.recipe).IgnoreError();
      }
    }
    ++rounds;
    spent = ThreadCpuTime() - start;
  } while (spent < kInprocTime);
  return spent / (rounds * static_cast<int64_t>(workload.requests().size()));
}

}  // namespace kiln::client
