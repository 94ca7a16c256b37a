#include "client/cli/arguments.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/cli/errors.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::StatusIs;

constexpr absl::StatusCode kBad = absl::StatusCode::kInvalidArgument;
constexpr OptionSpec kKnown[] = {
    {"method", "M", ""}, {"effort", "E", ""}, {"json", "", ""}};

absl::StatusOr<Arguments> Parse(const std::vector<std::string>& words) {
  return Arguments::Parse(words, kKnown);
}

TEST(Arguments, OptionsAndWordsMayMix) {
  KILN_ASSERT_OK_AND_ASSIGN(
      const Arguments arguments,
      Parse({"a", "--method=cover", "--json", "b", "--effort", "2", "-"}));
  EXPECT_THAT(arguments.words(), ElementsAre("a", "b", "-"));
  EXPECT_EQ(arguments.Text("method"), "cover");
  EXPECT_TRUE(arguments.Has("json"));
  EXPECT_EQ(*arguments.Number("effort", 0, 0, 3), 2);
}

TEST(Arguments, DoubleDashEndsOptions) {
  KILN_ASSERT_OK_AND_ASSIGN(const Arguments arguments,
                            Parse({"--", "--json", "--"}));
  EXPECT_THAT(arguments.words(), ElementsAre("--json", "--"));
  EXPECT_FALSE(arguments.Has("json"));
}

TEST(Arguments, MissingOptionTakesTheDefault) {
  KILN_ASSERT_OK_AND_ASSIGN(const Arguments arguments, Parse({}));
  EXPECT_EQ(arguments.Text("method", "tree"), "tree");
  EXPECT_EQ(*arguments.Number("effort", 7, 0, 3), 7);
}

TEST(Arguments, UnknownOptionNamesTheNearest) {
  EXPECT_THAT(Parse({"--efort", "1"}),
              StatusIs(kBad, HasSubstr("did you mean --effort?")));
  EXPECT_THAT(Parse({"--mehtod=x"}),
              StatusIs(kBad, HasSubstr("did you mean --method?")));
  EXPECT_THAT(Parse({"--frobnicate"}),
              StatusIs(kBad, "unknown option --frobnicate"));
  EXPECT_THAT(Parse({"-j"}), StatusIs(kBad, HasSubstr("begin with --")));
}

TEST(Arguments, ValuesMustFitTheOption) {
  EXPECT_THAT(Parse({"--method"}), StatusIs(kBad, HasSubstr("needs a value")));
  EXPECT_THAT(Parse({"--json=1"}), StatusIs(kBad, HasSubstr("takes no value")));
  EXPECT_THAT(Parse({"--json", "--json"}),
              StatusIs(kBad, HasSubstr("given twice")));
}

TEST(Arguments, NumbersAreChecked) {
  for (const char* text : {"4", "-1", "x", "", "1.5", "99999999999999999999"}) {
    KILN_ASSERT_OK_AND_ASSIGN(const Arguments arguments,
                              Parse({std::string("--effort=") + text}));
    const auto number = arguments.Number("effort", 0, 0, 3);
    EXPECT_THAT(number, StatusIs(kBad, HasSubstr("allowed: 0..3"))) << text;
    EXPECT_TRUE(IsUsageError(number.status()));
  }
}

}  // namespace
}  // namespace kiln::client
