// Data in and out through the real program.
#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "support/random_points.h"
#include "tool/tool_process.h"
#include "types/json_writer.h"

namespace lamina::test {
namespace {

const std::string kWordNet =
    std::string(LAMINA_TEST_DATA_DIR) + "/wordnet-384/wordnet-384-base";

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Points of 8 values; the last one replaces the first.
std::string many_points(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) {
    JsonWriter json;
    json.begin_object().key("id").uint64(i + 1 == count ? 0 : i);
    json.key("vector").vector(random.vector(8)).key("payload").begin_object();
    json.key("n").uint64(random.below(100)).end_object().end_object();
    lines += json.take() + '\n';
  }
  return lines;
}

std::string exported(Tool* tool, const std::string& collection) {
  const std::string path = tool->path("exported.safetensors").string();
  tool->must({"export", collection, path, "--force"});
  return tool->content(path);
}

bool has_progress_file(const Tool& tool) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(tool.database(), error), end;
       !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with("import-") && name.ends_with(".json")) return true;
  }
  return false;
}

TEST_CASE(
    "the data set goes in with its payloads, and comes out as it went "
    "in, in every format") {
  Tool tool;
  const auto begin = std::chrono::steady_clock::now();
  tool.must({"import", "words", kWordNet + ".f16.npy", "--payload",
             kWordNet + ".jsonl"});
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  MESSAGE("imported in " << seconds.count() << " s");
  const std::string first = exported(&tool, "words");

  struct Way {
    std::string file;
    std::vector<std::string> companions;
  };
  const std::string ids = tool.path("ids.npy").string();
  const std::string names = tool.path("ids.txt").string();
  const std::string payload = tool.path("payload.jsonl").string();
  const Way ways[] = {{"a.safetensors", {}},
                      {"a.jsonl", {}},
                      {"a.npy", {"--ids", ids, "--payload", payload}},
                      {"a.fvecs", {"--ids", names, "--payload", payload}},
                      {"a.faiss", {"--payload", payload}}};
  for (const Way& way : ways) {
    CAPTURE(way.file);
    const std::string file = tool.path(way.file).string();
    std::vector<std::string> out = {"export", "words", file, "--force"};
    std::vector<std::string> in = {"import", "copy", file, "--metric",
                                   "cosine"};
    out.insert(out.end(), way.companions.begin(), way.companions.end());
    in.insert(in.end(), way.companions.begin(), way.companions.end());
    tool.must(out);
    tool.must(in);
    CHECK(exported(&tool, "copy") == first);
    const std::string again = tool.path("again").string();
    out[1] = "copy";
    out[2] = again;
    out.insert(out.end(), {"--format", way.file.substr(2)});
    tool.must(out);
    CHECK(tool.content(again) == tool.content(file));
    tool.must({"drop", "copy"});
  }
  CHECK(tool.content(payload) == tool.content(kWordNet + ".jsonl"));
}

TEST_CASE(
    "a killed import goes on where it was, and ends in the same "
    "content") {
  Tool tool;
  const std::string file = tool.file("many.jsonl", many_points(6000, 1));
  tool.must({"import", "whole", file});
  const std::string expected = exported(&tool, "whole");
  Random random(5);
  int killed = 0;
  int resumed = 0;
  for (int round = 0; round < 6; ++round) {
    // A write a point, so that there is time to end it in the middle.
    tool.start({"import", "items", file, "--batch", "1", "--durability",
                "fsync", "--resume"});
    while (!has_progress_file(tool) && !tool.has_ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(400)));
    tool.kill();
    const ToolResult result = tool.wait();
    killed += result.signal == SIGKILL;
    if (result.signal == 0) break;
  }
  const std::string last =
      tool.must({"import", "items", file, "--resume", "--json"});
  resumed += !contains(last, "\"resumed_after\":0,");
  MESSAGE(killed << " kills, then " << last);
  CHECK(killed > 0);
  CHECK(resumed == 1);
  CHECK(exported(&tool, "items") == expected);
  CHECK(!has_progress_file(tool));
}

// Leaves an import of `file` into "items" that was killed in the middle.
void interrupt_import(Tool* tool, const std::string& file) {
  tool->start(
      {"import", "items", file, "--batch", "1", "--durability", "fsync"});
  while (!has_progress_file(*tool)) {
    REQUIRE(!tool->has_ended());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  tool->kill();
  REQUIRE(tool->wait().signal == SIGKILL);
}

TEST_CASE("an import that cannot be gone on with starts from the beginning") {
  Tool tool;
  const std::string file = tool.file("many.jsonl", many_points(6000, 1));
  tool.must({"import", "whole", file});
  const std::string expected = exported(&tool, "whole");

  SUBCASE("the collection was made anew") {
    interrupt_import(&tool, file);
    tool.must({"drop", "items"});
    tool.must({"create", "items", "--dimension", "8"});
    const ToolResult result = tool.run({"import", "items", file, "--resume"});
    CHECK(result.code == 0);
    CHECK(contains(result.err, "starting from the first point"));
    CHECK(exported(&tool, "items") == expected);
  }
  SUBCASE("the file is another") {
    interrupt_import(&tool, file);
    // The same up to the last line, and of the same size.
    std::string other = many_points(6000, 1);
    other.replace(other.rfind("\"n\":"), 4, "\"m\":");
    REQUIRE(other.size() == std::filesystem::file_size(file));
    tool.file("many.jsonl", other);
    CHECK(contains(tool.must({"import", "items", file, "--resume", "--json"}),
                   "\"resumed_after\":0,"));
  }
  SUBCASE("nobody asked to go on") {
    interrupt_import(&tool, file);
    CHECK(contains(tool.must({"import", "items", file, "--json"}),
                   "\"resumed_after\":0,"));
    CHECK(exported(&tool, "items") == expected);
  }
}

TEST_CASE("a file that is wrong anywhere changes nothing") {
  Tool tool;
  const std::string good = many_points(3000, 3);
  const std::string bad =
      tool.file("bad.jsonl", good + "{\"id\":1,\"vector\":[1]}\n");
  const ToolResult fresh = tool.run({"import", "items", bad});
  CHECK(fresh.code == 1);
  CHECK(fresh.err ==
        "lamina: invalid_argument: " + bad +
            ": line 3001: vector has 1 values, expected 8 as in the first "
            "line\n");
  CHECK(!std::filesystem::exists(tool.database()));

  tool.must({"import", "items", tool.file("good.jsonl", good)});
  const std::string before = exported(&tool, "items");
  for (const char* vector :
       {"[0,0,0,0,0,0,0,0]", "[1,2,3]", "[1,2,3,4,5,6,7,\"8\"]", "7"}) {
    CAPTURE(vector);
    tool.file("bad.jsonl",
              many_points(3000, 4) + "{\"id\":7,\"vector\":" + vector + "}\n");
    const ToolResult result = tool.run({"import", "items", bad});
    CHECK(result.code == 1);
    CHECK(contains(result.err, bad + ": line 3001"));
    CHECK(exported(&tool, "items") == before);
  }
}

TEST_CASE("without the check, points before the fault are in") {
  Tool tool;
  const std::string bad = tool.file("bad.jsonl", many_points(30, 4) + "x\n");
  const ToolResult result =
      tool.run({"import", "items", bad, "--no-check", "--batch", "10"});
  CHECK(result.code == 1);
  CHECK(contains(result.err, bad + ": line 31"));
  CHECK(tool.must({"count", "items"}) == "29\n");
}

TEST_CASE("a file that does not fit its collection is refused") {
  Tool tool;
  tool.must({"create", "items", "--dimension", "3"});
  const std::string file = tool.file("a.jsonl", many_points(5, 1));
  const ToolResult dimension = tool.run({"import", "items", file});
  CHECK(dimension.code == 1);
  CHECK(contains(dimension.err, "vectors of 8 values, items of 3"));
  tool.must({"import", "other", file});
  CHECK(contains(tool.run({"import", "other", file, "--metric", "dot"}).err,
                 "other exists with cosine"));
  CHECK(contains(tool.run({"import", "items", tool.file("a.csv", "1")}).err,
                 "name it with --format"));
  CHECK(tool.must({"count", "items"}) == "0\n");
  CHECK(contains(tool.run({"import", "none", tool.file("e.jsonl", "")}).err,
                 "holds no point"));
}

TEST_CASE("the metric of a file is taken for a collection that is made") {
  Tool tool;
  tool.must({"create", "items", "--dimension", "8", "--metric", "manhattan"});
  for (const char* name : {"a.safetensors", "a.faiss"}) {
    const std::string file = tool.path(name).string();
    tool.must({"export", "items", file});
    tool.must({"import", name, file});
    CHECK(contains(tool.must({"stats", name}), "manhattan, 8 values"));
  }
}

TEST_CASE("an export takes its place whole, or leaves what was there") {
  Tool tool;
  tool.must({"import", "items", tool.file("a.jsonl", many_points(100, 1))});
  tool.must({"import", "uuids",
             tool.file("u.jsonl",
                       "{\"id\":\"00000000-0000-0000-0000-000000000001\","
                       "\"vector\":[1]}\n")});
  const std::string out = tool.file("out.faiss", "was here");
  CHECK(
      contains(tool.run({"export", "items", out}).err, "--force replaces it"));
  CHECK(tool.content(out) == "was here");
  CHECK(tool.run({"export", "uuids", out, "--force"}).code == 1);
  CHECK(tool.content(out) == "was here");
  CHECK(!std::filesystem::exists(out + ".part"));
  CHECK(tool.run({"export", "items", tool.path("none/x.npy").string()}).code ==
        1);
  tool.file("out.faiss.part", "left by a run that was killed");
  tool.must({"export", "items", out, "--force"});
  CHECK(tool.content(out).starts_with("IxMp"));
  for (const auto& entry :
       std::filesystem::directory_iterator(tool.path("."))) {
    CHECK(entry.path().extension() != ".part");
  }
}

TEST_CASE("what a format leaves out is told") {
  Tool tool;
  tool.must({"import", "items", tool.file("a.jsonl", many_points(100, 1))});
  const auto notes = [&](const std::string& name) {
    return tool.run({"export", "items", tool.path(name).string()}).err;
  };
  CHECK(notes("b.jsonl") == "");
  CHECK(notes("b.safetensors") == "");
  CHECK(contains(notes("b.npy"), "npy holds no ids"));
  CHECK(contains(notes("b.fvecs"), "fvecs holds no payloads"));
  CHECK(contains(notes("b.faiss"), "inner product"));
}

}  // namespace
}  // namespace lamina::test
