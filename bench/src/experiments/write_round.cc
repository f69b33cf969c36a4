#include "experiments/write_round.h"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "arms/arm.h"
#include "arms/writer.h"
#include "core/clock.h"
#include "core/schedule.h"
#include "lamina/database.h"

namespace lamina::bench {
namespace {

// Far above the ids of the data set.
constexpr std::uint64_t kFirstNewId = 1'000'000;

// A collection that is written, with what its history must look like.
struct Target {
  std::shared_ptr<Collection> collection;
  std::uint64_t last_sequence = 0;
};

struct LoadedWriter {
  std::unique_ptr<Writer> writer;
  Durability durability;
  Target* target;
};

class WriteRound {
 public:
  WriteRound(const RoundOptions& options, const DataSet& data)
      : options_(options), data_(data) {}

  Status prepare();
  Status measure(std::vector<WriteArmRound>* rounds);
  Status check_end();

 private:
  Result<std::unique_ptr<Writer>> make_writer(const WriteArmSpec& spec);
  VectorView vector_for(std::size_t op, std::size_t call) const {
    return data_.query((op * 500 + call) % data_.queries.rows);
  }
  Result<UpdateResult> write(LoadedWriter& loaded, std::size_t op,
                             std::size_t call);
  Status check_write(LoadedWriter& loaded, const Result<UpdateResult>& result);
  Status check_stored(const Target& target, std::size_t op, std::size_t call);
  Status measure_block(LoadedWriter& loaded, WriteArmRound* round);

  const RoundOptions& options_;
  const DataSet& data_;
  std::unique_ptr<Database> database_;
  Target engine_;
  Target remote_;
  std::vector<LoadedWriter> writers_;
};

Result<std::unique_ptr<Writer>> WriteRound::make_writer(
    const WriteArmSpec& spec) {
  if (spec.name == "engine") return make_collection_writer(engine_.collection);
  if (spec.name == "raw") return make_raw_writer(options_.server_port);
  return make_collection_writer(remote_.collection);
}

Status WriteRound::prepare() {
  Result<std::unique_ptr<Database>> database =
      Database::open(options_.engine_directory);
  if (!database.ok()) return database.status();
  database_ = *std::move(database);
  Result<std::shared_ptr<Collection>> local =
      database_->open_collection(kWriteCollection);
  if (!local.ok()) return local.status();
  engine_.collection = *local;
  Result<std::shared_ptr<Collection>> remote =
      open_remote_collection(options_.server_port, kWriteCollection);
  if (!remote.ok()) return remote.status();
  remote_.collection = *remote;

  for (const WriteArmSpec& spec : kWriteArms) {
    Result<std::unique_ptr<Writer>> writer = make_writer(spec);
    if (!writer.ok()) return writer.status();
    writers_.push_back({*std::move(writer), spec.durability,
                        spec.name == "engine" ? &engine_ : &remote_});
  }
  return {};
}

Result<UpdateResult> WriteRound::write(LoadedWriter& loaded, std::size_t op,
                                       std::size_t call) {
  const PointId id(kFirstNewId + call);
  if (kWriteOps[op] == "delete")
    return loaded.writer->remove(id, loaded.durability);
  return loaded.writer->upsert({.id = id, .vector = vector_for(op, call)},
                               loaded.durability);
}

Status WriteRound::check_write(LoadedWriter& loaded,
                               const Result<UpdateResult>& result) {
  if (!result.ok()) return result.status();
  if (loaded.durability == Durability::fsync && !result->durable)
    return Status::internal("a write with fsync was answered as not durable");
  std::uint64_t& last = loaded.target->last_sequence;
  if (last != 0 && result->sequence != last + 1) {
    return Status::internal("write " + std::to_string(result->sequence) +
                            " came after write " + std::to_string(last));
  }
  last = result->sequence;
  return {};
}

// What get() returns must be what the last write of this point left.
Status WriteRound::check_stored(const Target& target, std::size_t op,
                                std::size_t call) {
  const Result<Record> record =
      target.collection->get(PointId(kFirstNewId + call));
  if (kWriteOps[op] == "delete") {
    if (record.status().code() == StatusCode::not_found) return {};
    return Status::internal("a deleted point is still there");
  }
  if (!record.ok()) return record.status();
  const VectorView written = vector_for(op, call);
  if (record->vector != std::vector<float>(written.begin(), written.end()))
    return Status::internal("a point came back with another vector");
  return {};
}

Status WriteRound::measure_block(LoadedWriter& loaded, WriteArmRound* round) {
  const std::size_t discard = 1;
  for (std::size_t op = 0; op < kWriteOps.size(); ++op) {
    std::vector<std::uint64_t> times;
    for (std::size_t call = 0; call < discard + options_.counts.write_calls;
         ++call) {
      const Nanoseconds start = wall_now();
      const Result<UpdateResult> result = write(loaded, op, call);
      const Nanoseconds took = wall_now() - start;
      if (call >= discard) times.push_back(took);
      Status checked = check_write(loaded, result);
      if (!checked.ok()) return checked;
    }
    round->wall_ns[op].push_back(std::move(times));
    Status stored = check_stored(*loaded.target, op, discard);
    if (!stored.ok()) return stored;
  }
  return {};
}

Status WriteRound::measure(std::vector<WriteArmRound>* rounds) {
  const auto orders =
      round_orders(kWriteArms.size(), options_.counts.write_superblocks,
                   options_.seed + options_.index);
  for (const std::vector<std::size_t>& order : orders) {
    for (std::size_t index : order) {
      Status measured = measure_block(writers_[index], &(*rounds)[index]);
      if (!measured.ok()) {
        return Status::internal(
            "write arm " + std::string(kWriteArms[index].name) + ", " +
            std::string(to_string(kWriteArms[index].durability)) + ": " +
            measured.message());
      }
    }
    std::printf("writes\n");
    std::fflush(stdout);
  }
  return {};
}

Status WriteRound::check_end() {
  for (const Target* target : {&engine_, &remote_}) {
    const Result<std::uint64_t> count = target->collection->count();
    if (!count.ok()) return count.status();
    if (*count != data_.base.rows) {
      return Status::internal("after the writes a collection holds " +
                              std::to_string(*count) + " points, not " +
                              std::to_string(data_.base.rows));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<WriteArmRound>> run_write_round(const RoundOptions& options,
                                                   const DataSet& data) {
  std::vector<WriteArmRound> rounds(kWriteArms.size());
  for (WriteArmRound& round : rounds) round.wall_ns.resize(kWriteOps.size());
  WriteRound writes(options, data);
  Status done = writes.prepare();
  if (done.ok()) done = writes.measure(&rounds);
  if (done.ok()) done = writes.check_end();
  if (!done.ok()) return done;
  return rounds;
}

}  // namespace lamina::bench
