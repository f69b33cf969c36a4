#include "experiments/round.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "arms/arm.h"
#include "core/clock.h"
#include "core/schedule.h"
#include "experiments/answers.h"
#include "experiments/write_round.h"
#include "kernels/kernels.h"
#include "lamina/database.h"
#include "rows/row_table.h"

namespace lamina::bench {
namespace {

constexpr Nanoseconds kStallFrom = 38'000'000;
constexpr Nanoseconds kStallTo = 50'000'000;

struct LoadedArm {
  const ArmSpec* spec;
  std::unique_ptr<Arm> arm;
  std::optional<ProcessCpuClock> server_clock;
  AnswerCheck check;
};

class QueryRound {
 public:
  QueryRound(const RoundOptions& options, const DataSet& data)
      : options_(options),
        data_(data),
        work_(make_workload(data, kTopK)),
        table_(data.base.columns, Metric::cosine),
        replies_(options.counts.calls) {}

  // Fills the engine and makes every arm.
  Status prepare();
  // Warms every arm up on its connection, looking for the 40 ms signature.
  Status preflight(std::vector<ArmRound>* arms);
  Status measure(std::vector<ArmRound>* arms);

 private:
  std::size_t query_of(std::size_t superblock, std::size_t call) const {
    const Counts& counts = options_.counts;
    const std::size_t first =
        (options_.index * counts.superblocks + superblock) * counts.calls;
    return (first + call) % data_.queries.rows;
  }
  Status fill_engine();
  Result<std::unique_ptr<Arm>> make_arm(const ArmSpec& spec);
  Result<std::unique_ptr<Arm>> make_client_arm(const ArmSpec& spec, int port);
  Status check_reply(LoadedArm& loaded, std::size_t query, const Reply& reply);
  Status measure_block(LoadedArm& loaded, std::size_t superblock,
                       ArmRound* round);

  const RoundOptions& options_;
  const DataSet& data_;
  Workload work_;
  rows::RowTable table_;
  std::unique_ptr<Database> database_;
  std::shared_ptr<Collection> collection_;
  std::vector<LoadedArm> arms_;
  std::vector<Reply> replies_;
};

Status QueryRound::fill_engine() {
  database_ = Database::in_memory();
  Result<std::shared_ptr<Collection>> collection = database_->create_collection(
      kQueryCollection, {.dimension = data_.base.columns});
  if (!collection.ok()) return collection.status();
  collection_ = *collection;
  std::vector<Point> points;
  for (std::size_t row = 0; row < data_.base.rows; ++row) {
    points.push_back({.id = row, .vector = data_.vector(row)});
    table_.put(row, data_.vector(row), {}, 1);
  }
  table_.set_axis_codes(table_.make_axis_codes());
  return collection_->upsert(points).status();
}

Result<std::unique_ptr<Arm>> QueryRound::make_client_arm(const ArmSpec& spec,
                                                         int port) {
  Result<std::shared_ptr<Collection>> remote =
      open_remote_collection(port, kQueryCollection);
  if (!remote.ok()) return remote.status();
  return make_collection_arm(work_, *remote,
                             spec.injected ? options_.injected_ns : 0);
}

Result<std::unique_ptr<Arm>> QueryRound::make_arm(const ArmSpec& spec) {
  const int port =
      spec.server == "Z" ? options_.stub_port : options_.server_port;
  switch (spec.kind) {
    case ArmKind::noop:
      return make_noop_arm();
    case ArmKind::kernel:
      return make_kernel_arm(work_, table_);
    case ArmKind::sgemv:
      return make_sgemv_arm(work_);
    case ArmKind::engine:
      return make_collection_arm(work_, collection_);
    case ArmKind::codec:
      return make_codec_arm(work_, *database_, spec.binary);
    case ArmKind::wire:
      return make_wire_arm(work_, port, spec.binary);
    case ArmKind::raw_http:
      return make_raw_http_arm(work_, port, false);
    case ArmKind::honest_raw:
      return make_raw_http_arm(work_, port, true);
    case ArmKind::sync_client:
      return make_client_arm(spec, port);
  }
  return Status::internal("an arm of no kind");
}

Status QueryRound::prepare() {
  if (Status filled = fill_engine(); !filled.ok()) return filled;
  for (const ArmSpec& spec : kArms) {
    Result<std::unique_ptr<Arm>> arm = make_arm(spec);
    if (!arm.ok()) return arm.status();
    LoadedArm loaded{&spec, *std::move(arm), std::nullopt,
                     AnswerCheck(data_, spec.answers, query_of(0, 0))};
    if (!spec.server.empty()) {
      Result<ProcessCpuClock> clock = ProcessCpuClock::of(
          spec.server == "Z" ? options_.stub_pid : options_.server_pid);
      if (!clock.ok()) return clock.status();
      loaded.server_clock = *clock;
    }
    arms_.push_back(std::move(loaded));
  }
  return {};
}

Status QueryRound::check_reply(LoadedArm& loaded, std::size_t query,
                               const Reply& reply) {
  Status checked = reply.status;
  if (checked.ok()) {
    Result<std::vector<Hit>> hits = loaded.arm->hits(reply);
    checked = hits.ok() ? loaded.check.check(query, *hits) : hits.status();
  }
  if (checked.ok()) return checked;
  return Status::internal("arm " + std::string(loaded.spec->id) + " (" +
                          std::string(loaded.spec->label) +
                          "): " + checked.message());
}

Status QueryRound::preflight(std::vector<ArmRound>* arms) {
  for (std::size_t index = 0; index < arms_.size(); ++index) {
    LoadedArm& loaded = arms_[index];
    if (loaded.spec->server.empty()) continue;
    // The first call to the stub is what it records for all.
    for (std::size_t call = 0; call < kPreflightCalls; ++call) {
      Reply& reply = replies_[0];
      reply.status = Status();
      const Nanoseconds start = wall_now();
      loaded.arm->call(query_of(0, 0), reply);
      const Nanoseconds took = wall_now() - start;
      if (!reply.status.ok()) return check_reply(loaded, 0, reply);
      if (took >= kStallFrom && took <= kStallTo)
        ++(*arms)[index].preflight_stalls;
    }
  }
  return {};
}

Status QueryRound::measure_block(LoadedArm& loaded, std::size_t superblock,
                                 ArmRound* round) {
  Arm& arm = *loaded.arm;
  const Counts& counts = options_.counts;
  for (std::size_t call = 0; call < counts.discard; ++call)
    arm.call(query_of(superblock, call), replies_[0]);

  std::vector<std::uint64_t> times(counts.calls);
  for (Reply& reply : replies_) reply.status = Status();
  const auto server_now = [&] {
    return loaded.server_clock ? loaded.server_clock->now() : 0;
  };
  const Nanoseconds server_start = server_now();
  const Nanoseconds client_start = cpu_now();
  const Nanoseconds block_start = wall_now();
  for (std::size_t call = 0; call < counts.calls; ++call) {
    const Nanoseconds start = wall_now();
    arm.call(query_of(superblock, call), replies_[call]);
    times[call] = wall_now() - start;
  }
  const Nanoseconds block_end = wall_now();
  const Nanoseconds client_end = cpu_now();
  const Nanoseconds server_end = server_now();

  round->wall_ns.push_back(std::move(times));
  round->totals.push_back({block_end - block_start, client_end - client_start,
                           server_end - server_start});
  for (std::size_t call = 0; call < counts.calls; ++call) {
    Status checked =
        check_reply(loaded, query_of(superblock, call), replies_[call]);
    if (!checked.ok()) return checked;
  }
  return {};
}

Status QueryRound::measure(std::vector<ArmRound>* arms) {
  const auto orders = round_orders(kArms.size(), options_.counts.superblocks,
                                   options_.seed + options_.index);
  for (std::size_t b = 0; b < orders.size(); ++b) {
    for (std::size_t index : orders[b]) {
      Status measured = measure_block(arms_[index], b, &(*arms)[index]);
      if (!measured.ok()) return measured;
    }
    std::printf("superblock\n");
    std::fflush(stdout);
  }
  for (std::size_t index = 0; index < arms_.size(); ++index) {
    const AnswerCheck& check = arms_[index].check;
    ArmRound& round = (*arms)[index];
    round.digest = check.digest();
    round.answers = check.answers();
    round.hits = check.hits();
    round.hits_in_truth = check.hits_in_truth();
  }
  return {};
}

}  // namespace

Result<RoundResult> run_round(const RoundOptions& options) {
  Result<DataSet> data = load_data_set(options.data);
  if (!data.ok()) return data.status();
  RoundResult round;
  round.arms.resize(kArms.size());
  {
    QueryRound queries(options, *data);
    Status done = queries.prepare();
    if (done.ok()) done = queries.preflight(&round.arms);
    if (done.ok()) done = queries.measure(&round.arms);
    if (!done.ok()) return done;
  }
  Result<std::vector<WriteArmRound>> writes = run_write_round(options, *data);
  if (!writes.ok()) return writes.status();
  round.writes = *std::move(writes);
  round.kernels = kernels::active().name;
  round.blas = blas_description();
  return round;
}

}  // namespace lamina::bench
