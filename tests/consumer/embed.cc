// Uses the installed engine as a stranger's program would: writes, queries,
// opens the directory again, and finds what was there.
#include <lamina/database.h>
#include <lamina/version.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

int fail(const lamina::Status& status) {
  std::fprintf(stderr, "%s\n", status.to_string().c_str());
  return 1;
}

// The example of README.md, line by line; tests/readme_test.cmake compares.
int write_and_query(const std::string& directory,
                    const std::vector<float>& embedding) {
  // README begin
  auto db = lamina::Database::open(directory);
  if (!db.ok()) return fail(db.status());
  auto items = (*db)->create_collection("items", {.dimension = 384});
  if (!items.ok()) return fail(items.status());

  auto written = (*items)->upsert({.id = 42, .vector = embedding});
  if (!written.ok()) return fail(written.status());

  auto hits = (*items)->query(embedding, {.top_k = 10});
  if (!hits.ok()) return fail(hits.status());
  for (const lamina::Hit& hit : *hits) {
    std::printf("%s %.3f\n", hit.id.to_string().c_str(), hit.score);
  }
  // README end
  return 0;
}

int read_again(const std::string& directory,
               const std::vector<float>& embedding) {
  auto db = lamina::Database::open(directory, {.create_if_missing = false});
  if (!db.ok()) return fail(db.status());
  auto items = (*db)->open_collection("items");
  if (!items.ok()) return fail(items.status());

  auto record = (*items)->get(42);
  if (!record.ok()) return fail(record.status());
  if (record->vector != embedding) {
    std::fprintf(stderr, "the vector came back changed\n");
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: embed DIRECTORY\n");
    return 2;
  }
  std::vector<float> embedding(384);
  for (std::size_t i = 0; i < embedding.size(); ++i) {
    embedding[i] = 0.5f + 0.001f * static_cast<float>(i);
  }
  std::printf("lamina %s\n", std::string(lamina::kVersion).c_str());
  if (int code = write_and_query(argv[1], embedding); code != 0) return code;
  return read_again(argv[1], embedding);
}
