#include "core/json_fields.h"
#include "core/peers_result.h"
#include "core/run_json.h"
#include "types/json_writer.h"

namespace lamina::bench {
namespace {

void write_optional(JsonWriter& json, std::string_view key,
                    const std::optional<double>& value) {
  json.key(key);
  if (value) {
    json.float64(*value);
  } else {
    json.null();
  }
}

void write_data(JsonWriter& json, const PeerDataInfo& data) {
  json.begin_object().key("name").string(data.name);
  json.key("rows").uint64(data.rows).key("dimension").uint64(data.dimension);
  json.key("queries").uint64(data.queries).key("truth").string(data.truth);
  json.key("rounds").uint64(data.rounds).end_object();
}

void write_row(JsonWriter& json, const PeerRow& row) {
  json.begin_object().key("name").string(row.name).key("data").string(row.data);
  json.key("query_us_p50").float64(row.query_us_p50);
  write_optional(json, "query_us_p99", row.query_us_p99);
  json.key("recall_at_10").float64(row.recall_at_10);
  json.key("build_s").float64(row.build_s);
  write_optional(json, "reopen_s", row.reopen_s);
  json.key("bytes").uint64(row.bytes);
  json.key("queries_per_call").uint64(row.queries_per_call);
  json.key("threads").uint64(row.threads);
  json.key("build_threads").uint64(row.build_threads);
  json.key("calls").uint64(row.calls).key("note").string(row.note);
  json.key("round_us_p50").begin_array();
  for (double median : row.round_us_p50) json.float64(median);
  json.end_array().end_object();
}

void write_ratio(JsonWriter& json, const PeerRatio& ratio) {
  json.begin_object().key("data").string(ratio.data);
  json.key("name").string(ratio.name).key("over").string(ratio.over);
  json.key("p50").float64(ratio.p50).key("ci");
  if (ratio.interval) {
    json.begin_array().float64(ratio.interval->low);
    json.float64(ratio.interval->high).end_array();
    json.key("conf").float64(ratio.interval->confidence);
  } else {
    json.null();
  }
  json.end_object();
}

PeerDataInfo read_data(const JsonFields& fields) {
  return {fields.text("name"),       fields.count("rows"),
          fields.count("dimension"), fields.count("queries"),
          fields.text("truth"),      fields.count("rounds")};
}

PeerRow read_row(const JsonFields& fields) {
  PeerRow row;
  row.name = fields.text("name");
  row.data = fields.text("data");
  row.query_us_p50 = fields.number("query_us_p50");
  if (fields.has("query_us_p99"))
    row.query_us_p99 = fields.number("query_us_p99");
  row.recall_at_10 = fields.number("recall_at_10");
  row.build_s = fields.number("build_s");
  if (fields.has("reopen_s")) row.reopen_s = fields.number("reopen_s");
  row.bytes = fields.count("bytes");
  row.queries_per_call = fields.count("queries_per_call");
  row.threads = fields.count("threads");
  row.build_threads = fields.count("build_threads");
  row.calls = fields.count("calls");
  row.note = fields.text("note");
  row.round_us_p50 = fields.numbers("round_us_p50");
  return row;
}

Result<PeerRatio> read_ratio(const JsonFields& fields) {
  PeerRatio ratio{fields.text("data"),
                  fields.text("name"),
                  fields.text("over"),
                  fields.number("p50"),
                  {}};
  if (!fields.has("ci")) return ratio;
  const std::vector<double> ends = fields.numbers("ci");
  if (ends.size() != 2)
    return Status::invalid_field("ci", "does not hold two numbers");
  ratio.interval = Interval{ends[0], ends[1], fields.number("conf")};
  return ratio;
}

}  // namespace

const PeerRow* PeersResult::row(std::string_view data_name,
                                std::string_view name) const {
  for (const PeerRow& candidate : rows) {
    if (candidate.data == data_name && candidate.name == name)
      return &candidate;
  }
  return nullptr;
}

std::string peers_to_json(const PeersResult& result) {
  JsonWriter json;
  json.begin_object().key("schema").string(kPeersSchema);
  write_run(json, result.run);
  write_environment(json, result.environment);
  json.key("data").begin_array();
  for (const PeerDataInfo& data : result.data) write_data(json, data);
  json.end_array().key("rows").begin_array();
  for (const PeerRow& row : result.rows) write_row(json, row);
  json.end_array().key("ratios").begin_array();
  for (const PeerRatio& ratio : result.ratios) write_ratio(json, ratio);
  json.end_array().key("not_measured").begin_array();
  for (const NotMeasured& entry : result.not_measured) {
    json.begin_object().key("what").string(entry.what);
    json.key("why").string(entry.why).end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

Result<PeersResult> peers_from_json(std::string_view text) {
  Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return document.status();
  Status error;
  const JsonFields fields(document->root(), &error);
  if (const std::string schema = fields.text("schema");
      error.ok() && schema != kPeersSchema) {
    return Status::invalid_field(
        "schema", "\"" + schema + "\", not " + std::string(kPeersSchema));
  }
  PeersResult result;
  result.run = read_run(fields.object("run"));
  result.environment = read_environment(fields.object("env"));
  for (const JsonFields& data : fields.objects("data"))
    result.data.push_back(read_data(data));
  for (const JsonFields& row : fields.objects("rows"))
    result.rows.push_back(read_row(row));
  for (const JsonFields& entry : fields.objects("ratios")) {
    Result<PeerRatio> ratio = read_ratio(entry);
    if (!ratio.ok()) return ratio.status();
    result.ratios.push_back(*std::move(ratio));
  }
  for (const JsonFields& entry : fields.objects("not_measured"))
    result.not_measured.push_back({entry.text("what"), entry.text("why")});
  if (!error.ok()) return error;
  return result;
}

}  // namespace lamina::bench
