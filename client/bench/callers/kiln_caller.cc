// Connections through Kiln's client library.

#include <utility>

#include "client/bake_stream.h"
#include "client/bench/callers/caller.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"

namespace kiln::client {
namespace {

CallEnd EndOf(const absl::StatusOr<BakeReply>& reply) {
  CallEnd end;
  end.status = reply.status();
  if (reply.ok()) {
    end.attempts = reply->stats.attempts;
    end.bytes_sent = reply->stats.bytes_sent;
    end.bytes_received = reply->stats.bytes_received;
  }
  return end;
}

class UnaryCaller : public Caller {
 public:
  UnaryCaller(BakeClient client, const Workload& workload)
      : client_(std::move(client)), workload_(workload) {}

  void Send(size_t index, Done done) override {
    client_.BakeAsync(
        workload_.requests()[index], {},
        [done = std::move(done)](const absl::StatusOr<BakeReply>& reply) {
          done(EndOf(reply));
        });
  }

 private:
  const BakeClient client_;
  const Workload& workload_;
};

// A stream has one callback, so whose answer it is goes by slots.
class StreamCaller : public Caller {
 public:
  StreamCaller(const BakeClient& client, int in_flight,
               const Workload& workload)
      : workload_(workload),
        slots_(static_cast<size_t>(in_flight)),
        stream_(client, OptionsFor(in_flight),
                [this](uint64_t slot, const absl::StatusOr<BakeReply>& reply) {
                  OnAnswer(slot, EndOf(reply));
                }) {
    for (size_t slot = 0; slot < slots_.size(); ++slot) free_.push_back(slot);
  }

  void Send(size_t index, Done done) override {
    size_t slot = 0;
    {
      core::MutexLock lock(mutex_);
      slot = free_.back();
      free_.pop_back();
      slots_[slot] = std::move(done);
    }
    stream_.TrySubmit(slot, workload_.requests()[index]);
  }

 private:
  static StreamOptions OptionsFor(int in_flight) {
    StreamOptions options;
    options.max_in_flight = in_flight;
    return options;
  }

  void OnAnswer(uint64_t slot, const CallEnd& end) {
    Done done;
    {
      core::MutexLock lock(mutex_);
      done = std::move(slots_[slot]);
      free_.push_back(slot);
    }
    done(end);
  }

  const Workload& workload_;
  core::Mutex mutex_;
  std::vector<Done> slots_ ABSL_GUARDED_BY(mutex_);
  std::vector<size_t> free_ ABSL_GUARDED_BY(mutex_);
  BakeStream stream_;  // last: its callbacks use the others
};

}  // namespace

absl::StatusOr<std::unique_ptr<Caller>> MakeKilnCaller(
    const std::string& address, CallMode mode, int in_flight,
    const Workload& workload) {
  KILN_ASSIGN_OR_RETURN(BakeClient client, BakeClient::Connect(address));
  KILN_RETURN_IF_ERROR(client.WaitUntilReady(std::chrono::seconds(10)));
  std::unique_ptr<Caller> caller;
  if (mode == CallMode::kUnary) {
    caller = std::make_unique<UnaryCaller>(std::move(client), workload);
  } else {
    caller = std::make_unique<StreamCaller>(client, in_flight, workload);
  }
  return caller;
}

}  // namespace kiln::client
