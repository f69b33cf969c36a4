// What is filled and emptied over and over stays as small as it was, and what
// is made and dropped leaves nothing.
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "fault/trials.h"
#include "fault/workload.h"
#include "lamina/database.h"
#include "local_collection.h"
#include "support/random_points.h"

namespace lamina::fault {
namespace {

constexpr std::size_t kPoints = 10'000;
constexpr std::size_t kDimension = 384;
constexpr std::size_t kBatch = 500;
// The first rounds find what the later ones reuse.
constexpr std::uint64_t kWarmUp = 5;
constexpr double kMostGrowth = 1.2;
// What lies on the disk, over the bytes of all vectors.
constexpr std::uint64_t kMostOfLive = 3;

CollectionOptions collection_of(std::size_t dimension) {
  CollectionOptions options;
  options.dimension = dimension;
  return options;
}

std::uint64_t memory_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  std::uint64_t resident = 0;
  statm >> pages >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t disk_bytes(const std::filesystem::path& directory) {
  std::uint64_t bytes = 0;
  std::error_code gone;  // A file may go while we look.
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(directory)) {
    const std::uintmax_t size = entry.file_size(gone);
    if (!gone) bytes += size;
  }
  return bytes;
}

// Returns the most that lay on the disk meanwhile.
std::uint64_t fill_and_empty(Collection& items, std::span<const Point> points,
                             const std::filesystem::path& directory) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < points.size(); i += kBatch) {
    (void)items.upsert(points.subspan(i, std::min(kBatch, points.size() - i)))
        .value();
    most = std::max(most, disk_bytes(directory));
  }
  std::vector<PointId> ids;
  for (const Point& point : points) ids.push_back(point.id);
  (void)items.remove(ids).value();
  return std::max(most, disk_bytes(directory));
}

void check_growth(const char* what, std::uint64_t before, std::uint64_t after,
                  Report* report) {
  report->add(std::string("KiB of ") + what + " after the first rounds",
              before / 1024);
  report->add(std::string("KiB of ") + what + " after the last", after / 1024);
  if (static_cast<double>(after) > kMostGrowth * static_cast<double>(before)) {
    report->violation(std::string(what) + " grows");
  }
}

// What a database that nobody has open takes once all of it is in a snapshot:
// how much log lies beside the last one is a matter of chance.
std::uint64_t settled_bytes(const std::filesystem::path& directory) {
  DatabaseOptions options;
  options.upkeep_thread = false;
  auto db = Database::open(directory, options).value();
  auto items = db->open_collection(kCollection).value();
  (void)local(*items).take_snapshot();
  return disk_bytes(directory);
}

// Fills and empties the collection; the most that lay on the disk meanwhile.
std::uint64_t run_rounds(const std::filesystem::path& directory,
                         std::uint64_t rounds, Report* report) {
  auto db = Database::open(directory).value();
  auto items = db->open_collection(kCollection).value();
  const test::RandomPoints points(kPoints, kDimension, /*seed=*/3);
  Progress progress("rounds of filling and emptying", rounds);
  std::uint64_t most = 0;
  std::uint64_t memory = 0;
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    most = std::max(most, fill_and_empty(*items, points.points(), directory));
    if (round == kWarmUp) memory = memory_bytes();
    report->add("rounds of filling with 10,000 points and emptying", 1);
    progress.reached(round);
  }
  if (rounds > kWarmUp) check_growth("memory", memory, memory_bytes(), report);
  return most;
}

void fill_rounds(std::uint64_t rounds, Report* report) {
  const Scratch scratch(/*on_disk=*/true);
  const auto directory = scratch.path() / "db";
  (void)Database::open(directory).value()->create_collection(
      kCollection, collection_of(kDimension));
  std::uint64_t most = run_rounds(directory, kWarmUp, report);
  const std::uint64_t before = settled_bytes(directory);
  most = std::max(most, run_rounds(directory, rounds, report));
  check_growth("files", before, settled_bytes(directory), report);
  report->add("KiB of files at most, on the way", most / 1024);
  if (most > kMostOfLive * kPoints * kDimension * sizeof(float)) {
    report->violation("files take more than thrice the live points");
  }
}

void make_and_drop(Database& db, std::uint64_t count) {
  const std::vector<float> vector(kDimension, 1.0f);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string name = "collection " + std::to_string(i);
    auto items = db.create_collection(name, collection_of(kDimension)).value();
    (void)items->upsert(Point{i, vector, {}}).value();
    if (!db.drop_collection(name).value()) std::exit(2);
  }
}

void drop_rounds(std::uint64_t count, Report* report) {
  const Scratch scratch(/*on_disk=*/true);
  auto db = Database::open(scratch.path() / "db").value();
  make_and_drop(*db, 5);
  const std::uint64_t files = entry_count(scratch.path() / "db");
  const std::uint64_t descriptors = entry_count("/proc/self/fd");
  const std::uint64_t memory = memory_bytes();
  make_and_drop(*db, count);
  report->add("collections made and dropped", count);
  if (entry_count(scratch.path() / "db") != files) {
    report->violation("a dropped collection leaves a file");
  }
  if (entry_count("/proc/self/fd") != descriptors) {
    report->violation("a dropped collection leaves a descriptor");
  }
  if (static_cast<double>(memory_bytes()) >
      kMostGrowth * static_cast<double>(memory)) {
    report->violation("a dropped collection leaves memory");
  }
}

void check_lock(Report* report) {
  const Scratch scratch;
  auto first = Database::open(scratch.path() / "db").value();
  const auto second = Database::open(scratch.path() / "db");
  report->add("second users of a directory", 1);
  if (second.ok() || second.status().code() != StatusCode::unavailable) {
    report->violation("two may open one directory");
  }
}

}  // namespace

Report churn_trials(const TrialOptions& options) {
  Report report("churn");
  check_lock(&report);
  if (report.should_stop(options)) return report;
  drop_rounds(options.trials * 20, &report);
  fill_rounds(options.trials, &report);
  return report;
}

}  // namespace lamina::fault
