#include "experiments/storage.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "arms/sync_count.h"
#include "core/storage_result.h"
#include "lamina/database.h"
#include "report/storage.h"
#include "support/temporary_directory.h"

namespace lamina::bench {
namespace {

StorageResult sample() {
  StorageResult result;
  result.run.started_utc = "2026-01-02T03:04:05Z";
  result.run.mode = "default";
  result.run.verdict = "quiet";
  result.run.wall_s = 12.5;
  result.environment = {{"cpu.model", "a CPU", ""}};
  result.figures = {{"fsync upsert, p50", "us", 700.25, {}, {}},
                    {"one over another", "times", 1.5, 1.25, {}},
                    {"many over one", "times", 6.0, {}, 5.0}};
  return result;
}

TEST_CASE("a storage result is read back as it was written") {
  const Result<StorageResult> read =
      storage_from_json(storage_to_json(sample()));
  REQUIRE(read.ok());
  CHECK(*read == sample());
  CHECK_FALSE(storage_from_json("{}").ok());
  CHECK_FALSE(storage_from_json(R"({"schema":"lamina-peers/1"})").ok());
}

TEST_CASE("the page says what was promised and whether it holds") {
  const std::string page = storage_to_markdown(sample());
  CHECK(page.find("| one over another | 1.50 | times | at most 1.25 | no |") !=
        std::string::npos);
  CHECK(page.find("| many over one | 6.00 | times | at least 5.00 | yes |") !=
        std::string::npos);
}

TEST_CASE("an fsync write is counted as one fdatasync") {
  const test::TemporaryDirectory directory;
  const auto database = Database::open(directory.path()).value();
  CollectionOptions options;
  options.dimension = 1;
  const auto items = database->create_collection("x", options).value();
  const std::vector<float> vector = {1.0f};
  const std::uint64_t before = fdatasync_count();
  for (std::uint64_t id = 0; id < 3; ++id) {
    const Point point{PointId(id), vector, {}};
    REQUIRE(items->upsert(point, {.durability = Durability::fsync}).ok());
  }
  CHECK(fdatasync_count() - before == 3);
  REQUIRE(items->upsert({PointId(9), vector, {}}).ok());
  CHECK(fdatasync_count() - before == 3);
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("the page in docs is that of the result in docs") {
  const std::filesystem::path docs = LAMINA_DOCS_DIR;
  const Result<StorageResult> result =
      storage_from_json(text_of(docs / "results" / "storage.json"));
  REQUIRE(result.ok());
  CHECK(storage_to_markdown(*result) == text_of(docs / "storage-costs.md"));
}

}  // namespace
}  // namespace lamina::bench
