// SIGKILL in the middle of writes, over and over on one directory: the next
// process finds what was acknowledged, and checks it before it writes on.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <thread>

#include "fault/intercepted_io.h"
#include "fault/trials.h"
#include "fault/workload.h"
#include "lamina/database.h"
#include "local_collection.h"

namespace lamina::fault {
namespace {

constexpr std::uint64_t kWriters = 8;
constexpr std::uint64_t kIdsOfWriter = 32;
// That of a usual collection, so that the log outgrows the points soon.
constexpr std::size_t kDimension = 384;

using Clock = std::chrono::steady_clock;

std::uint64_t first_id(std::uint64_t writer) { return writer << 32; }

Write write_of(std::uint64_t writer, std::uint64_t number, const State& state) {
  return choose_write(first_id(writer), kIdsOfWriter, number, state);
}

// What one writer did over all its lives.
struct Writer {
  std::uint64_t written = 0;  // Writes that are known to be there.
  std::uint64_t acknowledged = 0;
  State state;  // After `written`.

  void advance_to(std::uint64_t count, std::uint64_t number) {
    for (; written < count; ++written) {
      apply_write(write_of(number, written, state), &state);
    }
  }
};

using Writers = std::array<Writer, kWriters>;

// How a process lives and dies.
struct Life {
  // Of the process's own accord, at this call on a file, counted from its start
  // or from its first write; else it is killed after `time`.
  std::uint64_t kill_at_call = 0;
  bool counts_opening = false;
  std::chrono::microseconds time{0};
  // Snapshots follow one another, and are not left to when they are due.
  bool snapshots_all_the_time = false;
  Durability durability = Durability::fsync;
};

// What the process found, the first thing that it tells its parent.
struct Finding {
  std::array<std::uint64_t, kWriters> written{};
  std::uint64_t torn_bytes = 0;
  bool ok = false;
  bool had_snapshot = false;
  bool left_snapshot = false;  // One was being taken when the last one died.
  char what[200] = {};
};

// The states of all writers at once, apart.
std::array<State, kWriters> by_writer(const State& all) {
  std::array<State, kWriters> states;
  for (const auto& [id, stored] : all) {
    states[std::min(id >> 32, kWriters - 1)][id] = stored;
  }
  return states;
}

// How many of its writes `actual` holds: those acknowledged, and perhaps the
// one that was under way. None when it is no such state.
std::optional<std::uint64_t> count_writes(Writer writer, std::uint64_t number,
                                          const State& actual,
                                          std::string* what) {
  writer.advance_to(writer.acknowledged, number);
  if (writer.state == actual) return writer.written;
  *what = "writer " + std::to_string(number) + ", " +
          std::to_string(writer.acknowledged) +
          " writes acknowledged: " + difference(writer.state, actual);
  writer.advance_to(writer.acknowledged + 1, number);
  if (writer.state == actual) return writer.written;
  return std::nullopt;
}

void tell(Finding* finding, const std::string& what) {
  finding->ok = false;
  what.copy(finding->what, sizeof finding->what - 1);
}

bool has_file(const std::filesystem::path& directory, const char* prefix) {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.path().filename().string().starts_with(prefix)) return true;
  }
  return false;
}

Finding inspect(const Database& db, const Collection& items,
                const Writers& writers) {
  Finding finding;
  finding.ok = true;
  finding.torn_bytes = db.recovery().at(0).torn_bytes;
  const Result<State> all = read_state(items);
  if (!all.ok()) {
    tell(&finding, all.status().message());
    return finding;
  }
  const std::array<State, kWriters> states = by_writer(*all);
  for (std::uint64_t w = 0; w < kWriters; ++w) {
    std::string what;
    const auto count = count_writes(writers[w], w, states[w], &what);
    if (!count) tell(&finding, what);
    finding.written[w] = count.value_or(0);
  }
  return finding;
}

void write_for_ever(Collection& items, Writer writer, std::uint64_t number,
                    Durability durability, int out) {
  while (true) {
    const Write write = write_of(number, writer.written, writer.state);
    if (!issue(items, write, durability).ok()) ::_exit(4);
    const char byte = static_cast<char>(number);
    if (::write(out, &byte, 1) != 1) ::_exit(3);
    writer.advance_to(writer.written + 1, number);
  }
}

void take_snapshots_for_ever(LocalCollection& items) {
  while (true) {
    if (!items.take_snapshot().ok()) ::_exit(5);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// The process: tells what it finds, and writes until it dies.
[[noreturn]] void live(const std::filesystem::path& directory, const Life& life,
                       Writers writers, int out) {
  watch(directory);
  const Plan plan = {.call = life.kill_at_call, .effect = Effect::kill};
  if (life.counts_opening) arm(plan);
  const bool left = has_file(directory, "snapshot.new");
  auto db = Database::open(directory);
  if (!db.ok()) ::_exit(6);
  Finding finding;
  auto items = (*db)->open_collection(kCollection);
  if (items.ok()) {
    finding = inspect(**db, **items, writers);
    finding.had_snapshot = has_file(directory, "snapshot-");
    finding.left_snapshot = left;
  } else {
    tell(&finding, items.status().message());
  }
  if (::write(out, &finding, sizeof finding) != sizeof finding) ::_exit(3);
  if (!finding.ok) ::_exit(0);
  if (!life.counts_opening) arm(plan);
  std::vector<std::thread> threads;
  if (life.snapshots_all_the_time) {
    local(**items).use_upkeep(nullptr);
    threads.emplace_back([&items] { take_snapshots_for_ever(local(**items)); });
  }
  for (std::uint64_t w = 0; w < kWriters; ++w) {
    writers[w].advance_to(finding.written[w], w);
    threads.emplace_back([&, w] {
      write_for_ever(**items, writers[w], w, life.durability, out);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ::_exit(0);
}

struct Outcome {
  bool told = false;
  Finding finding;
  std::array<std::uint64_t, kWriters> acknowledged{};
  int status = 0;
};

// Reads what the process tells, kills it when its time is over, and reads the
// rest.
Outcome follow(pid_t child, int in, const Life& life) {
  Outcome outcome;
  // One that is to die by itself gets as long as anyone could need.
  const auto time = life.kill_at_call != 0
                        ? std::chrono::microseconds(std::chrono::seconds(2))
                        : life.time;
  std::string told;
  std::optional<Clock::time_point> end;
  bool killed = false;
  while (true) {
    int left_ms = -1;
    if (end && !killed) {
      left_ms = static_cast<int>(std::max<std::int64_t>(
          0, std::chrono::duration_cast<std::chrono::milliseconds>(*end -
                                                                   Clock::now())
                 .count()));
    }
    pollfd ready = {in, POLLIN, 0};
    const int polled = ::poll(&ready, 1, left_ms);
    if (!killed && end && (polled == 0 || Clock::now() >= *end)) {
      ::kill(child, SIGKILL);
      killed = true;
      continue;
    }
    char bytes[4096];
    const ssize_t got = ::read(in, bytes, sizeof bytes);
    if (got <= 0) break;
    told.append(bytes, static_cast<std::size_t>(got));
    if (!end && told.size() >= sizeof(Finding)) end = Clock::now() + time;
  }
  ::waitpid(child, &outcome.status, 0);
  if (told.size() < sizeof(Finding)) return outcome;
  outcome.told = true;
  told.copy(reinterpret_cast<char*>(&outcome.finding), sizeof(Finding));
  for (std::size_t i = sizeof(Finding); i < told.size(); ++i) {
    ++outcome.acknowledged[static_cast<std::size_t>(told[i])];
  }
  return outcome;
}

Outcome run(const std::filesystem::path& directory, const Life& life,
            const Writers& writers) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::exit(2);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    live(directory, life, writers, ends[1]);
  }
  ::close(ends[1]);
  Outcome outcome = follow(child, ends[0], life);
  ::close(ends[0]);
  return outcome;
}

Life choose_life(test::Random* random, Durability durability) {
  Life life;
  life.durability = durability;
  life.snapshots_all_the_time = random->below(3) == 0;
  life.counts_opening = random->below(8) == 0;
  if (life.counts_opening || random->below(2) == 0) {
    life.kill_at_call = 1 + random->below(800);
  } else {
    life.time = std::chrono::microseconds(random->below(60'000));
  }
  return life;
}

// One directory and its history, through many lives.
class Directory {
 public:
  Directory() : scratch_(/*on_disk=*/true) {
    auto db = Database::open(path()).value();
    db->create_collection(kCollection, collection_options(kDimension)).value();
  }

  void run_and_check(const Life& life, Report* report) {
    const Outcome outcome = run(path(), life, writers_);
    if (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) != 0) {
      report->violation("a call failed, exit code " +
                        std::to_string(WEXITSTATUS(outcome.status)));
      is_sound_ = false;
      return;
    }
    report->add("kills", 1);
    if (!outcome.told) {
      report->add("kills while the files were opened", 1);
      return;
    }
    take(outcome, life.durability, report);
  }

  bool is_sound() const { return is_sound_; }

 private:
  std::filesystem::path path() const { return scratch_.path() / "db"; }

  void take(const Outcome& outcome, Durability durability, Report* report) {
    const Finding& finding = outcome.finding;
    if (!finding.ok) {
      report->violation(finding.what);
      is_sound_ = false;
      return;
    }
    report->add("kills that cut a record short", finding.torn_bytes > 0);
    report->add("kills with a snapshot there", finding.had_snapshot);
    report->add("kills while a snapshot was written", finding.left_snapshot);
    for (std::uint64_t w = 0; w < kWriters; ++w) {
      writers_[w].advance_to(finding.written[w], w);
      writers_[w].acknowledged = finding.written[w] + outcome.acknowledged[w];
      report->add(durability == Durability::fsync
                      ? "acknowledged writes with fsync"
                      : "acknowledged writes in the operating system",
                  outcome.acknowledged[w]);
    }
  }

  Scratch scratch_;
  Writers writers_;
  bool is_sound_ = true;
};

void check_last(Directory* directory, Report* report) {
  // A life that is too short to acknowledge much, but not to look.
  directory->run_and_check(Life{}, report);
}

}  // namespace

Report crash_trials(const TrialOptions& options) {
  Report report("SIGKILL");
  test::Random random(options.seed);
  Progress progress("SIGKILL", options.trials);
  std::optional<Directory> directory;
  // Writes that are only in the operating system survive as well.
  const std::uint64_t os_trials = options.trials / 10;
  for (std::uint64_t i = 0; i < options.trials; ++i) {
    if (!directory || !directory->is_sound()) directory.emplace();
    directory->run_and_check(
        choose_life(&random,
                    i < os_trials ? Durability::os : Durability::fsync),
        &report);
    progress.reached(i + 1);
    if (report.should_stop(options)) return report;
  }
  check_last(&*directory, &report);
  return report;
}

}  // namespace lamina::fault
