#include "fuzz/record_bytes.h"
#include "fuzz/scratch.h"
#include "fuzz/targets.h"
#include "storage/file.h"
#include "storage/manifest.h"
#include "types/validate.h"

namespace lamina::fuzz {
namespace {

std::string written(const storage::Manifest& manifest) {
  const std::filesystem::path path = scratch() / "manifest.new";
  check(storage::remove_file(path).ok() &&
            storage::write_manifest(path, manifest).ok(),
        "a manifest is written");
  return read_whole(path);
}

void run(std::string_view input) {
  const auto manifest =
      storage::read_manifest(write_scratch("manifest", input));
  if (!manifest.ok()) return;
  check(validate_collection_name(manifest->name).ok() &&
            validate_collection_options(manifest->options).ok(),
        "what is read is what a collection may be");
  const std::string first = written(*manifest);
  const auto again = storage::read_manifest(write_scratch("manifest", first));
  check(again.ok() && written(*again) == first, "and reads back as the same");
}

void change(Random* random, const ChangeBytes& change_bytes,
            std::string* input) {
  change_bytes(input);
  if (random->below(8) != 0) seal_with_crc(input);
}

std::vector<std::string> seeds() {
  return {
      written({.name = "items", .options = {.dimension = 384}}),
      written({.name = std::string(255, 'n'),
               .options = {.dimension = 65'536,
                           .metric = Metric::manhattan,
                           .durability = Durability::fsync}}),
      written({.name = "graph",
               .options = {.dimension = 3, .hnsw = HnswOptions{}}}),
  };
}

}  // namespace

Target manifest_target() {
  return {.name = "manifest",
          .what =
              "The manifest of a collection, its checksum set right after "
              "most changes. What is read is what a collection may be, and "
              "reads back as the same.",
          .run = run,
          .seeds = seeds,
          .words = {"LAMINAMF", std::string("\x02\0\0\0", 4),
                    std::string("\xff\xff\xff\xff", 4), "/", ".."},
          .most_bytes = 512,
          .change = change};
}

}  // namespace lamina::fuzz
