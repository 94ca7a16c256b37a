#include "server/handlers/bake_handler.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/support/status_matchers.h"

namespace kiln::server {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using tests::IsOk;
using tests::StatusIs;

// `blocks` blocks of edge^3 voxels, all of the same entry.
std::unique_ptr<v1::BakeVoxelsRequest> UniformRequest(int blocks, uint32_t edge,
                                                      uint32_t entry) {
  auto request = std::make_unique<v1::BakeVoxelsRequest>();
  for (int i = 0; i < blocks; ++i) {
    v1::BlockInput& input = *request->add_blocks();
    input.mutable_block()->mutable_size()->set_x(edge);
    input.mutable_block()->mutable_size()->set_y(edge);
    input.mutable_block()->mutable_size()->set_z(edge);
    input.mutable_block()->set_uniform_entry(entry);
    input.mutable_chunk()->set_x(100 + i);
  }
  return request;
}

TEST(BakeHandler, SolidBlockGivesOneBox) {
  KILN_ASSERT_OK_AND_ASSIGN(const auto handler,
                            BakeHandler::Make(UniformRequest(1, 8, 1), {}));
  ASSERT_THAT(handler->BakeBlock(0, {}), IsOk());
  const auto response = handler->TakeResponse();
  ASSERT_EQ(response->results_size(), 1);
  EXPECT_EQ(response->results(0).outcome(), v1::OUTCOME_BOXES);
  EXPECT_THAT(response->results(0).bounds(),
              testing::ElementsAre(0, 0, 0, 8, 8, 8));
  EXPECT_EQ(response->results(0).solid_voxels(), 512);
}

TEST(BakeHandler, ResultsKeepTheOrderOfTheRequest) {
  KILN_ASSERT_OK_AND_ASSIGN(const auto handler,
                            BakeHandler::Make(UniformRequest(3, 2, 0), {}));
  for (const int index : {2, 0, 1}) {
    ASSERT_THAT(handler->BakeBlock(index, {}), IsOk());
  }
  const auto response = handler->TakeResponse();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(response->results(i).chunk().x(), 100 + i);
    EXPECT_EQ(response->results(i).outcome(), v1::OUTCOME_EMPTY);
  }
}

TEST(BakeHandler, EmptyRequestIsRefused) {
  EXPECT_THAT(
      BakeHandler::Make(std::make_unique<v1::BakeVoxelsRequest>(), {}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("blocks")));
}

TEST(BakeHandler, TooManyBlocksNameTheFlag) {
  RequestOptions limits;
  limits.max_blocks = 2;
  EXPECT_THAT(BakeHandler::Make(UniformRequest(3, 1, 1), limits),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--max_blocks_per_request")));
}

TEST(BakeHandler, TooMuchCostNamesTheFlag) {
  RequestOptions limits;
  limits.max_cost = 511;
  EXPECT_THAT(BakeHandler::Make(UniformRequest(1, 8, 1), limits),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--max_request_cost")));
}

TEST(BakeHandler, BadContentNamesTheBlock) {
  auto request = UniformRequest(2, 8, 1);
  // A point outside the block: only decoding can tell.
  auto* points = request->mutable_blocks(1)->mutable_block()->mutable_points();
  for (const uint32_t coordinate : {1u, 8u, 1u}) {
    points->add_coordinates(coordinate);
  }
  points->add_entries(1);
  KILN_ASSERT_OK_AND_ASSIGN(const auto handler,
                            BakeHandler::Make(std::move(request), {}));
  EXPECT_THAT(handler->BakeBlock(1, {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       StartsWith("blocks[1].block.points.")));
}

TEST(BakeHandler, CancelledTokenStopsTheBlock) {
  KILN_ASSERT_OK_AND_ASSIGN(const auto handler,
                            BakeHandler::Make(UniformRequest(1, 8, 1), {}));
  core::CancelSource cancel;
  cancel.Cancel();
  EXPECT_THAT(handler->BakeBlock(0, cancel.token()),
              StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace kiln::server
