// Bits flip, files are cut, blocks change places: it is detected and nothing is
// touched, or it has no effect.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "fault/trials.h"
#include "fault/workload.h"
#include "lamina/database.h"
#include "local_collection.h"

namespace lamina::fault {
namespace {

constexpr std::size_t kDimension = 48;
constexpr std::uint64_t kIds = 24;

// Contents of a directory, by path.
using Files = std::map<std::string, std::string>;

Files read_files(const std::filesystem::path& directory) {
  Files files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file() || entry.path().filename() == "LOCK") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().lexically_relative(directory).string()] = {
        std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

void write_files(const Files& files, const std::filesystem::path& directory) {
  std::filesystem::remove_all(directory);
  for (const auto& [name, bytes] : files) {
    std::filesystem::create_directories((directory / name).parent_path());
    std::ofstream(directory / name, std::ios::binary) << bytes;
  }
}

// A collection's files, and what is in them after each of the last writes.
struct Original {
  Files files;
  bool is_closed = false;
  State state;
  State state_before;  // Without the last write.
};

// A snapshot, two ended segments of the log behind it and one that is not.
class Maker {
 public:
  explicit Maker(std::filesystem::path directory)
      : directory_(std::move(directory)) {}

  Original make(bool is_closed) {
    DatabaseOptions options;
    options.upkeep_thread = false;
    auto db = Database::open(directory_, options).value();
    const auto items =
        db->create_collection(kCollection, collection_options(kDimension))
            .value();
    write_some(*items, 40);
    bool done = local(*items).take_snapshot().ok();
    // No snapshot can be written where a directory is in its way.
    const auto obstacle = directory_ / "collection-1" / "snapshot.new";
    for (int i = 0; i < 2; ++i) {
      write_some(*items, 15);
      std::filesystem::create_directories(obstacle / "x");
      done = done && !local(*items).take_snapshot().ok();
      std::filesystem::remove_all(obstacle);
    }
    write_some(*items, 15);
    if (!done) std::exit(2);
    if (is_closed) db.reset();
    return {shortened(read_files(directory_)), is_closed, state_,
            state_before_};
  }

 private:
  void write_some(Collection& items, int count) {
    for (int i = 0; i < count; ++i) {
      state_before_ = state_;
      const Write write = choose_write(0, kIds, number_++, state_);
      (void)issue(items, write, Durability::fsync).value();
      apply_write(write, &state_);
    }
  }

  // With little of the space that logs take ahead.
  static Files shortened(Files files) {
    for (auto& [name, bytes] : files) {
      const std::size_t last = bytes.find_last_not_of('\0');
      if (bytes.size() > last + 4096) bytes.resize(last + 4096);
    }
    return files;
  }

  std::filesystem::path directory_;
  State state_;
  State state_before_;
  std::uint64_t number_ = 0;
};

void flip_bits(std::string* bytes, std::size_t begin, std::size_t size,
               test::Random* random) {
  const std::uint64_t count = 1 + random->below(8);
  for (std::uint64_t i = 0; i < count; ++i) {
    char& byte = (*bytes)[begin + random->below(size)];
    byte = static_cast<char>(byte ^ (1 << random->below(8)));
  }
}

// Another block's bytes, or none, in place of a block's.
void move_block(std::string* bytes, test::Random* random) {
  const std::size_t block = random->below(2) == 0 ? 512 : 4096;
  const std::size_t count = (bytes->size() + block - 1) / block;
  const std::size_t to = random->below(count) * block;
  const std::size_t from = random->below(count) * block;
  const std::size_t size =
      std::min({block, bytes->size() - to, bytes->size() - from});
  if (random->below(2) == 0) {
    std::fill_n(bytes->begin() + static_cast<std::ptrdiff_t>(to), size, '\0');
    return;
  }
  const std::string old = bytes->substr(to, size);
  bytes->replace(to, size, bytes->substr(from, size));
  bytes->replace(from, size, old);
}

enum class Damage { flip, cut, block };

// A log that was not closed does not say where it ended, so only what lies
// before that can be told from an end: flips in one place.
void damage(Damage kind, bool is_closed, std::string* bytes,
            test::Random* random) {
  switch (kind) {
    case Damage::flip: {
      if (is_closed) return flip_bits(bytes, 0, bytes->size(), random);
      const std::size_t place = random->below(bytes->size()) / 8 * 8;
      return flip_bits(bytes, place,
                       std::min<std::size_t>(8, bytes->size() - place), random);
    }
    case Damage::cut:
      return bytes->resize(random->below(bytes->size()));
    case Damage::block:
      return move_block(bytes, random);
  }
}

constexpr const char* kNames[] = {"flips of 1 to 8 bits", "files cut short",
                                  "blocks moved or zeroed"};

// Opens the damaged files; says how that went, or what is wrong about it.
std::string open_damaged(const Original& original, const Files& damaged,
                         const std::filesystem::path& directory,
                         Report* report) {
  write_files(damaged, directory);
  auto db = Database::open(directory);
  if (!db.ok()) return "open: " + db.status().message();
  if ((*db)->recovery().size() != 1) return "it is not told of";
  const CollectionRecovery recovery = (*db)->recovery()[0];
  if (!recovery.status.ok()) {
    db->reset();
    report->add("detected, and no file touched", 1);
    return read_files(directory) == damaged ? "" : "files were changed";
  }
  auto items = (*db)->open_collection(kCollection);
  if (!items.ok()) return items.status().message();
  const Result<State> state = read_state(**items);
  if (!state.ok()) return state.status().message();
  if (*state == original.state) {
    report->add("without effect", 1);
    return "";
  }
  const bool is_told = recovery.torn_bytes > 0 && !original.is_closed;
  if (is_told && *state == original.state_before) {
    report->add("the last write of a killed process cut off, and told", 1);
    return "";
  }
  return "not detected: " + difference(original.state, *state);
}

void try_one(const Original& original, Damage kind,
             const std::filesystem::path& directory, test::Random* random,
             Report* report) {
  Files damaged = original.files;
  auto file = damaged.begin();
  std::advance(file,
               static_cast<std::ptrdiff_t>(random->below(damaged.size())));
  damage(kind, original.is_closed, &file->second, random);
  if (damaged == original.files) return;
  report->add(kNames[static_cast<int>(kind)], 1);
  const std::string wrong = open_damaged(original, damaged, directory, report);
  if (!wrong.empty()) {
    report->violation(file->first + ", " + kNames[static_cast<int>(kind)] +
                      (original.is_closed ? ", closed: " : ", killed: ") +
                      wrong);
  }
}

}  // namespace

Report damage_trials(const TrialOptions& options) {
  Report report("damaged files");
  const Scratch scratch;
  const std::array<Original, 2> originals = {
      Maker(scratch.path() / "closed").make(/*is_closed=*/true),
      Maker(scratch.path() / "killed").make(/*is_closed=*/false)};
  test::Random random(options.seed);
  Progress progress("damaged files", options.trials);
  for (std::uint64_t i = 0; i < options.trials; ++i) {
    const auto directory = scratch.path() / "damaged";
    try_one(originals[i % 2], Damage::flip, directory, &random, &report);
    if (i % 10 == 0) {
      try_one(originals[0], Damage::cut, directory, &random, &report);
      try_one(originals[0], Damage::block, directory, &random, &report);
    }
    progress.reached(i + 1);
    if (report.should_stop(options)) break;
  }
  return report;
}

}  // namespace lamina::fault
