// Each sub-command as a user meets it: words in, text and exit code out.
#include <doctest/doctest.h>

#include <fstream>

#include "lamina/database.h"
#include "tool/tool_process.h"
#include "types/json_reader.h"

namespace lamina::test {
namespace {

constexpr std::string_view kThree =
    "{\"id\":1,\"vector\":[1.0,0.0],\"payload\":{\"a\":1}}\n"
    "{\"id\":2,\"vector\":[0.0,1.0]}\n"
    "{\"id\":\"00000000-0000-0000-0000-000000000003\",\"vector\":[1.0,1.0]}\n";

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("help names every command, and the version can be asked") {
  Tool tool;
  const std::string help = tool.must({"--help"});
  for (const char* command :
       {"create", "import", "export", "query", "get", "count", "stats", "drop",
        "check", "repair", "dump"}) {
    CHECK(contains(help, std::string("\n  ") + command + " "));
    CHECK(contains(tool.must({command, "--help"}), "--json"));
  }
  CHECK(tool.must({"--version"}).starts_with("lamina 0."));
  CHECK(!std::filesystem::exists(tool.database()));
}

TEST_CASE("a collection is made, filled, asked and dropped") {
  Tool tool;
  CHECK(tool.must({"create", "items", "--dimension", "2"}) ==
        "created items: cosine, 2 values\n");
  tool.must({"import", "items", tool.file("three.jsonl", kThree)});
  CHECK(tool.must({"count", "items"}) == "3\n");
  CHECK(tool.must({"get", "items", "2", "1"}) ==
        "{\"id\":2,\"vector\":[0.0,1.0],\"payload\":{}}\n"
        "{\"id\":1,\"vector\":[1.0,0.0],\"payload\":{\"a\":1}}\n");
  CHECK(tool.must({"get", "items", "2", "--no-vector", "--no-payload"}) ==
        "{\"id\":2}\n");
  CHECK(contains(tool.must({"stats"}), "items: 3 points, cosine, 2 values\n"));
  CHECK(tool.must({"drop", "items"}) == "dropped items\n");
  CHECK(tool.run({"count", "items"}).code == 1);
}

TEST_CASE("a collection is made with a graph, and a query is told its width") {
  Tool tool;
  CHECK(tool.must({"create", "items", "--ef-construct", "50", "--dimension",
                   "2", "--index", "hnsw", "--m", "8"}) ==
        "created items: cosine, 2 values, hnsw\n");
  CHECK(contains(tool.must({"stats", "--json"}),
                 R"("hnsw":{"m":8,"ef_construct":50,"linked":0})"));
  tool.must({"import", "items", tool.file("three.jsonl", kThree)});
  for (const std::vector<std::string>& how :
       std::vector<std::vector<std::string>>{{"--ef", "64"}, {"--exact"}}) {
    std::vector<std::string> words = {"query", "items", "1,0", "--top-k", "1"};
    words.insert(words.end(), how.begin(), how.end());
    CHECK(tool.must(words) == "1.000000  1\n");
  }
  const auto code = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"create", "bad", "--dimension", "2"});
    return tool.run(words).code;
  };
  CHECK(code({"--m", "8"}) == 2);
  CHECK(code({"--index", "tree"}) == 2);
  CHECK(code({"--index", "hnsw", "--m", "3"}) == 2);
  CHECK(code({"--index", "hnsw", "--metric", "manhattan"}) == 1);
  CHECK(tool.run({"query", "items", "1,0", "--ef", "0"}).code == 2);
  CHECK(tool.must({"create", "flat", "--dimension", "2", "--index", "flat"}) ==
        "created flat: cosine, 2 values\n");
}

TEST_CASE("a query takes numbers, a row of a file, or a point's id") {
  Tool tool;
  tool.must({"import", "items", tool.file("three.jsonl", kThree)});
  const std::string best = "1.000000  1\n";
  for (const std::vector<std::string>& vector :
       std::vector<std::vector<std::string>>{
           {"1,0"}, {"1", "0"}, {"1.0,", "-0.0"}, {"[1, 0]"}}) {
    std::vector<std::string> words = {"query", "items", "--top-k", "1"};
    words.insert(words.end(), vector.begin(), vector.end());
    CHECK(tool.must(words) == best);
  }
  CHECK(tool.must({"query", "items", "-1,-0.5", "--top-k", "1"}) ==
        "-0.447214  2\n");
  CHECK(tool.must({"query", "items", "--id", "2", "--top-k", "1"}) ==
        "0.707107  00000000-0000-0000-0000-000000000003\n");
  const std::string file = tool.path("three.jsonl").string();
  CHECK(tool.must({"query", "items", "--vector", file, "--top-k", "1",
                   "--with-payload", "--with-vector"}) ==
        "1.000000  1  {\"a\":1}  [1.0,0.0]\n");
  CHECK(tool.must({"query", "items", "--vector", file, "--row", "1", "--offset",
                   "1", "--score-threshold", "0.5"}) ==
        "0.707107  00000000-0000-0000-0000-000000000003\n");
  CHECK(tool.run({"query", "items", "--vector", file, "--row", "3"}).code == 1);
  CHECK(tool.run({"query", "items", "1,x"}).code == 1);
  CHECK(tool.run({"query", "items", "1,2,3"}).code == 1);
  CHECK(tool.run({"query", "items", "--id", "99"}).code == 1);
}

TEST_CASE("a filter narrows a query, a count and an export") {
  Tool tool;
  tool.must({"import", "items", tool.file("three.jsonl", kThree)});
  const std::string filter = R"({"must":[{"key":"a","match":{"value":1}}]})";
  CHECK(tool.must({"query", "items", "0,1", "--filter", filter}) ==
        "0.000000  1\n");
  CHECK(tool.must({"count", "items", "--filter", filter}) == "1\n");
  const std::string out = tool.path("out.jsonl").string();
  tool.must({"export", "items", out, "--filter", filter});
  CHECK(tool.content(out) == kThree.substr(0, kThree.find('\n') + 1));
  for (const char* bad : {"", "x", "[]", R"({"musst":[]})"}) {
    CAPTURE(bad);
    const ToolResult result = tool.run({"count", "items", "--filter", bad});
    CHECK(result.code == 1);
    CHECK(contains(result.err, "filter"));
  }
}

TEST_CASE("--json prints one JSON object and nothing else") {
  Tool tool;
  const std::string points = tool.file("three.jsonl", kThree);
  const std::vector<std::vector<std::string>> commands = {
      {"create", "other", "--dimension", "2"},
      {"import", "items", points},
      {"count", "items"},
      {"get", "items", "1"},
      {"query", "items", "1,0"},
      {"query", "items", "--id", "1"},
      {"stats"},
      {"stats", "items"},
      {"export", "items", tool.path("out.jsonl").string()},
      {"drop", "other"}};
  for (std::vector<std::string> words : commands) {
    CAPTURE(words[0]);
    words.emplace_back("--json");
    const std::string text = tool.must(words);
    const auto document = JsonDocument::parse(text);
    REQUIRE(document.ok());
    CHECK(document->root().kind() == JsonKind::object);
    CHECK(text.find('\n') == text.size() - 1);
  }
}

TEST_CASE("a wrong command line is 2, and changes nothing") {
  Tool tool;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{
           {},
           {"unknown"},
           {"create", "items"},
           {"create", "items", "--dimension", "0"},
           {"create", "items", "--dimension", "65537"},
           {"create", "items", "--dimension", "2", "--metric", "hamming"},
           {"import", "items"},
           {"import", "items", "a.npy", "--batch", "0"},
           {"import", "items", "a.npy", "--format", "csv"},
           {"query", "items"},
           {"query", "items", "1", "--id", "1"},
           {"query", "items", "--row", "1", "--id", "1"},
           {"get", "items"}}) {
    const ToolResult result = tool.run(words);
    CHECK(result.code == 2);
    CHECK(result.err != "");
    CHECK(result.out == "");
  }
  CHECK(!std::filesystem::exists(tool.database()));
}

TEST_CASE("commands that only read make no database") {
  Tool tool;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"count", "items"},
                                             {"stats"},
                                             {"get", "items", "1"},
                                             {"query", "items", "1"},
                                             {"drop", "items"},
                                             {"export", "items", "x.jsonl"}}) {
    const ToolResult result = tool.run(words);
    CHECK(result.code == 1);
    CHECK(contains(result.err, "not_found"));
  }
  CHECK(!std::filesystem::exists(tool.database()));
}

TEST_CASE("ids that are not there are named, those that are are printed") {
  Tool tool;
  tool.must({"import", "items", tool.file("three.jsonl", kThree)});
  const ToolResult result =
      tool.run({"get", "items", "7", "2", "8", "--no-payload"});
  CHECK(result.code == 1);
  CHECK(result.out == "{\"id\":2,\"vector\":[0.0,1.0]}\n");
  CHECK(result.err == "lamina: not_found: no point has the id 7, 8\n");
}

TEST_CASE("a database in use is 3, a damaged collection 4") {
  Tool tool;
  tool.must({"create", "items", "--dimension", "2"});
  {
    const auto database = Database::open(tool.database()).value();
    const ToolResult taken = tool.run({"count", "items"});
    CHECK(taken.code == 3);
    CHECK(contains(taken.err, "unavailable"));
  }
  // Damage to the last write would count as a torn one.
  tool.must(
      {"import", "items", tool.file("three.jsonl", kThree), "--batch", "1"});
  const auto log = tool.database() / "collection-1" / "wal-00000001.log";
  std::string bytes = tool.content(log);
  bytes[40] = static_cast<char>(bytes[40] ^ 1);
  std::ofstream(log, std::ios::binary) << bytes;
  const ToolResult damaged = tool.run({"count", "items"});
  CHECK(damaged.code == 4);
  CHECK(contains(damaged.err, "data_loss"));
  CHECK(contains(tool.must({"stats"}), "items: damaged"));
}

}  // namespace
}  // namespace lamina::test
