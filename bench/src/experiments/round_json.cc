#include "core/json_fields.h"
#include "experiments/round.h"
#include "types/json_writer.h"

namespace lamina::bench {
namespace {

using Rows = std::vector<std::vector<std::uint64_t>>;

void write_rows(JsonWriter& json, const Rows& rows) {
  json.begin_array();
  for (const std::vector<std::uint64_t>& row : rows) {
    json.begin_array();
    for (std::uint64_t value : row) json.uint64(value);
    json.end_array();
  }
  json.end_array();
}

Rows totals_as_rows(const std::vector<BlockTotals>& totals) {
  Rows rows;
  for (const BlockTotals& block : totals)
    rows.push_back({block.wall_ns, block.client_cpu_ns, block.server_cpu_ns});
  return rows;
}

void write_arm(JsonWriter& json, const ArmRound& arm) {
  json.begin_object().key("wall_ns");
  write_rows(json, arm.wall_ns);
  json.key("totals");
  write_rows(json, totals_as_rows(arm.totals));
  json.key("digest").uint64(arm.digest).key("answers").uint64(arm.answers);
  json.key("hits_in_truth").uint64(arm.hits_in_truth);
  json.key("hits").uint64(arm.hits);
  json.key("preflight_stalls").uint64(arm.preflight_stalls).end_object();
}

ArmRound read_arm(const JsonFields& fields, Status* error) {
  ArmRound arm;
  arm.wall_ns = fields.count_rows("wall_ns");
  for (const std::vector<std::uint64_t>& row : fields.count_rows("totals")) {
    if (row.size() != 3) {
      *error = Status::invalid_field("totals", "does not hold three numbers");
      return arm;
    }
    arm.totals.push_back({row[0], row[1], row[2]});
  }
  arm.digest = fields.count("digest");
  arm.answers = fields.count("answers");
  arm.hits_in_truth = fields.count("hits_in_truth");
  arm.hits = fields.count("hits");
  arm.preflight_stalls = fields.count("preflight_stalls");
  return arm;
}

}  // namespace

std::string round_to_json(const RoundResult& round) {
  JsonWriter json;
  json.begin_object().key("arms").begin_array();
  for (const ArmRound& arm : round.arms) write_arm(json, arm);
  json.end_array().key("writes").begin_array();
  for (const WriteArmRound& write : round.writes) {
    json.begin_object();
    for (std::size_t op = 0; op < kWriteOps.size(); ++op) {
      json.key(kWriteOps[op]);
      write_rows(json, write.wall_ns[op]);
    }
    json.end_object();
  }
  json.end_array().key("kernels").string(round.kernels);
  json.key("blas").string(round.blas).end_object();
  return json.take();
}

Result<RoundResult> round_from_json(std::string_view text) {
  Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return document.status();
  Status error;
  const JsonFields fields(document->root(), &error);
  RoundResult round;
  for (const JsonFields& arm : fields.objects("arms"))
    round.arms.push_back(read_arm(arm, &error));
  for (const JsonFields& write : fields.objects("writes")) {
    WriteArmRound& entry = round.writes.emplace_back();
    for (std::string_view op : kWriteOps)
      entry.wall_ns.push_back(write.count_rows(op));
  }
  round.kernels = fields.text("kernels");
  round.blas = fields.text("blas");
  if (!error.ok()) return error;
  if (round.arms.size() != kArms.size() ||
      round.writes.size() != kWriteArms.size())
    return Status::invalid_argument("a round with other arms than these");
  return round;
}

}  // namespace lamina::bench
