#include <fstream>
#include <set>
#include <sstream>

#include "core/json_fields.h"
#include "core/result.h"
#include "types/json_writer.h"

namespace lamina::bench {
namespace {

constexpr std::string_view kReason = "_reason";

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end_array();
}

void write_counts(JsonWriter& json, const std::vector<std::uint64_t>& counts) {
  json.begin_array();
  for (std::uint64_t count : counts) json.uint64(count);
  json.end_array();
}

void write_numbers(JsonWriter& json, const std::vector<double>& numbers) {
  json.begin_array();
  for (double number : numbers) json.float64(number);
  json.end_array();
}

void write_optional(JsonWriter& json, std::string_view key,
                    const std::optional<std::uint64_t>& value) {
  json.key(key);
  if (value) {
    json.uint64(*value);
  } else {
    json.null();
  }
}

void write_distribution(JsonWriter& json, const Distribution& told) {
  json.begin_object().key("n").uint64(told.count);
  json.key("min").uint64(told.min).key("p50").uint64(told.p50);
  write_optional(json, "p90", told.p90);
  write_optional(json, "p99", told.p99);
  write_optional(json, "p999", told.p999);
  json.key("max").uint64(told.max).key("mean").float64(told.mean).end_object();
}

void write_interval(JsonWriter& json, const std::optional<Interval>& interval) {
  json.key("ci");
  if (!interval) {
    json.null().key("conf").null();
    return;
  }
  json.begin_array().float64(interval->low).float64(interval->high).end_array();
  json.key("conf").float64(interval->confidence);
}

void write_run(JsonWriter& json, const RunInfo& run) {
  json.begin_object().key("started_utc").string(run.started_utc);
  json.key("wall_s").float64(run.wall_s).key("mode").string(run.mode);
  json.key("argv");
  write_texts(json, run.arguments);
  json.key("seed").uint64(run.seed).key("verdict").string(run.verdict);
  json.key("rounds_left_out").uint64(run.rounds_left_out).end_object();
}

void write_fact(JsonWriter& json, std::string_view key, const Fact& entry) {
  json.key(key);
  if (!entry.value.empty()) {
    json.string(entry.value);
    return;
  }
  json.null().key(std::string(key).append(kReason)).string(entry.reason);
}

// "cpu.model" and "cpu.l3" become members of one object "cpu".
void write_environment(JsonWriter& json, const Facts& facts) {
  std::set<std::string> groups;
  json.begin_object();
  for (const Fact& entry : facts) {
    const auto dot = entry.key.find('.');
    if (dot == std::string::npos) {
      write_fact(json, entry.key, entry);
      continue;
    }
    const std::string prefix = entry.key.substr(0, dot + 1);
    if (!groups.insert(prefix).second) continue;
    json.key(entry.key.substr(0, dot)).begin_object();
    for (const Fact& other : facts) {
      if (other.key.starts_with(prefix))
        write_fact(json, other.key.substr(prefix.size()), other);
    }
    json.end_object();
  }
  json.end_object();
}

void write_data(JsonWriter& json, const DataInfo& data) {
  json.begin_object().key("name").string(data.name);
  json.key("rows").uint64(data.rows).key("dim").uint64(data.dimension);
  json.key("queries").uint64(data.queries).key("k").uint64(data.k);
  json.key("metric").string("cosine").key("sha256");
  write_texts(json, data.checksums);
  json.end_object();
}

void write_design(JsonWriter& json, const DesignInfo& design) {
  json.begin_object().key("rounds").uint64(design.rounds);
  json.key("superblocks").uint64(design.superblocks);
  json.key("calls").uint64(design.calls).key("discard").uint64(design.discard);
  json.key("order").string("williams");
  json.key("placement").string(design.placement).key("arms");
  write_texts(json, design.arms);
  json.key("round_env_padding");
  write_counts(json, design.environment_padding);
  json.end_object();
}

void write_arm(JsonWriter& json, const ArmResult& arm) {
  json.begin_object().key("id").string(arm.id).key("label").string(arm.label);
  json.key("body").string(arm.body).key("server").string(arm.server);
  json.key("wall_ns");
  write_distribution(json, arm.wall_ns);
  json.key("cpu_ns_per_call").begin_object();
  json.key("wall").float64(arm.cpu.wall_ns);
  json.key("client").float64(arm.cpu.client_ns);
  json.key("server").float64(arm.cpu.server_ns);
  json.key("dead").float64(arm.cpu.dead_ns()).end_object();
  json.key("answers").begin_object().key("digest").string(arm.digest);
  json.key("n").uint64(arm.answers);
  json.key("recall_at_k").float64(arm.recall).end_object();
  json.key("calls_38_to_50_ms").uint64(arm.calls_38_to_50_ms);
  json.key("curve").begin_array();
  for (const auto& [p, value] : arm.curve)
    json.begin_array().float64(p).uint64(value).end_array();
  json.end_array().key("block_p50_ns").begin_array();
  for (const std::vector<std::uint64_t>& round : arm.block_p50_ns)
    write_counts(json, round);
  json.end_array().end_object();
}

void write_contrast(JsonWriter& json, const Contrast& contrast) {
  json.begin_object().key("id").string(contrast.id);
  json.key("family").string(contrast.family);
  json.key("label").string(contrast.label);
  json.key("kind").string("diff_ns").key("est").float64(contrast.value);
  write_interval(json, contrast.interval);
  json.key("ci_method").string("sign_rounds").key("round_est");
  write_numbers(json, contrast.rounds);
  json.key("noise_floor_ns").float64(contrast.noise_floor_ns);
  json.key("resolved").boolean(contrast.resolved).end_object();
}

void write_control(JsonWriter& json, const Control& control) {
  json.begin_object().key("id").string(control.id);
  json.key("expect_ns").float64(control.expected_ns);
  json.key("est").float64(control.value);
  write_interval(json, control.interval);
  json.key("pass").boolean(control.pass);
  json.key("note").string(control.note).end_object();
}

void write_check(JsonWriter& json, const Check& check) {
  json.begin_object().key("id").string(check.id);
  json.key("note").string(check.note);
  json.key("residual").float64(check.residual);
  json.key("limit").float64(check.limit);
  json.key("pass").boolean(check.pass).end_object();
}

void write_write(JsonWriter& json, const WriteResult& write) {
  json.begin_object().key("op").string(write.op);
  json.key("durability").string(write.durability);
  json.key("arm").string(write.arm).key("wall_ns");
  write_distribution(json, write.wall_ns);
  json.end_object();
}

void write_not_measured(JsonWriter& json, const NotMeasured& entry) {
  json.begin_object().key("what").string(entry.what);
  json.key("why").string(entry.why).end_object();
}

template <class T>
void write_list(JsonWriter& json, std::string_view key,
                const std::vector<T>& entries,
                void (*write)(JsonWriter&, const T&)) {
  json.key(key).begin_array();
  for (const T& entry : entries) write(json, entry);
  json.end_array();
}

Distribution read_distribution(const JsonFields& fields) {
  Distribution told;
  told.count = fields.count("n");
  told.min = fields.count("min");
  told.p50 = fields.count("p50");
  told.p90 = fields.optional_count("p90");
  told.p99 = fields.optional_count("p99");
  told.p999 = fields.optional_count("p999");
  told.max = fields.count("max");
  told.mean = fields.number("mean");
  return told;
}

std::optional<Interval> read_interval(const JsonFields& fields) {
  if (!fields.has("ci")) return std::nullopt;
  const std::vector<double> bounds = fields.numbers("ci");
  if (bounds.size() != 2) return std::nullopt;
  return Interval{bounds[0], bounds[1], fields.number("conf")};
}

RunInfo read_run(const JsonFields& fields) {
  return {fields.text("started_utc"),
          fields.number("wall_s"),
          fields.text("mode"),
          fields.texts("argv"),
          fields.count("seed"),
          fields.text("verdict"),
          fields.count("rounds_left_out")};
}

void read_facts(const JsonFields& fields, const std::string& prefix,
                Status* error, Facts* facts) {
  for (const JsonValue::Member& member : fields.members()) {
    const std::string key(member.key);
    if (member.value.kind() == JsonKind::object) {
      read_facts(JsonFields(member.value, error), prefix + key + ".", error,
                 facts);
    } else if (member.value.is_null()) {
      facts->push_back({prefix + key, "", fields.text(key + "_reason")});
    } else if (!key.ends_with(kReason)) {
      facts->push_back({prefix + key, fields.text(key), ""});
    }
  }
}

DataInfo read_data(const JsonFields& fields) {
  return {fields.text("name"), fields.count("rows"),
          fields.count("dim"), fields.count("queries"),
          fields.count("k"),   fields.texts("sha256")};
}

DesignInfo read_design(const JsonFields& fields) {
  return {fields.count("rounds"),
          fields.count("superblocks"),
          fields.count("calls"),
          fields.count("discard"),
          fields.text("placement"),
          fields.texts("arms"),
          fields.counts("round_env_padding")};
}

ArmResult read_arm(const JsonFields& fields) {
  ArmResult arm;
  arm.id = fields.text("id");
  arm.label = fields.text("label");
  arm.body = fields.text("body");
  arm.server = fields.text("server");
  arm.wall_ns = read_distribution(fields.object("wall_ns"));
  const JsonFields cpu = fields.object("cpu_ns_per_call");
  arm.cpu = {cpu.number("wall"), cpu.number("client"), cpu.number("server")};
  const JsonFields answers = fields.object("answers");
  arm.digest = answers.text("digest");
  arm.answers = answers.count("n");
  arm.recall = answers.number("recall_at_k");
  arm.calls_38_to_50_ms = fields.count("calls_38_to_50_ms");
  arm.block_p50_ns = fields.count_rows("block_p50_ns");
  return arm;
}

// Points of a percentile curve: [p, ns].
Status read_curve(const JsonFields& fields, ArmResult* arm) {
  for (const JsonValue& point : fields.list("curve")) {
    const std::vector<JsonValue> pair = point.kind() == JsonKind::array
                                            ? point.elements()
                                            : std::vector<JsonValue>{};
    if (pair.size() != 2 || pair[0].kind() != JsonKind::number)
      return Status::invalid_field("curve", "holds no pairs");
    const std::string p(pair[0].number());
    Result<std::uint64_t> value = pair[1].as_uint64("curve");
    if (!value.ok()) return value.status();
    arm->curve.emplace_back(std::strtod(p.c_str(), nullptr), *value);
  }
  return {};
}

Contrast read_contrast(const JsonFields& fields) {
  return {fields.text("id"),
          fields.text("family"),
          fields.text("label"),
          fields.number("est"),
          read_interval(fields),
          fields.numbers("round_est"),
          fields.number("noise_floor_ns"),
          fields.flag("resolved")};
}

Control read_control(const JsonFields& fields) {
  return {fields.text("id"),    fields.number("expect_ns"),
          fields.number("est"), read_interval(fields),
          fields.flag("pass"),  fields.text("note")};
}

Check read_check(const JsonFields& fields) {
  return {fields.text("id"), fields.text("note"), fields.number("residual"),
          fields.number("limit"), fields.flag("pass")};
}

WriteResult read_write(const JsonFields& fields) {
  return {fields.text("op"), fields.text("durability"), fields.text("arm"),
          read_distribution(fields.object("wall_ns"))};
}

NotMeasured read_not_measured(const JsonFields& fields) {
  return {fields.text("what"), fields.text("why")};
}

template <class T>
std::vector<T> read_list(const JsonFields& fields, std::string_view key,
                         T (*read)(const JsonFields&)) {
  std::vector<T> entries;
  for (const JsonFields& entry : fields.objects(key))
    entries.push_back(read(entry));
  return entries;
}

template <class T>
const T* find_by_id(const std::vector<T>& entries, std::string_view id) {
  for (const T& entry : entries) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

}  // namespace

const ArmResult* BenchResult::arm(std::string_view id) const {
  return find_by_id(arms, id);
}

const Contrast* BenchResult::contrast(std::string_view id) const {
  return find_by_id(contrasts, id);
}

bool BenchResult::proven() const {
  for (const Control& control : controls) {
    if (!control.pass) return false;
  }
  return true;
}

std::string to_json(const BenchResult& result) {
  JsonWriter json;
  json.begin_object().key("schema").string(kSchema);
  json.key("schema_minor").uint64(0).key("run");
  write_run(json, result.run);
  json.key("env");
  write_environment(json, result.environment);
  json.key("data");
  write_data(json, result.data);
  json.key("design");
  write_design(json, result.design);
  write_list(json, "arms", result.arms, write_arm);
  write_list(json, "contrasts", result.contrasts, write_contrast);
  json.key("noise_floor_ns").float64(result.noise_floor_ns);
  json.key("noise_floor_in_process_ns");
  json.float64(result.noise_floor_in_process_ns);
  write_list(json, "controls", result.controls, write_control);
  write_list(json, "checks", result.checks, write_check);
  json.key("fdatasync_ns");
  write_distribution(json, result.fdatasync_ns);
  write_list(json, "writes", result.writes, write_write);
  write_list(json, "not_measured", result.not_measured, write_not_measured);
  json.key("warnings");
  write_texts(json, result.warnings);
  json.end_object();
  return json.take() + "\n";
}

Result<BenchResult> from_json(std::string_view text) {
  Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return document.status();
  Status error;
  const JsonFields fields(document->root(), &error);
  if (const std::string schema = fields.text("schema");
      error.ok() && schema != kSchema) {
    return Status::invalid_field(
        "schema", "\"" + schema + "\", not " + std::string(kSchema));
  }
  BenchResult result;
  result.run = read_run(fields.object("run"));
  read_facts(fields.object("env"), "", &error, &result.environment);
  result.data = read_data(fields.object("data"));
  result.design = read_design(fields.object("design"));
  for (const JsonFields& arm : fields.objects("arms")) {
    result.arms.push_back(read_arm(arm));
    if (Status read = read_curve(arm, &result.arms.back()); !read.ok())
      return read;
  }
  result.contrasts = read_list(fields, "contrasts", read_contrast);
  result.noise_floor_ns = fields.number("noise_floor_ns");
  result.noise_floor_in_process_ns = fields.number("noise_floor_in_process_ns");
  result.controls = read_list(fields, "controls", read_control);
  result.checks = read_list(fields, "checks", read_check);
  result.fdatasync_ns = read_distribution(fields.object("fdatasync_ns"));
  result.writes = read_list(fields, "writes", read_write);
  result.not_measured = read_list(fields, "not_measured", read_not_measured);
  result.warnings = fields.texts("warnings");
  if (!error.ok()) return error;
  return result;
}

Status write_text_file(const std::filesystem::path& path,
                       std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  if (!file) return Status::io_error("cannot write " + path.string());
  return {};
}

Result<std::string> read_text_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status::not_found("cannot open " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace lamina::bench
