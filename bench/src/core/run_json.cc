#include "core/run_json.h"

namespace lamina::bench {

void write_run(JsonWriter& json, const RunInfo& run) {
  json.key("run").begin_object();
  json.key("started_utc").string(run.started_utc);
  json.key("wall_s").float64(run.wall_s).key("mode").string(run.mode);
  json.key("argv").begin_array();
  for (const std::string& argument : run.arguments) json.string(argument);
  json.end_array().key("seed").uint64(run.seed);
  json.key("verdict").string(run.verdict).end_object();
}

void write_environment(JsonWriter& json, const Facts& facts) {
  json.key("env").begin_object();
  for (const Fact& entry : facts) {
    if (!entry.value.empty()) json.key(entry.key).string(entry.value);
  }
  json.end_object();
}

RunInfo read_run(const JsonFields& fields) {
  RunInfo run;
  run.started_utc = fields.text("started_utc");
  run.wall_s = fields.number("wall_s");
  run.mode = fields.text("mode");
  run.arguments = fields.texts("argv");
  run.seed = fields.count("seed");
  run.verdict = fields.text("verdict");
  return run;
}

Facts read_environment(const JsonFields& fields) {
  Facts facts;
  for (const JsonValue::Member& member : fields.members()) {
    facts.push_back({std::string(member.key), fields.text(member.key), ""});
  }
  return facts;
}

}  // namespace lamina::bench
