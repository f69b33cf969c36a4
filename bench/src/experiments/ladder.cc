#include "experiments/ladder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "arms/arm.h"
#include "arms/writer.h"
#include "core/clock.h"
#include "core/data_set.h"
#include "core/process.h"
#include "core/schedule.h"
#include "experiments/analysis.h"
#include "experiments/round.h"
#include "lamina/database.h"

namespace lamina::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kStartPatience{60};
// Longest silence of a round: loading data, or one superblock on a slow build.
constexpr std::chrono::seconds kRoundPatience{300};
constexpr std::size_t kCalibrationWrites = 200;
constexpr std::size_t kCalibrationBytes = 1600;  // About one logged point

double seconds_since(Nanoseconds start) {
  return static_cast<double>(wall_now() - start) * 1e-9;
}

// A directory that is gone when the run is.
class WorkDirectory {
 public:
  static Result<WorkDirectory> create(const fs::path& parent) {
    std::error_code error;
    fs::create_directories(parent, error);
    std::string pattern = (parent / "lamina-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      return Status::io_error("cannot make a directory in " + parent.string());
    return WorkDirectory(pattern);
  }

  WorkDirectory(WorkDirectory&& other) noexcept
      : path_(std::exchange(other.path_, {})) {}
  WorkDirectory& operator=(WorkDirectory&&) = delete;
  ~WorkDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

 private:
  explicit WorkDirectory(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

Status copy_directory(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::remove_all(to, error);
  fs::copy(from, to, fs::copy_options::recursive, error);
  if (error)
    return Status::io_error("copying " + from.string() + ": " +
                            error.message());
  return {};
}

// How long this disk takes for what a durable write waits for.
Result<Distribution> calibrate_fdatasync(const fs::path& directory) {
  const fs::path path = directory / "calibration";
  const int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return Status::io_error("cannot write " + path.string());
  const std::string record(kCalibrationBytes, 'x');
  std::vector<std::uint64_t> times;
  bool good = true;
  for (std::size_t i = 0; i < kCalibrationWrites && good; ++i) {
    const Nanoseconds start = wall_now();
    good = write(file, record.data(), record.size()) ==
               static_cast<ssize_t>(record.size()) &&
           fdatasync(file) == 0;
    times.push_back(wall_now() - start);
  }
  close(file);
  if (!good) return Status::io_error("cannot sync " + path.string());
  return describe(std::move(times));
}

Status fill_database(const fs::path& directory, const DataSet& data,
                     const std::vector<std::string_view>& collections) {
  Result<std::unique_ptr<Database>> database = Database::open(directory);
  if (!database.ok()) return database.status();
  std::vector<Point> points;
  for (std::size_t row = 0; row < data.base.rows; ++row)
    points.push_back({.id = row, .vector = data.vector(row)});
  for (std::string_view name : collections) {
    Result<std::shared_ptr<Collection>> collection =
        (*database)->create_collection(name, {.dimension = data.base.columns});
    if (!collection.ok()) return collection.status();
    if (Status written = (*collection)->upsert(points).status(); !written.ok())
      return written;
    if (Status flushed = (*collection)->flush(); !flushed.ok()) return flushed;
  }
  return {};
}

// A process that prints where it listens.
struct Listener {
  ChildProcess process;
  int port;
};

Result<Listener> start_listener(const SpawnOptions& options) {
  Result<ChildProcess> process = ChildProcess::spawn(options);
  if (!process.ok()) return process.status();
  const Result<std::string> line = process->read_line(kStartPatience);
  if (!line.ok())
    return Status::unavailable(options.arguments[0] + ": " +
                               line.status().message());
  const Result<int> port = port_of_listening_line(*line);
  if (!port.ok()) return port.status();
  return Listener{*std::move(process), *port};
}

class Ladder {
 public:
  Ladder(const LadderOptions& options, BenchResult* result)
      : options_(options), result_(result), start_(wall_now()) {}

  Status prepare();
  Status run_rounds(std::vector<RoundResult>* rounds);
  void finish();

 private:
  void tell_plan() const;
  void tell_progress(std::size_t round, std::size_t step) const;
  Result<RoundResult> run_one(std::size_t round);
  SpawnOptions round_process(std::size_t round, const Listener& server,
                             const Listener& stub, std::size_t padding) const;
  Status watch(ChildProcess& process, std::size_t round);
  std::size_t steps() const {
    return options_.counts.superblocks + options_.counts.write_superblocks;
  }
  fs::path round_file() const { return directory_->path() / "round.json"; }

  const LadderOptions& options_;
  BenchResult* result_;
  Nanoseconds start_;
  Cpus cpus_;
  std::optional<WorkDirectory> directory_;
  MachineLoad load_at_start_;
  double highest_load_ = 0.0;
};

void Ladder::tell_plan() const {
  const Counts& counts = options_.counts;
  std::fprintf(
      stderr,
      "plan: %zu rounds of fresh processes x %zu superblocks x %zu arms x %zu "
      "calls (+%zu discarded),\n      then %zu x %zu write blocks; placement "
      "%s; at most %.0f s\n",
      options_.rounds, counts.superblocks, kArms.size(), counts.calls,
      counts.discard, counts.write_superblocks, kWriteArms.size(),
      std::string(to_string(options_.placement)).c_str(), options_.max_seconds);
}

void Ladder::tell_progress(std::size_t round, std::size_t step) const {
  const double done = static_cast<double>(round * steps() + step) /
                      static_cast<double>(options_.rounds * steps());
  const double gone = seconds_since(start_);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!terminal && step != steps()) return;
  std::fprintf(stderr,
               "%sround %zu/%zu  %3.0f %%  %4.0f s gone, %4.0f s left%s",
               terminal ? "\r" : "", round + 1, options_.rounds, done * 100.0,
               gone, done > 0.0 ? gone / done - gone : 0.0,
               terminal && step != steps() ? "" : "\n");
}

Status Ladder::prepare() {
  tell_plan();
  Result<Cpus> cpus = choose_cpus(options_.placement);
  if (!cpus.ok()) return cpus.status();
  cpus_ = *cpus;
  Result<DataSet> data = load_data_set(options_.data);
  if (!data.ok()) return data.status();
  Result<WorkDirectory> directory =
      WorkDirectory::create(options_.work_directory);
  if (!directory.ok()) return directory.status();
  directory_.emplace(*std::move(directory));

  const fs::path& root = directory_->path();
  Status filled = fill_database(root / "server-template", *data,
                                {kQueryCollection, kWriteCollection});
  if (filled.ok())
    filled = fill_database(root / "engine-template", *data, {kWriteCollection});
  if (!filled.ok()) return filled;

  result_->environment = describe_environment(root);
  result_->data = {data->name,         data->base.rows, data->base.columns,
                   data->queries.rows, kTopK,           data->checksums};
  Result<Distribution> fdatasync_ns = calibrate_fdatasync(root);
  if (!fdatasync_ns.ok()) return fdatasync_ns.status();
  result_->fdatasync_ns = *fdatasync_ns;
  load_at_start_ = read_machine_load();
  return {};
}

SpawnOptions Ladder::round_process(std::size_t round, const Listener& server,
                                   const Listener& stub,
                                   std::size_t padding) const {
  const Counts& counts = options_.counts;
  const auto text = [](auto number) { return std::to_string(number); };
  SpawnOptions spawn;
  spawn.arguments = {own_program(),
                     "round",
                     "--data=" + options_.data.string(),
                     "--engine-dir=" + (directory_->path() / "engine").string(),
                     "--output=" + round_file().string(),
                     "--index=" + text(round),
                     "--seed=" + text(options_.seed),
                     "--injected-ns=" + text(options_.injected_ns),
                     "--superblocks=" + text(counts.superblocks),
                     "--calls=" + text(counts.calls),
                     "--discard=" + text(counts.discard),
                     "--write-superblocks=" + text(counts.write_superblocks),
                     "--write-calls=" + text(counts.write_calls),
                     "--server-port=" + text(server.port),
                     "--server-pid=" + text(server.process.pid()),
                     "--stub-port=" + text(stub.port),
                     "--stub-pid=" + text(stub.process.pid())};
  spawn.cpu = cpus_.client;
  spawn.environment_padding = padding;
  return spawn;
}

Status Ladder::watch(ChildProcess& process, std::size_t round) {
  for (std::size_t step = 1; step <= steps(); ++step) {
    const Result<std::string> line = process.read_line(kRoundPatience);
    if (line.status().code() == StatusCode::deadline_exceeded)
      return line.status();
    if (!line.ok()) break;  // It ended: its exit code says how.
    tell_progress(round, step);
  }
  if (const int code = process.wait(); code != 0) {
    return Status::internal("round " + std::to_string(round + 1) +
                            " ended with exit code " + std::to_string(code));
  }
  return {};
}

Result<RoundResult> Ladder::run_one(std::size_t round) {
  const fs::path& root = directory_->path();
  for (const char* name : {"server", "engine"}) {
    Status copied =
        copy_directory(root / (std::string(name) + "-template"), root / name);
    if (!copied.ok()) return copied;
  }
  sync();  // The copies must not share the disk with the first fsync writes.

  std::uint64_t random = options_.seed * 1000 + round;
  const std::size_t padding = next_random(&random) % 4096;
  result_->design.environment_padding.push_back(padding);
  Result<Listener> server = start_listener(
      {{options_.server.string(), "--data-dir", (root / "server").string(),
        "--host", "127.0.0.1", "--port", "0", "--durability", "os"},
       cpus_.server,
       padding});
  if (!server.ok()) return server.status();
  Result<Listener> stub = start_listener(
      {{own_program(), "stub", "--upstream-port", std::to_string(server->port)},
       cpus_.server,
       padding});
  if (!stub.ok()) return stub.status();

  Result<ChildProcess> client =
      ChildProcess::spawn(round_process(round, *server, *stub, padding));
  if (!client.ok()) return client.status();
  if (Status watched = watch(*client, round); !watched.ok()) return watched;
  const Result<std::string> text = read_text_file(round_file());
  if (!text.ok()) return text.status();
  return round_from_json(*text);
}

Status Ladder::run_rounds(std::vector<RoundResult>* rounds) {
  for (std::size_t round = 0; round < options_.rounds; ++round) {
    const double gone = seconds_since(start_);
    const double each = round == 0 ? 0.0 : gone / static_cast<double>(round);
    if (gone + each > options_.max_seconds) {
      result_->run.rounds_left_out = options_.rounds - round;
      result_->warnings.push_back(
          "the budget of --max-seconds ended the run early");
      break;
    }
    Result<RoundResult> measured = run_one(round);
    if (!measured.ok()) return measured.status();
    if (Status clean = check_preflight(*measured); !clean.ok()) return clean;
    rounds->push_back(*std::move(measured));
    highest_load_ = std::max(highest_load_, read_machine_load().load_average);
  }
  if (rounds->empty()) return Status::internal("no round fits --max-seconds");
  return {};
}

void Ladder::finish() {
  const MachineLoad end = read_machine_load();
  const double steal =
      static_cast<double>(end.steal_ticks - load_at_start_.steal_ticks) /
      std::max(1.0, static_cast<double>(end.total_ticks -
                                        load_at_start_.total_ticks));
  char text[64];
  const auto add = [&](const char* key, const char* format, double value) {
    std::snprintf(text, sizeof text, format, value);
    result_->environment.push_back({key, text, ""});
  };
  add("load.start", "%.2f", load_at_start_.load_average);
  add("load.max", "%.2f", highest_load_);
  add("load.steal", "%.2f %%", steal * 100.0);

  const auto cpus = static_cast<double>(allowed_cpus().size());
  result_->run.verdict = "quiet";
  if (highest_load_ > cpus) result_->run.verdict = "noisy: load above the CPUs";
  if (steal > 0.005) result_->run.verdict = "noisy: CPU time stolen";
  result_->run.wall_s = seconds_since(start_);
}

std::vector<NotMeasured> not_measured() {
  return {
      {"L3, HTTP without a socket",
       "comes with a later version of this report; until then the step from L2 "
       "to L4 holds HTTP parsing and the process boundary together"},
      {"L8, asynchronous client", "the client library has none yet"},
      {"binary query bodies through the client",
       "lamina::Client speaks JSON so far; codec and wire are measured"},
      {"cost injected in the server",
       "needs a route that spins, which a shipped server should not have; "
       "planned as a build of its own"},
      {"more than one call in flight, open loop",
       "comes with a later version; nothing here tells of throughput"},
      {"fsync subtracted call by call",
       "the server does not report its sync times yet; compare with the "
       "fdatasync calibration"},
      {"a real network",
       "loopback isolates the cost of software; a network adds its own time to "
       "every socket rung alike"},
      {"power-loss durability", "a virtual machine cannot show it"},
      {"cold caches, first call", "needs control over reboot and page cache"},
  };
}

Status check_build(const LadderOptions& options) {
#ifdef NDEBUG
  (void)options;
  return {};
#else
  if (options.allow_debug) return {};
  return Status::invalid_argument(
      "this build has assertions on and is not worth timing; build Release, or "
      "pass --allow-debug");
#endif
}

}  // namespace

Result<BenchResult> run_ladder(const LadderOptions& options,
                               const std::vector<std::string>& arguments) {
  if (Status build = check_build(options); !build.ok()) return build;
  BenchResult result;
  result.run.started_utc = utc_now();
  result.run.mode = options.quick ? "quick" : "default";
  result.run.arguments = arguments;
  result.run.seed = options.seed;
  const Counts& counts = options.counts;
  result.design = {options.rounds,
                   counts.superblocks,
                   counts.calls,
                   counts.discard,
                   std::string(to_string(options.placement)),
                   {},
                   {}};
  for (const ArmSpec& spec : kArms) result.design.arms.emplace_back(spec.id);

  Ladder ladder(options, &result);
  std::vector<RoundResult> rounds;
  Status done = ladder.prepare();
  if (done.ok()) done = ladder.run_rounds(&rounds);
  if (!done.ok()) return done;
  result.design.rounds = rounds.size();
  result.environment.push_back({"cpu.kernels_in_use", rounds[0].kernels, ""});
  result.environment.push_back(
      {"libraries.openblas_in_use", rounds[0].blas, ""});
  result.environment.push_back(
      {"net.nodelay", "on, as read back from the sockets", ""});
  ladder.finish();
  analyse(rounds, options, &result);
  result.not_measured = not_measured();
  return result;
}

}  // namespace lamina::bench
