// Every call on a file fails once, in every way that it can: an error is told,
// what was acknowledged is there, what was refused is not.
#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>

#include "fault/intercepted_io.h"
#include "fault/trials.h"
#include "fault/workload.h"
#include "lamina/database.h"
#include "local_collection.h"

namespace lamina::fault {
namespace {

// Records of several pages are cut short in more ways.
constexpr std::size_t kDimension = 384;
constexpr std::uint64_t kIds = 24;

constexpr std::uint64_t kForEver = std::numeric_limits<std::uint64_t>::max();
// A call that is interrupted is made again, so that must have an end.
constexpr std::uint64_t kInterruptions = 20;

// Fewer trials are spread over this many calls.
constexpr std::uint64_t kCalls = 500;

struct Way {
  Effect effect;
  int error;
  std::uint64_t count;
};

constexpr Way kWays[] = {
    {Effect::error, EIO, 1},
    {Effect::error, EIO, kForEver},
    {Effect::error, ENOSPC, 1},
    {Effect::error, ENOSPC, kForEver},
    {Effect::error, EINTR, 1},
    {Effect::error, EINTR, kInterruptions},
    {Effect::half, 0, 1},
    {Effect::half, 0, kForEver},
    {Effect::half_and_error, ENOSPC, 1},
    {Effect::half_and_error, EIO, kForEver},
};

// Some work on a directory, and what it must have left there.
class Work {
 public:
  Work(std::filesystem::path directory, Report* report)
      : directory_(std::move(directory)), report_(*report) {}

  // Two processes' lives under the plan, and one without to look.
  void run(const Plan& plan) {
    watch(directory_);
    arm(plan);
    live(/*writes=*/80);
    live(/*writes=*/60);
    calls_ = call_count();
    arm({});
    live(/*writes=*/3);
    watch({});
    if (!created_) violation("cannot be created without a fault either");
  }

  std::uint64_t calls() const { return calls_; }
  bool told_an_error() const { return told_an_error_; }

 private:
  // Whether the call succeeded.
  bool told(const Status& status) {
    if (!status.ok()) told_an_error_ = true;
    return status.ok();
  }

  void live(int writes) {
    const bool is_faulty = calls_ == 0;
    DatabaseOptions options;
    options.upkeep_thread = false;
    auto db = Database::open(directory_, options);
    if (!told(db.status())) {
      if (!is_faulty) violation("open: " + db.status().message());
      return;
    }
    const std::shared_ptr<Collection> items = obtain(**db, is_faulty);
    if (!items) return;
    settle(*items);
    is_read_only_ = false;
    for (int i = 0; i < writes; ++i) {
      write(*items);
      if (i % 20 == 19) {
        told(local(*items).take_snapshot());
      }
    }
    make_and_drop(**db, is_faulty);
    settle(*items);
  }

  std::shared_ptr<Collection> obtain(Database& db, bool is_faulty) {
    auto items = db.open_collection(kCollection);
    // One whose manifest cannot be read has its folder's name.
    const auto& found = db.recovery();
    if (!found.empty() && !told(found[0].status) && is_faulty) return nullptr;
    if (!items.ok() && items.status().code() == StatusCode::not_found) {
      if (created_) violation("the collection is gone");
      items = db.create_collection(kCollection, collection_options(kDimension));
    }
    if (!told(items.status())) {
      if (!is_faulty) violation(items.status().message());
      return nullptr;
    }
    created_ = true;
    return *items;
  }

  // One of the states that it may be in; that is the one from now on.
  void settle(const Collection& items) {
    const Result<State> state = read_state(items);
    if (!state.ok()) return violation(state.status().message());
    if (unknown_ && *state != state_) {
      apply_write(*unknown_, &state_);
    }
    if (*state != state_) violation(difference(state_, *state));
    state_ = *state;
  }

  void write(Collection& items) {
    const Write write = choose_write(0, kIds, ++number_, state_);
    const Durability durability =
        number_ % 2 == 0 ? Durability::fsync : Durability::os;
    const std::uint64_t failed_before = failed_syncs();
    const auto result = issue(items, write, durability);
    if (told(result.status())) {
      if (is_read_only_) violation("written after data_loss");
      if (failed_syncs() > failed_before && durability == Durability::fsync) {
        violation("acknowledged, and the fsync had failed");
      }
      apply_write(write, &state_);
    } else if (result.status().code() == StatusCode::data_loss) {
      // The first one may be there or not.
      if (!is_read_only_) unknown_ = write;
      is_read_only_ = true;
    } else if (is_read_only_ &&
               result.status().code() != StatusCode::not_found) {
      // An edit of what the unknown write may have removed is not found.
      violation("not data_loss after data_loss: " + result.status().message());
    }
  }

  void make_and_drop(Database& db, bool is_faulty) {
    if (other_was_written_ && !db.open_collection("other").ok()) {
      violation("gone, and a write to it was acknowledged after its drop");
    }
    // What a drop that failed left.
    if (!told(db.drop_collection("other").status()) && !is_faulty) {
      violation("cannot be dropped without a fault either");
    }
    other_was_written_ = false;
    const auto other = db.create_collection("other", collection_options(4));
    if (!told(other.status())) {
      if (!is_faulty) violation("another: " + other.status().message());
      return;
    }
    if (told(db.drop_collection("other").status())) return;
    const std::vector<float> vector(4, 1.0f);
    other_was_written_ = (*other)
                             ->upsert({PointId(1), vector, {}},
                                      {.durability = Durability::fsync})
                             .ok();
  }

  void violation(const std::string& what) { report_.violation(what); }

  std::filesystem::path directory_;
  Report& report_;
  State state_;
  // A write that was refused as one of unknown outcome.
  std::optional<Write> unknown_;
  std::uint64_t number_ = 0;
  std::uint64_t calls_ = 0;
  bool created_ = false;
  bool other_was_written_ = false;
  bool is_read_only_ = false;
  bool told_an_error_ = false;
};

}  // namespace

Report io_error_trials(const TrialOptions& options) {
  Report report("I/O errors");
  const Scratch scratch;
  Progress progress("I/O errors", options.trials);
  const std::uint64_t calls = std::max(options.trials, kCalls);
  for (std::uint64_t i = 0; i < options.trials; ++i) {
    const std::uint64_t call = 1 + i * calls / options.trials;
    for (const Way& way : kWays) {
      const auto directory = scratch.path() / "db";
      std::filesystem::create_directory(directory);
      Report of_one("");
      Work work(directory, &of_one);
      work.run({call, way.count, way.effect, way.error});
      std::filesystem::remove_all(directory);
      report.add("runs", 1);
      report.add("runs that came to the call that failed",
                 work.calls() >= call);
      report.add("calls of them on files", work.calls());
      report.add("runs in which a call of the engine told it",
                 work.told_an_error());
      if (of_one.violations() > 0) {
        report.violation("call " + std::to_string(call) + ", effect " +
                         std::to_string(static_cast<int>(way.effect)) +
                         ", errno " + std::to_string(way.error) + ", " +
                         (way.count == 1 ? "once" : "again and again") + ": " +
                         of_one.first_violation());
      }
    }
    progress.reached(i + 1);
    if (report.should_stop(options)) break;
  }
  return report;
}

}  // namespace lamina::fault
