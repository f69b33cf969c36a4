#include "core/run_json.h"
#include "core/storage_result.h"

namespace lamina::bench {
namespace {

void write_bound(JsonWriter& json, std::string_view key,
                 const std::optional<double>& bound) {
  if (bound) json.key(key).float64(*bound);
}

std::optional<double> read_bound(const JsonFields& fields,
                                 std::string_view key) {
  if (!fields.has(key)) return std::nullopt;
  return fields.number(key);
}

}  // namespace

const StorageFigure* StorageResult::figure(std::string_view name) const {
  for (const StorageFigure& candidate : figures) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

std::string storage_to_json(const StorageResult& result) {
  JsonWriter json;
  json.begin_object().key("schema").string(kStorageSchema);
  write_run(json, result.run);
  write_environment(json, result.environment);
  json.key("figures").begin_array();
  for (const StorageFigure& figure : result.figures) {
    json.begin_object().key("name").string(figure.name);
    json.key("unit").string(figure.unit).key("value").float64(figure.value);
    write_bound(json, "at_most", figure.at_most);
    write_bound(json, "at_least", figure.at_least);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

Result<StorageResult> storage_from_json(std::string_view text) {
  Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return document.status();
  Status error;
  const JsonFields fields(document->root(), &error);
  if (const std::string schema = fields.text("schema");
      error.ok() && schema != kStorageSchema) {
    return Status::invalid_field(
        "schema", "\"" + schema + "\", not " + std::string(kStorageSchema));
  }
  StorageResult result;
  result.run = read_run(fields.object("run"));
  result.environment = read_environment(fields.object("env"));
  for (const JsonFields& figure : fields.objects("figures")) {
    result.figures.push_back(
        {figure.text("name"), figure.text("unit"), figure.number("value"),
         read_bound(figure, "at_most"), read_bound(figure, "at_least")});
  }
  if (!error.ok()) return error;
  return result;
}

}  // namespace lamina::bench
