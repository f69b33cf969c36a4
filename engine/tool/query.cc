#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "filter_text.h"
#include "output.h"
#include "session.h"
#include "source.h"
#include "types/json_reader.h"

namespace lamina::tool {
namespace {

struct Answer {
  std::vector<Hit> hits;
  QueryStats stats;  // Empty for a query by id.
};

// The words of the command line as one JSON array.
Result<std::vector<float>> parse_numbers(
    const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += text.ends_with(',') ? "" : ",";
    text += word;
  }
  if (!text.starts_with('[')) text = "[" + text + "]";
  const Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) {
    return Status::invalid_argument("query vector: " +
                                    document.status().message());
  }
  std::vector<float> values;
  const Status read = document->root().read_floats("query vector", &values);
  if (!read.ok()) return read;
  return values;
}

// One vector of a file.
Result<std::vector<float>> read_row(const QueryArguments& arguments) {
  Result<std::unique_ptr<io::PointReader>> points =
      open_source(*arguments.file, arguments.format);
  if (!points.ok()) return points.status();
  const Status skipped = (*points)->skip(arguments.row);
  if (!skipped.ok()) return skipped;
  io::PointBatch batch;
  const Status read = (*points)->read(1, &batch);
  if (!read.ok()) return read;
  if (batch.size() == 1) return std::move(batch.values);
  return Status::invalid_argument(arguments.file->string() + " has no row " +
                                  std::to_string(arguments.row));
}

Result<Answer> query_by_id(const Collection& collection,
                           const QueryArguments& arguments,
                           const QueryOptions& options) {
  const Result<PointId> id = PointId::parse(*arguments.id);
  if (!id.ok()) return id.status();
  Result<std::vector<Hit>> hits = collection.query_by_id(*id, options);
  if (!hits.ok()) return hits.status();
  return Answer{*std::move(hits), {}};
}

Result<Answer> query_by_vector(const Collection& collection,
                               const QueryArguments& arguments,
                               const QueryOptions& options) {
  const Result<std::vector<float>> vector =
      arguments.file.has_value() ? read_row(arguments)
                                 : parse_numbers(arguments.numbers);
  if (!vector.ok()) return vector.status();
  const Result<std::uint64_t> points = collection.count();
  if (!points.ok()) return points.status();
  Answer answer;
  answer.hits.resize(std::min(options.top_k, *points));
  const Result<std::size_t> found =
      collection.query_into(*vector, options, answer.hits, &answer.stats);
  if (!found.ok()) return found.status();
  answer.hits.resize(*found);
  return answer;
}

void write_hit(const Hit& hit, JsonWriter* json) {
  json->begin_object().key("id").point_id(hit.id);
  json->key("score").float32(hit.score);
  if (hit.vector.has_value()) json->key("vector").vector(*hit.vector);
  if (hit.payload.has_value()) json->key("payload").raw(hit.payload->json());
  json->end_object();
}

std::string json_of(const Answer& answer) {
  JsonWriter json;
  json.begin_object().key("hits").begin_array();
  for (const Hit& hit : answer.hits) write_hit(hit, &json);
  json.end_array();
  if (!answer.stats.plan.empty()) {
    json.key("stats").begin_object();
    json.key("plan").string(answer.stats.plan);
    if (!answer.stats.filter_plan.empty()) {
      json.key("filter_plan").string(answer.stats.filter_plan);
    }
    json.key("kernel").string(answer.stats.kernel);
    json.key("rows_matching").uint64(answer.stats.rows_matching);
    json.key("rows_scanned").uint64(answer.stats.rows_scanned);
    json.key("rows_rescored").uint64(answer.stats.rows_rescored);
    json.end_object();
  }
  return json.end_object().take();
}

// "0.812345  17  {payload}  [vector]".
std::string line_of(const Hit& hit) {
  char score[32];
  std::snprintf(score, sizeof score, "%.6f", static_cast<double>(hit.score));
  std::string line = score + ("  " + hit.id.to_string());
  if (hit.payload.has_value()) {
    line.append("  ").append(hit.payload->json());
  }
  if (hit.vector.has_value()) {
    JsonWriter json;
    line += "  " + json.vector(*hit.vector).take();
  }
  return line;
}

}  // namespace

Status query(const Common& common, const QueryArguments& arguments) {
  Result<Filter> filter = parse_filter(arguments.filter);
  if (!filter.ok()) return filter.status();
  QueryOptions options = arguments.options;
  options.filter = *std::move(filter);
  const Result<Session> session = open_session(common, arguments.collection);
  if (!session.ok()) return session.status();
  const Result<Answer> answer =
      arguments.id.has_value()
          ? query_by_id(*session->collection, arguments, options)
          : query_by_vector(*session->collection, arguments, options);
  if (!answer.ok()) return answer.status();
  if (common.json) return print_line(json_of(*answer));
  for (const Hit& hit : answer->hits) {
    const Status printed = print_line(line_of(hit));
    if (!printed.ok()) return printed;
  }
  return {};
}

}  // namespace lamina::tool
