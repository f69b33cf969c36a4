// Memory runs out at every allocation of a call: the call says so, and what is
// stored is as before it, or as after it.
#include <functional>
#include <new>
#include <thread>

#include "allocation_guard.h"
#include "fault/failing_new.h"
#include "fault/trials.h"
#include "fault/workload.h"
#include "lamina/database.h"
#include "local_collection.h"
#include "support/random_points.h"

namespace lamina::fault {
namespace {

constexpr std::size_t kDimension = 48;
constexpr std::uint64_t kIds = 24;

DatabaseOptions database_options() {
  DatabaseOptions options;
  options.upkeep_thread = false;
  return options;
}

// A call, and what it changes.
struct Case {
  const char* name;
  std::function<Status(Database& db, Collection& items)> call;
  std::function<void(State* state)> effect = [](State*) {};
};

Case write_case(const char* name, Write write) {
  return {name,
          [write](Database&, Collection& items) {
            // Making the arguments is not the engine's business.
            return issue(items, write, Durability::fsync).status();
          },
          [write](State* state) { apply_write(write, state); }};
}

std::vector<Case> cases() {
  std::vector<Case> cases;
  cases.push_back(write_case(
      "upsert", {Write::Kind::upsert, {1, 2, 100, 101, 102}, 9'000}));
  cases.push_back(write_case("remove", {Write::Kind::remove, {1, 2, 3}, 0}));
  cases.push_back(
      write_case("edit of payloads", {Write::Kind::edit, {1, 2, 3}, 9'000}));
  cases.push_back(
      {"query", [](Database&, Collection& items) {
         return items.query(std::vector<float>(kDimension, 1.0f)).status();
       }});
  cases.push_back({"filtered query", [](Database&, Collection& items) {
                     QueryOptions options;
                     options.filter = Filter::all_of({where::has_id({1, 2})});
                     options.with_payload = true;
                     return items
                         .query(std::vector<float>(kDimension, 1.0f), options)
                         .status();
                   }});
  cases.push_back({"scroll", [](Database&, Collection& items) {
                     return items.scroll({}).status();
                   }});
  cases.push_back({"snapshot", [](Database&, Collection& items) {
                     return guard_allocation(
                         [&] { return local(items).take_snapshot(); });
                   }});
  cases.push_back(
      {"making and dropping a collection", [](Database& db, Collection&) {
         const auto made =
             db.create_collection("other", collection_options(kDimension));
         if (!made.ok()) return made.status();
         return db.drop_collection("other").status();
       }});
  return cases;
}

// A directory that holds `state`.
void make(const std::filesystem::path& directory, State* state) {
  auto db = Database::open(directory, database_options()).value();
  auto items =
      db->create_collection(kCollection, collection_options(kDimension))
          .value();
  for (std::uint64_t id = 0; id < kIds; ++id) {
    const Write write = {Write::Kind::upsert, {id}, id + 1};
    (void)issue(*items, write, Durability::os).value();
    apply_write(write, state);
  }
}

// One call, in which allocation `number` fails; and what came of it.
class Trial {
 public:
  Trial(std::filesystem::path directory, const State& before, Report* report)
      : directory_(std::move(directory)), before_(before), report_(*report) {}

  // False when the call has fewer allocations.
  bool run(const Case& tried, std::uint64_t number) {
    where_ = std::string(tried.name) + ", allocation " +
             std::to_string(number) + ": ";
    State after = before_;
    tried.effect(&after);
    Status status;
    bool failed = false;
    {
      auto db = Database::open(directory_, database_options()).value();
      auto items = db->open_collection(kCollection).value();
      status = call(tried, *db, *items, number);
      failed = allocation_failed();
      fail_allocation(0);
      const Result<State> state = read_state(*items);
      // It may ask to be opened again.
      if (state.ok() && *state != (status.ok() ? after : before_)) {
        violation("in memory: " + difference(before_, *state));
      } else if (!state.ok() &&
                 state.status().code() != StatusCode::unavailable) {
        violation(state.status().message());
      }
    }
    check_reopened(status, after);
    return failed;
  }

  // Opening, which changes nothing.
  bool run_open(std::uint64_t number) {
    where_ = "open, allocation " + std::to_string(number) + ": ";
    bool failed = false;
    try {
      fail_allocation(number);
      const auto db = Database::open(directory_, database_options());
      failed = allocation_failed();
      fail_allocation(0);
    } catch (const std::bad_alloc&) {
      violation("an exception");
      failed = true;
    }
    check_reopened(Status(), before_);
    return failed;
  }

 private:
  Status call(const Case& tried, Database& db, Collection& items,
              std::uint64_t number) {
    try {
      fail_allocation(number);
      return tried.call(db, items);
    } catch (const std::bad_alloc&) {
      fail_allocation(0);
      return Status::internal("an exception");
    }
  }

  void check_reopened(const Status& status, const State& after) {
    auto db = Database::open(directory_, database_options());
    if (!db.ok()) return violation(db.status().message());
    auto items = (*db)->open_collection(kCollection);
    if (!items.ok()) return violation(items.status().message());
    const Result<State> state = read_state(**items);
    if (!state.ok()) return violation(state.status().message());
    if (*state != after && (status.ok() || *state != before_)) {
      violation("opened again: " + difference(after, *state));
    }
  }

  void violation(const std::string& what) { report_.violation(where_ + what); }

  std::filesystem::path directory_;
  const State& before_;
  Report& report_;
  std::string where_;
};

// Until every point is linked, or memory has run out for the thread that does.
void wait_for_linking(const Collection& items) {
  for (;;) {
    const CollectionInfo info = items.info().value();
    if (info.linked_count == info.point_count || allocation_failed()) return;
    std::this_thread::yield();
  }
}

// Memory runs out for the thread that links a graph: every point is still found
// by its own vector, once.
bool run_linking(std::uint64_t number, Report* report) {
  constexpr std::uint64_t kPoints = 200;
  CollectionOptions options = collection_options(kDimension);
  options.hnsw = HnswOptions{.m = 4, .full_scan_threshold = 16};
  const auto db = Database::in_memory();
  const auto items = db->create_collection(kCollection, options).value();
  test::Random random(number);
  std::vector<std::vector<float>> vectors;
  fail_allocation_elsewhere(number);
  for (std::uint64_t id = 0; id < kPoints; ++id) {
    vectors.push_back(random.vector(kDimension));
    const Point point{id, vectors.back(), {}};
    (void)items->upsert({&point, 1}).value();
  }
  wait_for_linking(*items);
  fail_allocation_elsewhere(0);
  for (std::uint64_t id = 0; id < kPoints; ++id) {
    const auto hits = items->query(vectors[id], {.top_k = 2}).value();
    if (hits[0].id == PointId(id) && hits[1].id != PointId(id)) continue;
    report->violation("linking, allocation " + std::to_string(number) +
                      ": a point is lost or doubled");
    break;
  }
  return allocation_failed();
}

}  // namespace

Report allocation_trials(const TrialOptions& options) {
  Report report("lack of memory");
  const Scratch scratch;
  State state;
  make(scratch.path() / "original", &state);
  const auto directory = scratch.path() / "db";
  Trial trial(directory, state, &report);
  const std::uint64_t descriptors = entry_count("/proc/self/fd");
  const auto try_all = [&](const std::string& name,
                           const std::function<bool(std::uint64_t)>& run) {
    for (std::uint64_t number = 1; number <= options.trials; ++number) {
      std::filesystem::remove_all(directory);
      std::filesystem::copy(scratch.path() / "original", directory,
                            std::filesystem::copy_options::recursive);
      if (!run(number) || report.should_stop(options)) break;
      report.add("allocations that failed in " + name, 1);
    }
  };
  try_all("open", [&](std::uint64_t number) { return trial.run_open(number); });
  for (const Case& tried : cases()) {
    try_all(tried.name,
            [&](std::uint64_t number) { return trial.run(tried, number); });
  }
  // A thread that links makes many; some of them are tried.
  for (std::uint64_t number = 1; run_linking(number, &report);
       number += 1 + number / 16) {
    if (report.should_stop(options)) break;
    report.add("allocations that failed in linking", 1);
  }
  if (entry_count("/proc/self/fd") != descriptors) {
    report.violation("descriptors stay open");
  }
  return report;
}

}  // namespace lamina::fault
