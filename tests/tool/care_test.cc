// check, repair and dump, on directories that were damaged.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>

#include "tool/tool_process.h"

namespace lamina::test {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Every file below, by name.
std::map<std::string, std::string> contents(const Tool& tool,
                                            const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) {
      files[entry.path().string()] = tool.content(entry.path());
    }
  }
  return files;
}

// Points 0 to 39 of "items", ten a write, and "other" with one point.
void fill(Tool& tool) {
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines += "{\"id\":" + std::to_string(i) + ",\"vector\":[" +
             std::to_string(i) +
             ".0,1.0],\"payload\":{\"n\":" + std::to_string(i) + "}}\n";
  }
  tool.must({"create", "items", "--dimension", "2", "--metric", "dot"});
  tool.must({"import", "items", tool.file("items.jsonl", lines), "--batch",
             "10", "--quiet"});
  tool.must({"import", "other",
             tool.file("other.jsonl", "{\"id\":1,\"vector\":[1.0]}\n"),
             "--quiet"});
}

// Flips a bit in the middle of the second of the four writes.
fs::path damage(Tool& tool) {
  const fs::path log = tool.database() / "collection-1" / "wal-00000001.log";
  std::string bytes = tool.content(log);
  bytes[bytes.size() * 2 / 5] ^= 1;
  return tool.file("db/collection-1/wal-00000001.log", bytes);
}

TEST_CASE("check tells of good files, and touches none") {
  Tool tool;
  fill(tool);
  const auto before = contents(tool, tool.database());
  CHECK(tool.must({"check"}) ==
        "items (collection-1): good, 40 points, 4 writes in the log\n"
        "other (collection-2): good, 1 points, 1 writes in the log\n");
  CHECK(contains(tool.must({"check", "--json"}),
                 R"("name":"items","good":true,"points":40)"));
  CHECK(contents(tool, tool.database()) == before);
  CHECK(tool.run({"check", "--dir", tool.path("none").string()}).code == 1);
}

TEST_CASE("check names the file and the place of damage, and touches none") {
  Tool tool;
  fill(tool);
  damage(tool);
  const auto before = contents(tool, tool.database());
  const ToolResult checked = tool.run({"check"});
  CHECK(checked.code == 4);
  CHECK(contains(checked.out, "items (collection-1): damaged: "));
  CHECK(contains(checked.out, "wal-00000001.log: offset "));
  CHECK(contains(checked.out, "other (collection-2): good, 1 points"));
  CHECK(contains(checked.err, "1 of 2 collections"));
  CHECK(contents(tool, tool.database()) == before);
}

TEST_CASE("repair saves every write but the damaged one") {
  Tool tool;
  fill(tool);
  damage(tool);
  const auto before = contents(tool, tool.database());
  const std::string to = tool.path("saved").string();
  const ToolResult repaired = tool.run({"repair", "--to", to});
  CHECK(repaired.code == 4);
  CHECK(contains(repaired.out, "items: 30 points saved from 3 records\n"));
  CHECK(contains(repaired.out, "  lost: "));
  CHECK(contains(repaired.out, "wal-00000001.log: offset "));
  CHECK(contains(repaired.out, "other: 1 points saved from 1 records\n"));
  CHECK(contents(tool, tool.database()) == before);

  CHECK(tool.must({"count", "items", "--dir", to}) == "30\n");
  CHECK(tool.must({"get", "items", "0", "39", "--dir", to}) ==
        "{\"id\":0,\"vector\":[0.0,1.0],\"payload\":{\"n\":0}}\n"
        "{\"id\":39,\"vector\":[39.0,1.0],\"payload\":{\"n\":39}}\n");
  CHECK(tool.run({"get", "items", "15", "--dir", to}).code != 0);
  CHECK(tool.run({"repair", "--to", to}).code == 1);  // It is there already.
}

TEST_CASE("repair in place keeps the old database beside the new") {
  Tool tool;
  fill(tool);
  damage(tool);
  const auto before = contents(tool, tool.database());
  CHECK(tool.run({"repair", "--in-place"}).code == 4);
  CHECK(tool.must({"count", "items"}) == "30\n");
  CHECK(tool.must({"check"}).find("damaged") == std::string::npos);
  const auto kept = contents(tool, tool.path("db.damaged"));
  CHECK(kept.size() == before.size());
  // A second damage is not kept in the place of the first.
  CHECK(tool.run({"repair", "--in-place"}).code == 1);
  CHECK(tool.must({"count", "items"}) == "30\n");
}

TEST_CASE("a good database is repaired to an equal one, with exit code 0") {
  Tool tool;
  fill(tool);
  const std::string to = tool.path("copy").string();
  tool.must({"repair", "--to", to});
  const std::string a = tool.path("a.jsonl").string();
  const std::string b = tool.path("b.jsonl").string();
  tool.must({"export", "items", a, "--quiet"});
  tool.must({"export", "items", b, "--quiet", "--dir", to});
  CHECK(tool.content(a) == tool.content(b));
}

TEST_CASE("a collection without a readable manifest is told as lost") {
  Tool tool;
  fill(tool);
  tool.file("db/collection-1/MANIFEST", "nothing");
  const ToolResult checked = tool.run({"check"});
  CHECK(checked.code == 4);
  CHECK(contains(checked.out, "collection-1: damaged: "));
  const ToolResult repaired =
      tool.run({"repair", "--to", tool.path("saved").string()});
  CHECK(repaired.code == 4);
  CHECK(contains(repaired.out, "collection-1: lost: "));
  CHECK(contains(repaired.out, "other: 1 points saved"));
}

TEST_CASE("dump prints every record, and where there is none") {
  Tool tool;
  fill(tool);
  const std::string log = damage(tool).string();
  const std::string text = tool.must({"dump", log});
  CHECK(text.starts_with("32  1  upsert  "));
  CHECK(contains(text, "damaged, "));
  CHECK(contains(text, "  4  upsert  "));
  CHECK(!contains(text, "  2  upsert  "));
  CHECK(contains(tool.must({"dump", log, "--json"}),
                 R"("whole":true,"sequence":1,"type":"upsert")"));
}

}  // namespace
}  // namespace lamina::test
