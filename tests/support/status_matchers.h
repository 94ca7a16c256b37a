// tests/support/status_matchers.h
//
// GoogleTest matchers for absl::Status and absl::StatusOr, which Abseil
// 20220623 does not ship.
//
//   EXPECT_THAT(Parse(bytes), IsOk());
//   EXPECT_THAT(Parse(bytes),
//               StatusIs(absl::StatusCode::kInvalidArgument,
//               HasSubstr("size")));
//   KILN_ASSERT_OK_AND_ASSIGN(const BoxSet boxes, Bake(block));

#ifndef KILN_TESTS_SUPPORT_STATUS_MATCHERS_H_
#define KILN_TESTS_SUPPORT_STATUS_MATCHERS_H_

#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kiln::tests {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& status_or) {
  return status_or.status();
}

MATCHER(IsOk, negation ? "is not OK" : "is OK") {
  *result_listener << StatusOf(arg).ToString();
  return StatusOf(arg).ok();
}

MATCHER_P(StatusIs, code, "has code " + absl::StatusCodeToString(code)) {
  *result_listener << StatusOf(arg).ToString();
  return StatusOf(arg).code() == code;
}

MATCHER_P2(StatusIs, code, message,
           "has code " + absl::StatusCodeToString(code) +
               " and a message that " +
               ::testing::DescribeMatcher<std::string>(message)) {
  *result_listener << StatusOf(arg).ToString();
  return StatusOf(arg).code() == code &&
         ::testing::ExplainMatchResult(
             message, std::string(StatusOf(arg).message()), result_listener);
}

}  // namespace kiln::tests

#define KILN_TEST_CONCAT_INNER_(a, b) a##b
#define KILN_TEST_CONCAT_(a, b) KILN_TEST_CONCAT_INNER_(a, b)

#define KILN_ASSERT_OK(expression) \
  ASSERT_THAT(expression, ::kiln::tests::IsOk())

// Assigns the value of a StatusOr to `target`, which may declare a variable, or
// fails the test.
#define KILN_ASSERT_OK_AND_ASSIGN(target, expression) \
  KILN_ASSERT_OK_AND_ASSIGN_IMPL_(                    \
      KILN_TEST_CONCAT_(kiln_test_status_or_, __LINE__), target, expression)

#define KILN_ASSERT_OK_AND_ASSIGN_IMPL_(result, target, expression) \
  auto result = (expression);                                       \
  ASSERT_TRUE(result.ok()) << result.status().ToString();           \
  target = *std::move(result)

#endif  // KILN_TESTS_SUPPORT_STATUS_MATCHERS_H_
