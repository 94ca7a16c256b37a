#include "client/bench/processes/load_order.h"

#include <gtest/gtest.h>

#include "nlohmann/json.hpp"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

TEST(LoadOrder, IsReadBackTheSame) {
  LoadOptions options;
  options.warm_up = std::chrono::nanoseconds(123);
  options.duration = std::chrono::seconds(100'000);
  options.patience = std::chrono::nanoseconds(456);
  options.in_flight = 77;
  options.rate = 1234.0 / 7;
  options.arrival = Arrival::kPoisson;
  options.seed = (1ull << 63) - 1;
  options.first_connection = 3;
  options.all_connections = 12;
  options.start = std::chrono::steady_clock::time_point(
      std::chrono::nanoseconds(987'654'321'123));
  KILN_ASSERT_OK_AND_ASSIGN(const LoadOptions read,
                            LoadOrderFromText(LoadOrderToText(options)));
  EXPECT_EQ(read.warm_up, options.warm_up);
  EXPECT_EQ(read.duration, options.duration);
  EXPECT_EQ(read.patience, options.patience);
  EXPECT_EQ(read.in_flight, options.in_flight);
  EXPECT_EQ(read.rate, options.rate);
  EXPECT_EQ(read.arrival, options.arrival);
  EXPECT_EQ(read.seed, options.seed);
  EXPECT_EQ(read.first_connection, options.first_connection);
  EXPECT_EQ(read.all_connections, options.all_connections);
  EXPECT_EQ(read.start, options.start);
}

TEST(LoadOrder, EveryPartIsNeeded) {
  const auto whole = nlohmann::json::parse(LoadOrderToText({}));
  for (const auto& part : whole.items()) {
    nlohmann::json less = whole;
    less.erase(part.key());
    EXPECT_FALSE(LoadOrderFromText(less.dump()).ok()) << part.key();
  }
}

TEST(LoadOrder, TruncatedIsRefused) {
  const std::string text = LoadOrderToText({});
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(LoadOrderFromText(text.substr(0, length)).ok()) << length;
  }
}

TEST(WorkerWords, GiveTheSameWorkload) {
  const std::vector<std::string> cases[] = {
      {},
      {"--inputs=caves,ball", "--edge=16", "--encoding=runs", "--blocks=3",
       "--method=search", "--effort=2", "--compression=zstd", "--connections=4",
       "--in-flight=9", "--rate=10", "--processes=3", "--arrival=poisson"},
      {"--vox=a b.vox", "--compression=lz4", "--edge=9"}};
  for (const std::vector<std::string>& words : cases) {
    KILN_ASSERT_OK_AND_ASSIGN(const BenchOptions asked,
                              ReadBenchOptions(words));
    KILN_ASSERT_OK_AND_ASSIGN(
        const BenchOptions worker,
        ReadBenchOptions(WorkerWords(asked, "h:1", CallMode::kStream, 2)));
    ASSERT_TRUE(worker.worker);
    EXPECT_EQ(worker.worker->index, 2);
    EXPECT_EQ(worker.server, "h:1");
    EXPECT_EQ(worker.modes, std::vector<CallMode>{CallMode::kStream});
    EXPECT_EQ(worker.connections, asked.connections);
    EXPECT_EQ(worker.in_flight, asked.in_flight);
    EXPECT_EQ(worker.workload.grids, asked.workload.grids);
    EXPECT_EQ(worker.workload.vox_file, asked.workload.vox_file);
    EXPECT_EQ(worker.workload.edge, asked.workload.edge);
    EXPECT_EQ(worker.workload.encoding, asked.workload.encoding);
    EXPECT_EQ(worker.workload.blocks_per_request,
              asked.workload.blocks_per_request);
    EXPECT_EQ(worker.workload.recipe.method, asked.workload.recipe.method);
    EXPECT_EQ(worker.workload.recipe.effort, asked.workload.recipe.effort);
    EXPECT_EQ(worker.workload.compression, asked.workload.compression);
  }
}

}  // namespace
}  // namespace kiln::client
