#include "client/bench/load/load.h"

#include <sys/resource.h>

#include <thread>

#include "client/bench/load/connection_load.h"

namespace kiln::client {
namespace {

std::chrono::nanoseconds ToDuration(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::microseconds(time.tv_usec);
}

std::chrono::nanoseconds ProcessCpuTime() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return ToDuration(usage.ru_utime) + ToDuration(usage.ru_stime);
}

ScheduleOptions ScheduleOf(const LoadOptions& options, int index, int all) {
  ScheduleOptions schedule;
  schedule.arrival = options.arrival;
  schedule.rate = options.rate;
  schedule.index = index;
  schedule.connections = all;
  schedule.seed = options.seed;
  return schedule;
}

}  // namespace

LoadResult RunLoad(const std::vector<std::unique_ptr<Caller>>& callers,
                   const LoadOptions& options) {
  const std::chrono::nanoseconds cpu_before = ProcessCpuTime();
  const auto start = options.start.value_or(ConnectionLoad::Clock::now());
  const int all = options.all_connections > 0
                      ? options.all_connections
                      : static_cast<int>(callers.size());
  std::vector<std::unique_ptr<ConnectionLoad>> loads;
  std::vector<std::thread> senders;
  for (const std::unique_ptr<Caller>& caller : callers) {
    const int index = options.first_connection + static_cast<int>(loads.size());
    loads.push_back(
        std::make_unique<ConnectionLoad>(caller.get(), options, index, start));
  }
  for (size_t i = 0; i < loads.size(); ++i) {
    ConnectionLoad* const load = loads[i].get();
    if (options.rate == 0) {
      load->Start();
      continue;
    }
    const int index = options.first_connection + static_cast<int>(i);
    senders.emplace_back(
        [load, schedule = ArrivalSchedule(ScheduleOf(options, index, all))] {
          load->RunSchedule(schedule);
        });
  }
  for (std::thread& sender : senders) sender.join();
  LoadResult sum;
  for (const auto& load : loads) sum.Merge(load->Finish());
  sum.cpu = ProcessCpuTime() - cpu_before;
  return sum;
}

}  // namespace kiln::client
