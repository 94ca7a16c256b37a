// The kiln tool as a user meets it: words in, text and files out.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "client/cli/command.h"
#include "client/cli/progress_bar.h"
#include "client/formats/file_io.h"
#include "client/formats/vox/vox_reader.h"
#include "client/formats/vox/vox_scene.h"
#include "tests/client/cli/tool_runner.h"
#include "tests/client/formats/vox/vox_builder.h"
#include "tests/support/status_matchers.h"

namespace kiln::client {
namespace {

using core::Vec3i;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tests::Kiln;
using tests::ToolOutcome;
using tests::VoxBuilder;

std::string PathTo(const std::string& name) {
  return testing::TempDir() + "/kiln_tool_" + name;
}

// Two models of two colours, side by side over the border of blocks of 32 and
// on both sides of the origin.
std::string TwoModelFile() {
  tests::VoxBytes slab, post;
  for (uint8_t y = 0; y < 20; ++y) {
    for (uint8_t x = 0; x < 40; ++x) {
      for (const uint8_t v : {x, y, uint8_t{0}, uint8_t{3}}) slab.push_back(v);
    }
  }
  for (uint8_t z = 0; z < 50; ++z) {
    for (const uint8_t v : {uint8_t{0}, uint8_t{0}, z, uint8_t{8}}) {
      post.push_back(v);
    }
  }
  VoxBuilder builder;
  builder.Model({40, 20, 1}, slab)
      .Model({1, 1, 50}, post)
      .Transform(0, 1)
      .Group(1, {2, 4})
      .Transform(2, 3, {{{"_t", "10 5 0"}}})
      .Shape(3, {0})
      .Transform(4, 5, {{{"_t", "3 4 25"}}})
      .Shape(5, {1});
  const std::string path = PathTo("two.vox");
  EXPECT_TRUE(WriteFile(path, builder.Bytes()).ok());
  return path;
}

json ReadJson(const std::string& path) {
  std::ifstream file(path);
  return json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
}

TEST(Tool, HelpListsEveryCommandAndOption) {
  const ToolOutcome overview = Kiln({"help"});
  EXPECT_EQ(overview.code, kExitOk);
  for (const Command& command : AllCommands()) {
    const std::string name(command.name.data(), command.name.size());
    EXPECT_THAT(overview.out, HasSubstr("\n  " + name + " "));
    const ToolOutcome help = Kiln({"help", name});
    EXPECT_EQ(help.code, kExitOk);
    EXPECT_THAT(help.out, HasSubstr("usage: kiln " + name));
    for (const OptionSpec& option : command.options) {
      EXPECT_THAT(help.out, HasSubstr("--" + std::string(option.name.data(),
                                                         option.name.size())));
    }
    EXPECT_EQ(Kiln({name, "--help"}).out, help.out);
  }
  EXPECT_EQ(Kiln({"--help"}).out, overview.out);
}

TEST(Tool, WrongCommandLinesExitWithTwo) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{
           {},
           {"bkae"},
           {"bake"},
           {"bake", "x.vox", "--blocks", "3"},
           {"bake", "x.vox", "--block", "257"},
           {"bake", "x.vox", "--method", "best"},
           {"bake", "x.vox", "--effort", "1"},
           {"bake", "x.vox", "--method", "search", "--effort", "4"},
           {"bake", "x.vox", "--axes", "z-up"},
           {"bake", "x.vox", "--out", "x.stl"},
           {"bake", "x.vox", "y.vox", "--out", "x.obj"},
           {"bake", "x.vox", "--local", "--server", "localhost:1"},
           {"bake", "x.vox", "--server", "no port"},
           {"bake", "x.vox", "--threads", "0"},
           {"info"},
           {"info", "a", "b"},
           {"sample"},
           {"sample", "--out", "x.obj"},
           {"sample", "--out", "x.vox", "--size", "12"},
           {"sample", "--out", "x.vox", "--size", "10x10x10"},
           {"picture", "x.vox"},
           {"help", "bkae"},
           {"version", "x"}}) {
    const ToolOutcome outcome = Kiln(words);
    EXPECT_EQ(outcome.code, kExitUsage)
        << (words.empty() ? "" : words.back()) << ": " << outcome.err;
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("kiln: "), HasSubstr("try: kiln")));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(Tool, FailuresExitWithOneAndNameTheFile) {
  const ToolOutcome missing = Kiln({"bake", "/nonexistent.vox"});
  EXPECT_EQ(missing.code, kExitFailed);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("/nonexistent.vox"),
                                 Not(HasSubstr("try: kiln"))));
  KILN_ASSERT_OK(WriteFile(PathTo("bad.vox"), std::string("VOX \x96")));
  const ToolOutcome bad = Kiln({"info", PathTo("bad.vox")});
  EXPECT_EQ(bad.code, kExitFailed);
  EXPECT_THAT(bad.err, AllOf(HasSubstr("bad.vox: "), HasSubstr("at byte 4")));
}

TEST(Tool, OtherFilesAreBakedThoughOneFails) {
  const std::string good = TwoModelFile();
  const ToolOutcome outcome =
      Kiln({"bake", "--json", good, "/nonexistent.vox", good});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2);
  EXPECT_THAT(outcome.err, HasSubstr("1 of 3 files failed"));
}

TEST(Tool, JsonHasTheDocumentedFields) {
  const std::string path = TwoModelFile();
  const ToolOutcome outcome =
      Kiln({"bake", path, "--json", "--bound", "--threads", "2"});
  ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["file"], path);
  EXPECT_EQ(result["format"], "vox");
  EXPECT_EQ(result["models"], 2);
  // The slab spans x -10..29, z -15..4; the post stands on one of its cells.
  EXPECT_EQ(result["solid_voxels"], 40 * 20 + 49);
  EXPECT_EQ(result["blocks"], 5);
  EXPECT_EQ(result["method"], "partition");
  EXPECT_EQ(result["threads"], 2);
  EXPECT_EQ(result["wire_bytes"], 0);
  EXPECT_GE(result["bake_seconds"], 0.0);
  EXPECT_LE(result["lower_bound"], result["boxes"]);
  EXPECT_EQ(result["content_hash"].get<std::string>().size(), 32u);
  EXPECT_EQ(result["result_hash"].get<std::string>().size(), 32u);
  EXPECT_EQ(result.size(), 13u);
  EXPECT_FALSE(
      json::parse(Kiln({"bake", path, "--json"}).out).contains("lower_bound"));
}

// Boxes of an out file as cells of the world: how often each is covered, and
// the class it has.
struct Cells {
  std::map<std::tuple<int, int, int>, int> times;
  std::map<std::tuple<int, int, int>, int> classes;
};
Cells CellsOf(const json& out) {
  Cells cells;
  for (const json& block : out["blocks"]) {
    const std::vector<int> o = block["origin"];
    for (const std::vector<int> b : block["boxes"]) {
      for (int z = b[2]; z < b[5]; ++z) {
        for (int y = b[1]; y < b[4]; ++y) {
          for (int x = b[0]; x < b[3]; ++x) {
            const std::tuple at = {o[0] + x, o[1] + y, o[2] + z};
            ++cells.times[at];
            cells.classes[at] = b[6];
          }
        }
      }
    }
  }
  return cells;
}

TEST(Tool, OutJsonHoldsExactlyTheScene) {
  const std::string path = TwoModelFile();
  const std::string out = PathTo("two.json");
  KILN_ASSERT_OK_AND_ASSIGN(const auto bytes, ReadFile(path));
  KILN_ASSERT_OK_AND_ASSIGN(const VoxFile file, ReadVox(bytes));
  for (const bool file_axes : {false, true}) {
    const VoxSceneOptions options = {.axes = file_axes ? SceneAxes::kFile
                                                       : SceneAxes::kYUp};
    KILN_ASSERT_OK_AND_ASSIGN(const auto instances, PlaceModels(file, options));
    VoxelGrid grid;
    KILN_ASSERT_OK(AddToGrid(file, instances, options, grid));
    for (const char* block : {"32", "0", "7"}) {
      const ToolOutcome outcome =
          Kiln({"bake", path, "--by-class", "--out", out, "--block", block,
                "--axes", file_axes ? "file" : "y-up"});
      ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
      const Cells cells = CellsOf(ReadJson(out));
      EXPECT_EQ(static_cast<int64_t>(cells.times.size()), grid.solid_voxels());
      for (const auto& [at, times] : cells.times) {
        EXPECT_EQ(times, 1);
        EXPECT_EQ(cells.classes.at(at),
                  grid.At({std::get<0>(at), std::get<1>(at), std::get<2>(at)}));
      }
    }
  }
}

TEST(Tool, BlocksBuryTheFacesBetweenThem) {
  const std::string out = PathTo("faces.json");
  ASSERT_EQ(Kiln({"bake", TwoModelFile(), "--out", out}).code, kExitOk);
  // The slab of blocks x -32 and x 0 is flush at x = 0, open to all else there.
  int seams = 0;
  const json result = ReadJson(out);
  for (const json& block : result["blocks"]) {
    for (const std::vector<int> b : block["boxes"]) {
      const int x0 = block["origin"][0].get<int>() + b[0];
      const int x1 = block["origin"][0].get<int>() + b[3];
      if (x1 == 0) {
        EXPECT_EQ(b[7] & 2, 0);
        ++seams;
      }
      if (x0 == 0) {
        EXPECT_EQ(b[7] & 1, 0);
        ++seams;
      }
      if (x0 == -10) {
        EXPECT_EQ(b[7] & 1, 1);
      }
    }
  }
  EXPECT_GE(seams, 2);
}

TEST(Tool, HashesDoNotDependOnThreads) {
  const std::string path = TwoModelFile();
  std::string first;
  for (const char* threads : {"1", "2", "7"}) {
    json result = json::parse(
        Kiln({"bake", path, "--json", "--block", "4", "--threads", threads})
            .out);
    result.erase("threads");
    result.erase("bake_seconds");
    if (first.empty()) first = result.dump();
    EXPECT_EQ(result.dump(), first);
  }
}

TEST(Tool, ClassesChangeTheContentAndMethodsOnlyTheResult) {
  const std::string path = TwoModelFile();
  const auto bake = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"bake", path, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return json::parse(Kiln(words).out);
  };
  const json plain = bake({});
  const json classes = bake({"--by-class"});
  const json tree = bake({"--method", "tree"});
  EXPECT_NE(plain["content_hash"], classes["content_hash"]);
  EXPECT_EQ(plain["content_hash"], tree["content_hash"]);
  EXPECT_NE(plain["result_hash"], tree["result_hash"]);
  EXPECT_EQ(plain["solid_voxels"], classes["solid_voxels"]);
}

TEST(Tool, WholeSceneOverTheLimitIsRefused) {
  VoxBuilder builder;
  builder.Model({1, 1, 1}, {0, 0, 0, 1})
      .Group(0, {1, 3})
      .Transform(1, 2)
      .Shape(2, {0})
      .Transform(3, 2, {{{"_t", "256 0 0"}}});
  KILN_ASSERT_OK(WriteFile(PathTo("wide.vox"), builder.Bytes()));
  const ToolOutcome outcome =
      Kiln({"bake", PathTo("wide.vox"), "--block", "0"});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("size.x: 257 is not allowed"));
  EXPECT_EQ(Kiln({"bake", PathTo("wide.vox")}).code, kExitOk);
}

TEST(Tool, SceneWithoutVoxelsBakesToNothing) {
  KILN_ASSERT_OK(WriteFile(PathTo("empty.vox"), VoxBuilder().Bytes()));
  for (const char* out : {"empty.json", "empty.obj", "empty.glb"}) {
    const ToolOutcome outcome =
        Kiln({"bake", PathTo("empty.vox"), "--json", "--out", PathTo(out)});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_EQ(json::parse(outcome.out)["boxes"], 0);
  }
}

TEST(Tool, HiddenModelsAreBakedWhenAsked) {
  VoxBuilder builder;
  builder.Model({1, 1, 1}, {0, 0, 0, 1})
      .Transform(0, 1, {{}}, {{"_hidden", "1"}})
      .Shape(1, {0});
  KILN_ASSERT_OK(WriteFile(PathTo("hidden.vox"), builder.Bytes()));
  const auto solid = [&](const std::vector<std::string>& words) {
    return json::parse(Kiln(words).out)["solid_voxels"];
  };
  EXPECT_EQ(solid({"bake", "--json", PathTo("hidden.vox")}), 0);
  EXPECT_EQ(solid({"bake", "--json", "--hidden", PathTo("hidden.vox")}), 1);
}

TEST(Tool, SampleIsWrittenBakedDescribedAndDrawn) {
  const std::string vox = PathTo("sample.vox");
  const ToolOutcome sample =
      Kiln({"sample", "--seed", "3", "--size", "100x48x100", "--out", vox});
  ASSERT_EQ(sample.code, kExitOk) << sample.err;
  const json baked = json::parse(Kiln({"bake", vox, "--json"}).out);
  EXPECT_GT(baked["solid_voxels"], 100000);
  EXPECT_EQ(baked["models"], 1);
  EXPECT_THAT(Kiln({"info", vox}).out,
              HasSubstr(std::to_string(baked["solid_voxels"].get<int>()) +
                        " solid voxels"));
  const ToolOutcome picture = Kiln({"picture", vox, "--by-class", "--width",
                                    "300", "--out", PathTo("sample.png")});
  EXPECT_EQ(picture.code, kExitOk) << picture.err;
}

TEST(Tool, DemoPrintsARowAMethodAndWritesMeshes) {
  const std::string folder = testing::TempDir();
  const ToolOutcome outcome = Kiln({"demo", "--local", "--out", folder + "/"});
  ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
  for (const char* method : {"partition", "search", "cover", "tree", "grow"}) {
    EXPECT_THAT(outcome.out, HasSubstr(std::string("\n") + method + " "));
  }
  EXPECT_TRUE(std::ifstream(folder + "/sample.obj").good());
  EXPECT_TRUE(std::ifstream(folder + "/sample.glb").good());
}

TEST(ProgressBar, IsDrawnOnTerminalsOnlyAndWiped) {
  for (const bool terminal : {false, true}) {
    std::ostringstream out, err;
    Console console{.out = out, .err = err, .err_is_terminal = terminal};
    {
      ProgressBar bar(console, "blocks");
      bar.Show(0, 40);
      bar.Show(40, 40);
    }
    EXPECT_EQ(out.str(), "");
    EXPECT_EQ(err.str().find("] 40/40 blocks") != std::string::npos, terminal);
    EXPECT_EQ(err.str().empty(), !terminal);
    if (terminal) {
      EXPECT_EQ(err.str().back(), '\r');
    }
  }
}

}  // namespace
}  // namespace kiln::client
