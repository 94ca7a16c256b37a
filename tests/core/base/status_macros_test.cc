#include "core/base/status_macros.h"

#include <gtest/gtest.h>

#include <memory>

#include "absl/status/statusor.h"
#include "core/base/errors.h"
#include "tests/support/status_matchers.h"

namespace kiln::core {
namespace {

using tests::IsOk;
using tests::StatusIs;

absl::Status FailIf(bool fail) {
  return fail ? CancelledError() : absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<int>> MakeUnless(bool fail) {
  if (fail) return CancelledError();
  return std::make_unique<int>(7);
}

absl::Status ReturnIfError(bool fail, bool& went_on) {
  KILN_RETURN_IF_ERROR(FailIf(fail));
  went_on = true;
  return absl::OkStatus();
}

absl::StatusOr<int> AssignTwice(bool fail) {
  KILN_ASSIGN_OR_RETURN(const std::unique_ptr<int> first, MakeUnless(false));
  KILN_ASSIGN_OR_RETURN(const std::unique_ptr<int> second, MakeUnless(fail));
  return *first + *second;
}

TEST(StatusMacros, ErrorReturnsEarly) {
  bool went_on = false;
  EXPECT_THAT(ReturnIfError(true, went_on),
              StatusIs(absl::StatusCode::kCancelled));
  EXPECT_FALSE(went_on);
}

TEST(StatusMacros, OkGoesOn) {
  bool went_on = false;
  EXPECT_THAT(ReturnIfError(false, went_on), IsOk());
  EXPECT_TRUE(went_on);
}

TEST(StatusMacros, AssignMovesTheValueOut) {
  EXPECT_EQ(AssignTwice(false).value(), 14);
}

TEST(StatusMacros, AssignReturnsTheError) {
  EXPECT_THAT(AssignTwice(true), StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace kiln::core
