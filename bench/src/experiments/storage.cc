#include "experiments/storage.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "arms/sync_count.h"
#include "core/clock.h"
#include "core/data_set.h"
#include "core/generated_data.h"
#include "core/statistics.h"
#include "core/workplace.h"
#include "lamina/database.h"
#include "storage/record_body.h"

namespace lamina::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPointsPerWrite = 500;
constexpr std::size_t kFewPoints = 2'000;

void tell(const std::string& what) {
  std::fprintf(stderr, "storage: %s\n", what.c_str());
}

double microseconds_of(std::uint64_t ns) {
  return static_cast<double>(ns) / 1000.0;
}

double p50_us(const std::vector<std::uint64_t>& ns) {
  return microseconds_of(describe(ns).p50);
}

struct Open {
  std::unique_ptr<Database> database;
  std::shared_ptr<Collection> items;
};

Result<Open> create(const fs::path& path, std::size_t dimension,
                    const DatabaseOptions& database_options = {}) {
  Result<std::unique_ptr<Database>> database =
      Database::open(path, database_options);
  if (!database.ok()) return database.status();
  CollectionOptions options;
  options.dimension = dimension;
  Result<std::shared_ptr<Collection>> items =
      (*database)->create_collection("items", options);
  if (!items.ok()) return items.status();
  return Open{*std::move(database), *std::move(items)};
}

Payload payload_of(std::size_t row) {
  return Payload::from_json("{\"title\":\"item " + std::to_string(row) +
                            "\",\"length\":" + std::to_string(row % 97) + "}")
      .value();
}

Status fill(Collection& items, const NpyMatrix<float>& base) {
  std::vector<Point> points;
  for (std::size_t row = 0; row < base.rows; ++row) {
    points.push_back({PointId(row), VectorView(base.row(row), base.columns),
                      payload_of(row)});
    if (points.size() < kPointsPerWrite && row + 1 < base.rows) continue;
    const Result<UpdateResult> written = items.upsert(points);
    if (!written.ok()) return written.status();
    points.clear();
  }
  return {};
}

// What a write must cost: the same bytes, behind those before, in a file whose
// space is taken ahead.
class BareLog {
 public:
  static constexpr std::size_t kBytes = 32u << 20;

  explicit BareLog(const fs::path& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600)) {
    const std::string zeros(1u << 20, '\0');
    for (std::size_t at = 0; at < kBytes; at += zeros.size()) {
      is_good_ = ::pwrite(descriptor_, zeros.data(), zeros.size(),
                          static_cast<off_t>(at)) ==
                     static_cast<ssize_t>(zeros.size()) &&
                 is_good_;
    }
    is_good_ = ::fsync(descriptor_) == 0 && is_good_;
  }
  ~BareLog() { ::close(descriptor_); }
  BareLog(const BareLog&) = delete;
  BareLog& operator=(const BareLog&) = delete;

  void append(std::string_view bytes) {
    if (end_ + bytes.size() > kBytes) end_ = 0;
    is_good_ = ::pwrite(descriptor_, bytes.data(), bytes.size(),
                        static_cast<off_t>(end_)) ==
                   static_cast<ssize_t>(bytes.size()) &&
               ::fdatasync(descriptor_) == 0 && is_good_;
    end_ += bytes.size();
  }
  bool is_good() const { return is_good_; }

 private:
  int descriptor_;
  std::size_t end_ = 0;
  bool is_good_ = true;
};

class StorageRun {
 public:
  StorageRun(const StorageOptions& options, const DataSet& set,
             StorageResult* result)
      : options_(options), set_(set), result_(*result) {}

  Status run() {
    for (const auto step :
         {&StorageRun::single_writer, &StorageRun::many_writers,
          &StorageRun::readers, &StorageRun::restart, &StorageRun::million}) {
      Status done = (this->*step)();
      if (!done.ok()) return done;
    }
    return {};
  }

 private:
  std::size_t calls(std::size_t count) const {
    return options_.quick ? std::max<std::size_t>(count / 20, 20) : count;
  }
  std::chrono::milliseconds slice(int ms) const {
    return std::chrono::milliseconds(options_.quick ? 50 : ms);
  }
  void add(std::string name, std::string unit, double value) {
    result_.figures.push_back(
        {std::move(name), std::move(unit), value, {}, {}});
  }
  void add_at_most(std::string name, std::string unit, double value,
                   double bound) {
    result_.figures.push_back(
        {std::move(name), std::move(unit), value, bound, {}});
  }
  void add_at_least(std::string name, std::string unit, double value,
                    double bound) {
    result_.figures.push_back(
        {std::move(name), std::move(unit), value, {}, bound});
  }
  Point point(std::size_t number) const {
    const std::size_t row = number % set_.base.rows;
    return {PointId(row), set_.vector(row), {}};
  }

  // One point and its fsync, in turns with the bare cost of both.
  Status single_writer() {
    tell("one writer");
    const Workplace place(options_.work_directory, "single");
    Result<Open> open = create(place.path(), set_.base.columns);
    if (!open.ok()) return open.status();
    BareLog bare(place.path() / "bare");
    std::vector<std::uint64_t> bare_ns;
    std::vector<std::uint64_t> fsync_ns;
    std::vector<std::uint64_t> os_ns;
    for (std::size_t i = 0; i < calls(1500); ++i) {
      const Point one = point(i);
      const std::string bytes =
          storage::encode_upsert_record({&one, 1}, set_.base.columns);
      Nanoseconds start = wall_now();
      bare.append(bytes);
      bare_ns.push_back(wall_now() - start);
      start = wall_now();
      Result<UpdateResult> written =
          open->items->upsert({&one, 1}, {.durability = Durability::fsync});
      fsync_ns.push_back(wall_now() - start);
      if (!written.ok()) return written.status();
    }
    for (std::size_t i = 0; i < calls(5000); ++i) {
      const Point one = point(i);
      const Nanoseconds start = wall_now();
      Result<UpdateResult> written = open->items->upsert({&one, 1});
      os_ns.push_back(wall_now() - start);
      if (!written.ok()) return written.status();
    }
    if (!bare.is_good()) return Status::io_error("the bare log failed");
    add("pwrite and fdatasync alone, p50", "us", p50_us(bare_ns));
    add("fsync upsert, p50", "us", p50_us(fsync_ns));
    add_at_most("fsync upsert over pwrite and fdatasync alone", "times",
                p50_us(fsync_ns) / p50_us(bare_ns), 1.25);
    add("os upsert, p50", "us", p50_us(os_ns));
    return {};
  }

  // Writers that wait for the disk at the same time.
  Status many_writers() {
    double alone = 0.0;
    for (const std::size_t writers : {1, 2, 4, 8, 16, 32}) {
      tell(std::to_string(writers) + " writers");
      const Workplace place(options_.work_directory, "writers");
      Result<Open> open = create(place.path(), set_.base.columns);
      if (!open.ok()) return open.status();
      std::atomic<bool> stop = false;
      std::atomic<std::uint64_t> writes = 0;
      std::atomic<bool> failed = false;
      const std::uint64_t syncs_before = fdatasync_count();
      const Nanoseconds start = wall_now();
      std::vector<std::thread> threads;
      for (std::size_t writer = 0; writer < writers; ++writer) {
        threads.emplace_back([&, writer] {
          for (std::size_t i = writer; !stop; i += writers) {
            const Point one = point(i);
            const bool ok =
                open->items
                    ->upsert({&one, 1}, {.durability = Durability::fsync})
                    .ok();
            if (!ok) failed = true;
            ++writes;
          }
        });
      }
      std::this_thread::sleep_for(slice(2000));
      stop = true;
      for (std::thread& thread : threads) thread.join();
      if (failed) return Status::io_error("an fsync write failed");
      const double seconds = static_cast<double>(wall_now() - start) * 1e-9;
      const auto count = static_cast<double>(writes.load());
      const std::string name =
          std::to_string(writers) + (writers == 1 ? " writer" : " writers");
      if (writers == 1) alone = count / seconds;
      add("fsync upserts, " + name, "1/s", count / seconds);
      add("fdatasyncs a write, " + name, "times",
          static_cast<double>(fdatasync_count() - syncs_before) / count);
      if (writers == 16) {
        add_at_least("16 writers over one", "times", count / seconds / alone,
                     5.0);
      }
    }
    return {};
  }

  // Queries while nothing else happens, while a writer waits for the disk, and
  // while it makes the log outgrow its points, so that snapshots are taken.
  Status readers() {
    tell("readers beside a writer and snapshots");
    const Workplace place(options_.work_directory, "readers");
    Result<Open> open = create(place.path(), set_.base.columns);
    if (!open.ok()) return open.status();
    Status filled = fill(*open->items, set_.base);
    if (!filled.ok()) return filled;
    enum Beside { nothing, fsync_writer, snapshots };
    std::vector<std::uint64_t> times[3];
    std::vector<double> ratios[3];
    for (int round = 0; round < (options_.quick ? 2 : 12); ++round) {
      double idle = 0.0;
      for (const Beside beside : {nothing, fsync_writer, snapshots}) {
        std::vector<std::uint64_t> ns = query_beside(
            *open->items, beside == nothing        ? 0
                          : beside == fsync_writer ? 1
                                                   : kPointsPerWrite);
        const double p99 = static_cast<double>([&] {
          std::sort(ns.begin(), ns.end());
          return percentile(ns, 0.99);
        }());
        if (beside == nothing) idle = p99;
        ratios[beside].push_back(p99 / idle);
        times[beside].insert(times[beside].end(), ns.begin(), ns.end());
      }
    }
    const char* names[] = {"alone", "beside fsync writes",
                           "beside fsync writes and snapshots"};
    for (const Beside beside : {nothing, fsync_writer, snapshots}) {
      const Distribution all = describe(times[beside]);
      const std::string name = std::string("query ") + names[beside];
      add(name + ", p50", "us", microseconds_of(all.p50));
      if (all.p99) add(name + ", p99", "us", microseconds_of(*all.p99));
      if (beside == nothing) continue;
      add_at_most(name + " over alone, p99", "times", median(ratios[beside]),
                  1.5);
    }
    return {};
  }

  std::vector<std::uint64_t> query_beside(Collection& items,
                                          std::size_t points_per_write) {
    std::atomic<bool> stop = false;
    std::thread writer([&] {
      std::vector<Point> points;
      for (std::size_t i = 0; points_per_write > 0 && !stop;) {
        points.clear();
        for (std::size_t j = 0; j < points_per_write; ++j) {
          points.push_back(point(i++));
        }
        (void)items.upsert(points, {.durability = Durability::fsync});
      }
    });
    std::vector<std::uint64_t> ns;
    std::vector<Hit> hits(10);
    const Nanoseconds end =
        wall_now() + static_cast<Nanoseconds>(slice(400).count()) * 1'000'000;
    for (std::size_t i = 0; wall_now() < end; ++i) {
      const VectorView query = set_.query(i % set_.queries.rows);
      const Nanoseconds start = wall_now();
      (void)items.query_into(query, {}, hits, nullptr);
      ns.push_back(wall_now() - start);
    }
    stop = true;
    writer.join();
    return ns;
  }

  // After a close, and from the files as a kill leaves them when the log is
  // about as long as it gets.
  Status restart() {
    tell("opening again");
    const Result<Reopening> whole = reopen(set_.base.rows);
    if (!whole.ok()) return whole.status();
    // So few that there are no axes to choose, which takes its own time.
    const Result<Reopening> few = reopen(kFewPoints);
    if (!few.ok()) return few.status();
    add_at_most("open after a close, 10,000 points", "ms", whole->clean_ms,
                1000.0);
    add_at_most("open after a kill, log at its longest", "ms", whole->killed_ms,
                1000.0);
    add("log at its longest", "MB",
        static_cast<double>(whole->log_bytes) / 1e6);
    add_at_least("reading a log back, 2,000 points", "MB/s",
                 static_cast<double>(few->log_bytes) / 1e3 / few->killed_ms,
                 100.0);
    return {};
  }

  struct Reopening {
    double clean_ms = 0.0;
    double killed_ms = 0.0;
    std::uint64_t log_bytes = 0;  // At its longest
  };

  // A collection of `rows` points, all written some times over.
  Result<Reopening> reopen(std::size_t rows) {
    const Workplace place(options_.work_directory, "restart");
    const Workplace killed(options_.work_directory, "killed");
    Reopening found;
    {
      // Nothing happens to the files between two writes.
      DatabaseOptions database_options;
      database_options.upkeep_thread = false;
      Result<Open> open =
          create(place.path(), set_.base.columns, database_options);
      if (!open.ok()) return open.status();
      for (std::size_t i = 0; i < 5 * rows; i += kPointsPerWrite) {
        std::vector<Point> points;
        for (std::size_t j = 0; j < kPointsPerWrite; ++j) {
          points.push_back(point((i + j) % rows));
        }
        const Result<UpdateResult> written = open->items->upsert(points);
        if (!written.ok()) return written.status();
        const std::uint64_t bytes = log_bytes(place.path());
        if (bytes <= found.log_bytes) continue;
        found.log_bytes = bytes;
        std::error_code error;
        fs::remove_all(killed.path(), error);
        fs::copy(place.path(), killed.path(), fs::copy_options::recursive,
                 error);
        if (error) return Status::io_error(error.message());
      }
    }
    const Result<double> clean = open_ms(place.path(), 15);
    const Result<double> after_kill = open_ms(killed.path(), 1);
    if (!clean.ok()) return clean.status();
    if (!after_kill.ok()) return after_kill.status();
    found.clean_ms = *clean;
    found.killed_ms = *after_kill;
    return found;
  }

  static std::uint64_t log_bytes(const fs::path& path) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
      if (entry.path().extension() != ".log") continue;
      const std::uint64_t size = entry.file_size(error);
      if (!error) bytes += size;
    }
    return bytes;
  }

  // The longest of `times` openings.
  Result<double> open_ms(const fs::path& path, int times) {
    Nanoseconds longest = 0;
    for (int i = 0; i < (options_.quick ? 1 : times); ++i) {
      const Nanoseconds start = wall_now();
      Result<std::unique_ptr<Database>> database = Database::open(path);
      longest = std::max(longest, wall_now() - start);
      if (!database.ok()) return database.status();
      const Status status = (*database)->recovery().at(0).status;
      if (!status.ok()) return status;
    }
    return static_cast<double>(longest) * 1e-6;
  }

  Status million() {
    if (!options_.full) return {};
    tell("a million points");
    const Workplace place(options_.work_directory, "million");
    {
      Result<Open> open = create(place.path(), set_.base.columns);
      if (!open.ok()) return open.status();
      const DataSet large =
          generate(*find_generated_shape("clustered-1m-384"), 1, options_.seed);
      Status filled = fill(*open->items, large.base);
      if (!filled.ok()) return filled;
    }
    const Result<double> opened = open_ms(place.path(), 1);
    if (!opened.ok()) return opened.status();
    add_at_most("open after a close, 1,000,000 points", "ms", *opened, 10'000);
    return {};
  }

  const StorageOptions& options_;
  const DataSet& set_;
  StorageResult& result_;
};

}  // namespace

Result<StorageResult> run_storage(const StorageOptions& options,
                                  const std::vector<std::string>& arguments) {
  const Result<DataSet> set = load_data_set(options.data);
  if (!set.ok()) return set.status();
  StorageResult result;
  result.run.started_utc = utc_now();
  result.run.mode = options.quick ? "quick" : options.full ? "full" : "default";
  result.run.arguments = arguments;
  result.run.seed = options.seed;
  result.environment = describe_environment(options.work_directory);
  std::erase_if(result.environment,
                [](const Fact& entry) { return entry.value.empty(); });
  const Nanoseconds start = wall_now();
  const double load = read_machine_load().load_average;
  Status done = StorageRun(options, *set, &result).run();
  if (!done.ok()) return done;
  // The run itself keeps some threads busy; what counts is the load before it.
  result.run.verdict = load > 1.0 ? "noisy: others were working" : "quiet";
  result.run.wall_s = static_cast<double>(wall_now() - start) * 1e-9;
  return result;
}

}  // namespace lamina::bench
