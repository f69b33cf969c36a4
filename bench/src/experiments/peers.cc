#include "experiments/peers.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>

#include "arms/arm.h"
#include "arms/best_scores.h"
#include "arms/peer.h"
#include "core/clock.h"
#include "core/generated_data.h"
#include "core/process.h"
#include "core/recall.h"
#include "core/schedule.h"
#include "experiments/truth.h"
#include "kernels/kernels.h"

namespace lamina::bench {
namespace {

constexpr std::string_view kStored = "wordnet-384";
constexpr std::size_t kGeneratedQueries = 200;
constexpr std::uint64_t kQuickRounds = 2;
constexpr double kSecondsBetweenLines = 10.0;

double seconds_since(Nanoseconds start) {
  return static_cast<double>(wall_now() - start) * 1e-9;
}

// Enough calls for p99 everywhere, and more rounds where they are cheap.
std::uint64_t suitable_rounds(std::size_t rows, bool stored) {
  if (stored) return 40;
  if (rows <= 10'000) return 20;
  return rows <= 100'000 ? 8 : 4;
}

Result<DataSet> load(const PeersOptions& options, const std::string& name) {
  if (name == kStored) return load_data_set(options.data);
  const GeneratedShape* shape = find_generated_shape(name);
  if (shape == nullptr)
    return Status::invalid_argument("no data set is named " + name);
  DataSet data = generate(*shape, kGeneratedQueries, options.seed);
  find_truth(kPeerK, &data);
  return data;
}

NpyMatrix<float> unit_copy(const NpyMatrix<float>& matrix) {
  NpyMatrix<float> unit = matrix;
  for (std::size_t row = 0; row < unit.rows; ++row)
    normalise(std::span(unit.values).subspan(row * unit.columns, unit.columns));
  return unit;
}

// What one peer did in all rounds.
struct Record {
  std::vector<std::uint64_t> query_ns;  // One per call
  std::vector<double> round_us_p50;
  std::size_t answers = 0;
  std::size_t true_answers = 0;
};

// All peers on one data set.
class PeerRun {
 public:
  PeerRun(const DataSet& set, const PeersOptions& options, PeersResult* result)
      : set_(set),
        options_(options),
        stored_(set.name == kStored),
        result_(result) {
    if (!stored_) return;  // Generated vectors have length 1.
    unit_base_ = unit_copy(set.base);
    unit_queries_ = unit_copy(set.queries);
  }

  Status run() {
    rounds_ = options_.rounds;
    if (rounds_ == 0) rounds_ = suitable_rounds(set_.base.rows, stored_);
    if (options_.quick) rounds_ = kQuickRounds;
    if (Status built = build(); !built.ok()) return built;
    if (Status measured = measure(); !measured.ok()) return measured;
    return report();
  }

 private:
  Status build() {
    const PeerData data{set_, stored_ ? unit_base_ : set_.base,
                        stored_ ? unit_queries_ : set_.queries,
                        options_.work_directory};
    tell("building Lamina, FAISS, OpenBLAS");
    Status built = add_lamina_peers(data, &peers_);
    if (built.ok() && stored_) {
      built = add_lamina_filtered_peers(
          data, options_.data / (set_.name + "-base.jsonl"), &peers_);
    }
    if (built.ok() && set_.base.rows <= kMaxKernelRows)
      built = add_kernel_peers(data, &peers_);
    if (built.ok()) built = add_faiss_peers(data, &peers_);
    if (built.ok()) built = add_blas_peers(data, &peers_);
    if (!built.ok() || options_.quick) return built;
    return build_graphs(data);
  }

  Status build_graphs(const PeerData& data) {
    std::vector<NotMeasured>* not_measured = &result_->not_measured;
    tell("building Lamina's graph and finding its ef");
    Status built = add_lamina_hnsw_peers(data, &peers_, not_measured);
    if (!built.ok()) return built;
    tell("building hnswlib and finding its ef");
    built = add_hnswlib_peers(data, &peers_, not_measured);
    if (!built.ok()) return built;
    if (set_.base.rows >
        (options_.full ? kMaxFaissGraphRowsInFull : kMaxFaissGraphRows)) {
      not_measured->push_back({"faiss hnsw on " + set_.name,
                               "linking takes minutes at 100,000 rows, which "
                               "--full waits for, and hours at a million"});
      return {};
    }
    tell("building FAISS's graph and finding its ef");
    return add_faiss_hnsw_peers(data, &peers_, not_measured);
  }

  Status measure() {
    records_.resize(peers_.size());
    const std::size_t blocks =
        std::max<std::size_t>(set_.queries.rows / kPeerBatch, 1);
    const auto orders = round_orders(peers_.size(), rounds_, options_.seed);
    const Nanoseconds start = wall_now();
    double told_s = 0.0;
    for (std::size_t round = 0; round < rounds_; ++round) {
      const std::size_t first = round % blocks * kPeerBatch;
      for (std::size_t peer : orders[round]) {
        Status answered = answer_block(peer, first);
        if (!answered.ok()) return answered;
      }
      const double elapsed_s = seconds_since(start);
      if (round > 0 && elapsed_s < told_s + kSecondsBetweenLines) continue;
      told_s = elapsed_s;
      const auto done = static_cast<double>(round + 1);
      char text[80];
      std::snprintf(text, sizeof text, "round %zu of %zu, %.0f s left",
                    round + 1, static_cast<std::size_t>(rounds_),
                    elapsed_s / done * (static_cast<double>(rounds_) - done));
      tell(text);
    }
    return {};
  }

  // One peer's turn: the queries of a block, in as many calls as it needs.
  Status answer_block(std::size_t peer, std::size_t first) {
    const std::size_t per_call = peers_[peer]->info().queries_per_call;
    const std::size_t end = std::min(first + kPeerBatch, set_.queries.rows);
    Record& record = records_[peer];
    std::vector<double> times;
    for (std::size_t query = first; query < end; query += per_call) {
      const std::size_t count = std::min(per_call, end - query);
      answers_.assign(count * kPeerK, -1);
      const Nanoseconds start = wall_now();
      Status answered = peers_[peer]->search(query, answers_);
      const Nanoseconds elapsed = wall_now() - start;
      if (!answered.ok()) return answered;
      record.query_ns.push_back(elapsed / count);
      times.push_back(static_cast<double>(elapsed) /
                      static_cast<double>(count) / 1000.0);
      check(*peers_[peer], query, &record);
    }
    record.round_us_p50.push_back(median(times));
    return {};
  }

  void check(const Peer& peer, std::size_t first, Record* record) {
    const NpyMatrix<std::int32_t>& truth =
        peer.own_truth() != nullptr ? *peer.own_truth() : set_.truth_ids;
    for (std::size_t i = 0; i * kPeerK < answers_.size(); ++i) {
      const std::span rows(answers_.data() + i * kPeerK, kPeerK);
      record->true_answers += true_answers(truth, first + i, rows);
      record->answers += kPeerK;
    }
  }

  Status report() {
    result_->data.push_back(
        {set_.name, set_.base.rows, set_.base.columns, set_.queries.rows,
         stored_ ? "the data set's truth file"
                 : "all rows in float32 by sgemm, those within its rounding "
                   "again in float64",
         rounds_});
    for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
      const PeerRow row = row_of(peers_[peer]->info(), records_[peer]);
      if (row.name.starts_with("lamina flat") && row.recall_at_10 != 1.0) {
        return Status::internal(row.name + " on " + row.data +
                                " missed a true neighbour: recall " +
                                std::to_string(row.recall_at_10));
      }
      result_->rows.push_back(row);
    }
    return {};
  }

  PeerRow row_of(const PeerInfo& info, const Record& record) const {
    const Distribution times = describe(record.query_ns);
    PeerRow row;
    row.name = info.name;
    row.data = set_.name;
    row.query_us_p50 = static_cast<double>(times.p50) / 1000.0;
    if (times.p99) row.query_us_p99 = static_cast<double>(*times.p99) / 1000.0;
    row.recall_at_10 = static_cast<double>(record.true_answers) /
                       static_cast<double>(record.answers);
    row.build_s = info.build_s;
    row.reopen_s = info.reopen_s;
    row.bytes = info.bytes;
    row.queries_per_call = info.queries_per_call;
    row.threads = info.threads;
    row.build_threads = info.build_threads;
    row.calls = times.count;
    row.note = info.note;
    row.round_us_p50 = record.round_us_p50;
    return row;
  }

  void tell(std::string_view what) const {
    std::fprintf(stderr, "%s: %.*s\n", set_.name.c_str(),
                 static_cast<int>(what.size()), what.data());
  }

  const DataSet& set_;
  const PeersOptions& options_;
  bool stored_;
  std::uint64_t rounds_ = 0;
  NpyMatrix<float> unit_base_;
  NpyMatrix<float> unit_queries_;
  Peers peers_;
  std::vector<Record> records_;
  std::vector<std::int64_t> answers_;
  PeersResult* result_;
};

Status check_build(const PeersOptions& options) {
#ifdef NDEBUG
  (void)options;
  return {};
#else
  if (options.allow_debug || options.quick) return {};
  return Status::invalid_argument(
      "this build has assertions on and is not worth timing; build Release, or "
      "pass --allow-debug");
#endif
}

Status check_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name != kStored && find_generated_shape(name) == nullptr)
      return Status::invalid_argument("no data set is named " + name);
  }
  return {};
}

// One thread works, so a load well above one is somebody else.
std::string noise_verdict(double highest_load, const MachineLoad& before) {
  const MachineLoad after = read_machine_load();
  const auto steal =
      static_cast<double>(after.steal_ticks - before.steal_ticks) /
      static_cast<double>(
          std::max<std::uint64_t>(after.total_ticks - before.total_ticks, 1));
  if (steal > 0.005) return "noisy: CPU time stolen";
  if (std::max(highest_load, after.load_average) >
      static_cast<double>(allowed_cpus().size()))
    return "noisy: load above the CPUs";
  return "quiet";
}

}  // namespace

std::vector<std::string> default_data_names(const PeersOptions& options) {
  std::vector<std::string> names{std::string(kStored)};
  if (options.quick) return names;
  for (const GeneratedShape& shape : generated_shapes()) {
    if (options.full || shape.rows < 1'000'000) names.emplace_back(shape.name);
  }
  return names;
}

Result<PeersResult> run_peers(const PeersOptions& options,
                              const std::vector<std::string>& arguments) {
  if (Status build = check_build(options); !build.ok()) return build;
  const std::vector<std::string> names =
      options.names.empty() ? default_data_names(options) : options.names;
  if (Status known = check_names(names); !known.ok()) return known;

  PeersResult result;
  result.run.started_utc = utc_now();
  result.run.mode = options.quick ? "quick" : options.full ? "full" : "default";
  result.run.arguments = arguments;
  result.run.seed = options.seed;
  result.environment = describe_environment(options.data);
  result.environment.push_back(
      {"cpu.kernels_in_use", std::string(kernels::active().name), ""});
  result.environment.push_back(
      {"libraries.openblas_in_use", blas_description(), ""});
  const Nanoseconds start = wall_now();
  const MachineLoad before = read_machine_load();
  double highest_load = before.load_average;
  for (const std::string& name : names) {
    std::fprintf(stderr, "%s: loading\n", name.c_str());
    const Result<DataSet> set = load(options, name);
    if (!set.ok()) return set.status();
    Status done = PeerRun(*set, options, &result).run();
    if (!done.ok()) return done;
    highest_load = std::max(highest_load, read_machine_load().load_average);
  }
  result.ratios = peer_ratios(result.rows);
  result.run.verdict = noise_verdict(highest_load, before);
  result.run.wall_s = seconds_since(start);
  std::erase_if(result.environment,
                [](const Fact& entry) { return entry.value.empty(); });
  return result;
}

}  // namespace lamina::bench
