// A run is recorded, call by call, and for many points of it what a disk may
// hold if the power fails there is built and opened.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "fault/disk_model.h"
#include "fault/intercepted_io.h"
#include "fault/trials.h"
#include "fault/workload.h"
#include "lamina/database.h"
#include "local_collection.h"

namespace lamina::fault {
namespace {

// A batch is of several sectors, a point of less than one.
constexpr std::size_t kDimension = 48;
constexpr std::uint64_t kIds = 24;

// What the run did, in the order of the marks in its trace.
struct Event {
  enum class Kind {
    begin_create,
    created,
    begin_drop,
    dropped,
    begin_write,
    written,
    // The files were read back, and all in them counts as history.
    opened
  };
  Kind kind = Kind::opened;
  std::size_t collection = 0;
  std::uint64_t sequence = 0;  // Of a write; known only when it was made.
  bool durable = false;
};

struct History {
  std::string name;
  std::map<std::uint64_t, Write> writes{};  // By sequence.
};

// The run whose calls are recorded.
class Run {
 public:
  explicit Run(std::filesystem::path directory)
      : directory_(std::move(directory)) {}

  void record() {
    watch(directory_);
    start_trace();
    record_lives();
    trace_ = take_trace();
    watch({});
  }

  const std::filesystem::path& directory() const { return directory_; }
  const std::vector<Operation>& trace() const { return trace_; }
  const std::vector<Event>& events() const { return events_; }
  const std::vector<History>& histories() const { return histories_; }

 private:
  // Databases whose process is as good as dead: nothing may close them.
  static std::vector<Database*>& abandoned() {
    static std::vector<Database*> databases;
    return databases;
  }

  std::size_t happened(const Event& event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
    mark(events_.size() - 1);
    return events_.size() - 1;
  }

  void open() {
    DatabaseOptions options;
    options.upkeep_thread = false;
    db_ = Database::open(directory_, options).value();
    happened({Event::Kind::opened});
    collections_.clear();
    for (const History& history : histories_) {
      const auto items = db_->open_collection(history.name);
      collections_.push_back(items.ok() ? *items : nullptr);
    }
  }

  std::size_t create(const std::string& name) {
    const std::size_t number = histories_.size();
    histories_.push_back({name});
    happened({Event::Kind::begin_create, number});
    collections_.push_back(
        db_->create_collection(name, collection_options(kDimension)).value());
    happened({Event::Kind::created, number});
    states_.emplace_back();
    return number;
  }

  void drop(std::size_t number) {
    happened({Event::Kind::begin_drop, number});
    (void)db_->drop_collection(histories_[number].name).value();
    happened({Event::Kind::dropped, number});
  }

  // With fsync one in four, unless they are to stay unsynced.
  void write(std::size_t number, std::uint64_t first_id, State* state,
             test::Random* random, bool may_sync = true) {
    const Write write =
        choose_write(first_id, kIds, random->below(1 << 20), *state);
    const Durability durability =
        may_sync && random->below(4) == 0 ? Durability::fsync : Durability::os;
    const std::size_t begin = happened({Event::Kind::begin_write, number});
    const UpdateResult result =
        issue(*collections_[number], write, durability).value();
    const std::lock_guard lock(mutex_);
    events_[begin].sequence = result.sequence;
    events_.push_back({Event::Kind::written, number, result.sequence,
                       durability == Durability::fsync || result.durable});
    mark(events_.size() - 1);
    histories_[number].writes[result.sequence] = write;
    apply_write(write, state);
  }

  void write_some(std::size_t number, int count, bool may_sync = true) {
    for (int i = 0; i < count; ++i) {
      write(number, 0, &states_[number], &random_, may_sync);
    }
  }

  void snapshot(std::size_t number) {
    if (!local(*collections_[number]).take_snapshot().ok()) std::exit(2);
  }

  // Snapshots while others write, and nothing else syncs the log.
  void write_beside_snapshots(std::size_t number) {
    std::atomic<bool> done = false;
    std::vector<std::thread> writers;
    for (std::uint64_t w = 1; w <= 3; ++w) {
      writers.emplace_back([this, number, w, &done] {
        State state;
        test::Random random(w);
        // An end, lest the trace be long on a slow disk.
        for (int i = 0; i < 30 && !done; ++i) {
          write(number, w << 32, &state, &random, /*may_sync=*/false);
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
      });
    }
    for (int i = 0; i < 3; ++i) snapshot(number);
    done = true;
    for (std::thread& writer : writers) writer.join();
  }

  void record_lives() {
    open();
    const std::size_t items = create(kCollection);
    write_some(items, 20);
    const std::size_t other = create("other");
    write_some(other, 5);
    snapshot(items);
    write_some(items, 8);
    drop(other);
    write_beside_snapshots(items);
    for (int life = 0; life < 4; ++life) {
      end_abruptly();
      write_some(items, 4, /*may_sync=*/life % 2 == 0);
    }
    snapshot(items);
    write_some(create("third"), 3);
    write_some(items, 3);
    end();
    open();
    write_some(items, 3);
    end();
  }

  // The process is killed, and another opens what it left.
  void end_abruptly() {
    abandon_descriptors();
    abandoned().push_back(db_.release());
    open();
  }

  void end() {
    collections_.clear();
    db_.reset();
  }

  std::filesystem::path directory_;
  test::Random random_{7};
  std::unique_ptr<Database> db_;
  std::vector<std::shared_ptr<Collection>> collections_;
  std::vector<State> states_;
  std::mutex mutex_;
  std::vector<Event> events_;
  std::vector<History> histories_;
  std::vector<Operation> trace_;
};

// What must be there, and what may, of a collection at a point of the run.
struct Expected {
  bool may_be_absent = true;
  bool may_be_there = false;
  std::uint64_t durable = 0;  // Writes up to this one are on the disk.
  std::uint64_t begun = 0;    // None after this one.

  void see(const Event& event) {
    using Kind = Event::Kind;
    switch (event.kind) {
      case Kind::begin_create:
        may_be_there = true;
        break;
      case Kind::created:
        may_be_absent = false;
        break;
      case Kind::begin_drop:
        may_be_absent = true;
        break;
      case Kind::dropped:
        may_be_there = false;
        break;
      case Kind::begin_write:
        begun = std::max(begun, event.sequence);
        break;
      case Kind::written:
        if (event.durable) durable = std::max(durable, event.sequence);
        break;
      case Kind::opened:
        durable = begun;
        break;
    }
  }
};

// Opens images and holds them against what is expected.
class Checker {
 public:
  Checker(const std::vector<History>& histories, Report* report)
      : histories_(histories), report_(*report), expected_(histories.size()) {
    for (const History& history : histories) {
      std::vector<State> states(1);
      for (const auto& [sequence, write] : history.writes) {
        states.push_back(states.back());
        apply_write(write, &states.back());
      }
      states_.push_back(std::move(states));
    }
  }

  void see(const Event& event) {
    if (event.kind == Event::Kind::opened) {
      for (Expected& expected : expected_) expected.see(event);
    } else {
      expected_[event.collection].see(event);
    }
  }

  // Whether the image keeps all promises; and does so, with `go_on`, when it is
  // written to from there on.
  void check(const std::filesystem::path& image, const std::string& where,
             bool go_on) {
    where_ = where;
    auto db = open(image);
    if (!db) return;
    std::uint64_t last = 0;
    for (std::size_t i = histories_.size(); i-- > 0;) last = check(*db, i);
    auto items = db->open_collection(kCollection);
    if (go_on && items.ok()) check_writable(image, **items, last);
  }

 private:
  std::unique_ptr<Database> open(const std::filesystem::path& image) {
    auto db = Database::open(image);
    if (!db.ok()) {
      violation(db.status().message());
      return nullptr;
    }
    for (const CollectionRecovery& recovery : (*db)->recovery()) {
      if (!recovery.status.ok()) violation(recovery.status.message());
      report_.add("images with a torn tail", recovery.torn_bytes > 0);
      report_.add("images with whole writes behind a hole",
                  recovery.torn_writes > 0);
    }
    return *std::move(db);
  }

  // How many writes are there; 0 when it is none that should be.
  std::uint64_t check(Database& db, std::size_t number) {
    const Expected& expected = expected_[number];
    const std::string& name = histories_[number].name;
    auto items = db.open_collection(name);
    if (!items.ok()) {
      if (!expected.may_be_absent) violation(items.status().message());
      return 0;
    }
    if (!expected.may_be_there) violation(name + " is there");
    const Result<State> state = read_state(**items);
    if (!state.ok()) {
      violation(state.status().message());
      return 0;
    }
    const std::vector<State>& states = states_[number];
    for (std::uint64_t n = expected.begun + 1; n-- > expected.durable;) {
      if (states[n] == *state) return n;
    }
    violation(name + ": not the state after write " +
              std::to_string(expected.durable) + " to " +
              std::to_string(expected.begun) + "; " +
              difference(states[expected.durable], *state));
    return 0;
  }

  // New writes land behind what was cut off, and survive the process. The first
  // is the one that was lost, made again: it would fit what stands behind it.
  void check_writable(const std::filesystem::path& image, Collection& items,
                      std::uint64_t last) {
    Result<State> state = read_state(items);
    if (!state.ok()) return;  // Told already.
    const auto lost = histories_[0].writes.find(last + 1);
    for (std::uint64_t i = 0; i < 2; ++i) {
      const Write write = i == 0 && lost != histories_[0].writes.end()
                              ? lost->second
                              : choose_write(1'000, kIds, i, *state);
      const auto written = issue(items, write, Durability::fsync);
      if (!written.ok()) return violation(written.status().message());
      apply_write(write, &*state);
      check_copy(image, *state);
    }
  }

  // As after the end of the process, which closes nothing.
  void check_copy(const std::filesystem::path& image, const State& state) {
    const Scratch scratch;
    std::filesystem::copy(image, scratch.path() / "db",
                          std::filesystem::copy_options::recursive);
    auto db = open(scratch.path() / "db");
    if (!db) return;
    auto items = db->open_collection(kCollection);
    if (!items.ok()) return violation(items.status().message());
    const Result<State> found = read_state(**items);
    if (!found.ok()) return violation(found.status().message());
    if (*found != state) {
      violation("after more writes: " + difference(state, *found));
    }
  }

  void violation(const std::string& what) {
    report_.violation(where_ + ": " + what);
  }

  const std::vector<History>& histories_;
  Report& report_;
  std::vector<Expected> expected_;
  std::vector<std::vector<State>> states_;  // Of each, after each write.
  std::string where_;
};

void try_points(const Run& run, std::uint64_t points,
                const TrialOptions& options, Report* report) {
  const std::vector<Operation>& trace = run.trace();
  report->add("recorded calls",
              static_cast<std::uint64_t>(std::count_if(
                  trace.begin(), trace.end(), [](const Operation& operation) {
                    return operation.kind != Operation::Kind::mark &&
                           operation.kind != Operation::Kind::sync_begin;
                  })));
  Progress progress("power loss", trace.size());
  test::Random random(options.seed);
  const Scratch scratch;
  DiskModel disk(run.directory());
  Checker checker(run.histories(), report);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    disk.apply(trace[i], i);
    if (trace[i].kind == Operation::Kind::mark) {
      checker.see(run.events()[trace[i].number]);
    }
    // Evenly over the trace.
    if (i * points / trace.size() == (i + 1) * points / trace.size()) continue;
    report->add("points of failure", 1);
    for (const DiskModel::Image image : DiskModel::kImages) {
      const auto path = scratch.path() / "image";
      disk.write_image(image, &random, path);
      checker.check(path,
                    "call " + std::to_string(i) + ", image " +
                        std::to_string(static_cast<int>(image)),
                    image == DiskModel::Image::sectors);
      std::filesystem::remove_all(path);
      report->add("images", 1);
    }
    progress.reached(i + 1);
    if (report->should_stop(options)) return;
  }
}

}  // namespace

Report power_trials(const TrialOptions& options) {
  Report report("power loss");
  std::uint64_t left = options.trials;
  while (left > 0 && !report.should_stop(options)) {
    const Scratch scratch(/*on_disk=*/true);
    Run run(scratch.path());
    run.record();
    const std::uint64_t points =
        std::min<std::uint64_t>(left, run.trace().size());
    try_points(run, points, options, &report);
    left -= points;
  }
  return report;
}

}  // namespace lamina::fault
