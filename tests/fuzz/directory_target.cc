#include <map>

#include "care.h"
#include "fuzz/record_bytes.h"
#include "fuzz/scratch.h"
#include "fuzz/targets.h"
#include "guarded_collection.h"
#include "lamina/database.h"
#include "local_collection.h"

namespace lamina::fuzz {
namespace {

constexpr char kCollection[] = "items";
constexpr DatabaseOptions kOptions{.upkeep_thread = false};

// Contents of a directory, by path below it.
using Files = std::map<std::string, std::string>;

Files read_files(const std::filesystem::path& directory) {
  Files files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file() || entry.path().filename() == "LOCK") continue;
    files[entry.path().lexically_relative(directory).string()] =
        read_whole(entry.path());
  }
  return files;
}

void write_files(const Files& files, const std::filesystem::path& directory) {
  std::filesystem::remove_all(directory);
  for (const auto& [name, bytes] : files) {
    std::filesystem::create_directories((directory / name).parent_path());
    write_scratch((directory / name).lexically_relative(scratch()).string(),
                  bytes);
  }
}

void write_some(Collection& items, std::uint64_t first) {
  const std::vector<float> vector = {1.0f, 2.0f, 3.0f};
  const Payload payload = Payload::from_json(R"({"a":1})").value();
  for (std::uint64_t id = first; id < first + 3; ++id) {
    check(items.upsert(Point{id, vector, payload}).ok(), "a point is written");
  }
  check(items.remove(Selector(PointId(first))).ok(), "and removed");
  check(items.edit_payload(PointId(first + 1), SetPayload{payload, "b"}).ok(),
        "and edited");
}

// A snapshot, and behind it a log that ended and one that goes on.
Files make_files() {
  const std::filesystem::path directory = scratch() / "original";
  {
    const auto db = Database::open(directory, kOptions).value();
    const auto items =
        db->create_collection(kCollection, {.dimension = 3}).value();
    write_some(*items, 1);
    check(items->create_payload_index("a", PayloadIndexType::integer).ok(),
          "an index is made");
    auto& local = static_cast<LocalCollection&>(
        static_cast<GuardedCollection&>(*items).inside());
    check(local.take_snapshot().ok(), "a snapshot is taken");
    write_some(*items, 11);
    // No snapshot can be written where a directory is in its way.
    const auto obstacle = directory / "collection-1" / "snapshot.new";
    std::filesystem::create_directories(obstacle / "x");
    check(!local.take_snapshot().ok(), "a snapshot fails");
    std::filesystem::remove_all(obstacle);
    write_some(*items, 21);
  }
  return read_files(directory);
}

const Files& original() {
  static const Files files = make_files();
  return files;
}

// The file that an input is in place of.
const std::string& name_of(std::size_t choice) {
  auto file = original().begin();
  std::advance(file, static_cast<std::ptrdiff_t>(choice % original().size()));
  return file->first;
}

// What opening says must be what checking said; what is refused stays as it is.
void open_checked(const CheckedCollection& checked,
                  const std::filesystem::path& directory, const Files& files) {
  const auto db = Database::open(directory, kOptions);
  check(db.ok() && (*db)->recovery().size() == 1, "a database is opened");
  const bool opened = (*db)->recovery()[0].status.ok();
  check(opened == checked.status.ok(), "checking foretells opening");
  if (!opened) {
    check(read_files(directory) == files, "damaged files stay as they are");
    return;
  }
  const auto items = (*db)->open_collection(checked.name);
  check(items.ok() && (*items)->count().value() == checked.point_count,
        "opening finds as many points as checking");
}

void salvage(const CheckedCollection& checked,
             const std::filesystem::path& directory) {
  const std::filesystem::path saved = scratch() / "saved";
  std::filesystem::remove_all(saved);
  const auto salvaged = salvage_database(directory, saved);
  check(salvaged.ok() && salvaged->size() == 1, "anything can be salvaged");
  if (!checked.status.ok() || checked.found.torn_bytes > 0) return;
  check(salvaged->front().status.ok() &&
            salvaged->front().point_count == checked.point_count,
        "what is whole is saved whole");
}

void run(std::string_view input) {
  const std::filesystem::path directory = scratch() / "damaged";
  const std::string& name = name_of(take_choice(&input));
  Files files = original();
  files[name] = input;
  write_files(files, directory);
  const auto checked = check_database(directory);
  check(checked.ok() && checked->size() == 1, "a database is checked");
  check(read_files(directory) == files, "checking changes nothing");
  salvage(checked->front(), directory);
  open_checked(checked->front(), directory, files);
}

void change(Random* random, const ChangeBytes& change_bytes,
            std::string* input) {
  std::string_view bytes = *input;
  const std::size_t choice = take_choice(&bytes);
  std::string file(bytes);
  const std::string& name = name_of(choice);
  if (name.find("wal-") != std::string::npos) {
    change_records(kLogLayout, random, change_bytes, &file);
  } else if (name.find("snapshot-") != std::string::npos) {
    change_records(kSnapshotLayout, random, change_bytes, &file);
  } else {
    change_bytes(&file);
    if (random->below(4) != 0) seal_with_crc(&file);
  }
  *input = with_choice(choice, file);
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds;
  for (const auto& [name, bytes] : original()) {
    seeds.push_back(with_choice(seeds.size(), bytes));
  }
  return seeds;
}

}  // namespace

Target directory_target() {
  return {.name = "directory",
          .what =
              "A database with one of its files damaged, checksums set "
              "right after most changes: checked, salvaged and opened. "
              "Checking foretells what opening finds and changes nothing, "
              "nor does opening what it refuses; what is whole is saved "
              "whole.",
          .run = run,
          .seeds = seeds,
          .words = {"LAMINALG", "LAMINASN", "LAMINAMF", "{\"a\":1}",
                    std::string("\xff\xff\xff\xff", 4)},
          .change = change};
}

}  // namespace lamina::fuzz
