#include "protocol/points_json.h"

#include <optional>

#include "protocol/message.h"
#include "protocol/order_json.h"
#include "protocol/point_fields.h"
#include "protocol/selector_json.h"

namespace lamina::protocol {
namespace {

// Points of an upsert while their vectors still move: a view into `values` is
// made only when the last one is in.
struct PointParts {
  PointId id;
  std::size_t vector_begin = 0;
  std::size_t vector_end = 0;
  Payload payload;
};

struct UpsertParts {
  std::vector<float> values;
  std::vector<PointParts> points;
  UpsertCondition condition;
};

Status append_vector(const JsonValue& value, std::string_view path,
                     UpsertParts* parts, PointParts* point) {
  point->vector_begin = parts->values.size();
  const Status read = read_vector(value, path, &parts->values);
  point->vector_end = parts->values.size();
  return read;
}

Status append_point(const JsonValue& value, std::string path,
                    UpsertParts* parts) {
  ObjectReader object(value, std::move(path));
  PointParts point;
  if (const JsonValue* id = object.require("id"); id != nullptr) {
    const Result<PointId> read = id->as_point_id(object.path_of("id"));
    if (!read.ok()) return read.status();
    point.id = *read;
  }
  if (const JsonValue* vector = object.require("vector"); vector != nullptr) {
    object.fail(
        append_vector(*vector, object.path_of("vector"), parts, &point));
  }
  if (const JsonValue* payload = object.find("payload"); payload != nullptr) {
    Result<Payload> read = read_payload(*payload, object.path_of("payload"));
    if (!read.ok()) return read.status();
    point.payload = *std::move(read);
  }
  parts->points.push_back(std::move(point));
  return object.finish();
}

Status append_points(const JsonValue& list, UpsertParts* parts) {
  if (list.kind() != JsonKind::array) {
    return Status::invalid_argument("points: expected an array, got " +
                                    std::string(list.kind_name()));
  }
  std::size_t index = 0;
  for (const JsonValue& value : list.elements()) {
    const Status added =
        append_point(value, element_path("points", index++), parts);
    if (!added.ok()) return added;
  }
  return {};
}

Result<Payload> read_optional_payload(const JsonValue& value,
                                      std::string_view path) {
  if (value.is_null()) return Payload();
  return read_payload(value, path);
}

Status check_length(std::string_view path, std::size_t length,
                    std::size_t id_count) {
  if (length == id_count) return {};
  return Status::invalid_field(std::string(path),
                               std::to_string(length) + " entries for " +
                                   std::to_string(id_count) + " ids");
}

Status append_batch_vectors(const JsonValue& list, UpsertParts* parts) {
  if (list.kind() != JsonKind::array) {
    return Status::invalid_argument("batch.vectors: expected an array, got " +
                                    std::string(list.kind_name()));
  }
  const std::vector<JsonValue> vectors = list.elements();
  const Status length =
      check_length("batch.vectors", vectors.size(), parts->points.size());
  if (!length.ok()) return length;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const Status added = append_vector(
        vectors[i], element_path("batch.vectors", i), parts, &parts->points[i]);
    if (!added.ok()) return added;
  }
  return {};
}

Status take_batch_payloads(const JsonValue& list, UpsertParts* parts) {
  Result<std::vector<Payload>> payloads =
      read_list(list, "batch.payloads", read_optional_payload);
  if (!payloads.ok()) return payloads.status();
  const Status length =
      check_length("batch.payloads", payloads->size(), parts->points.size());
  if (!length.ok()) return length;
  for (std::size_t i = 0; i < payloads->size(); ++i) {
    parts->points[i].payload = std::move((*payloads)[i]);
  }
  return {};
}

// Points as columns: {"ids": [...], "vectors": [...], "payloads": [...]}
Status append_batch(const JsonValue& value, UpsertParts* parts) {
  ObjectReader object(value, "batch");
  const JsonValue* ids = object.require("ids");
  const JsonValue* vectors = object.require("vectors");
  const JsonValue* payloads = object.find("payloads");
  const Status shape = object.finish();
  if (!shape.ok()) return shape;

  Result<std::vector<PointId>> read =
      read_list(*ids, "batch.ids", read_point_id);
  if (!read.ok()) return read.status();
  for (const PointId& id : *read) parts->points.push_back({id, 0, 0, {}});
  const Status added = append_batch_vectors(*vectors, parts);
  if (!added.ok() || payloads == nullptr) return added;
  return take_batch_payloads(*payloads, parts);
}

struct ModeRow {
  std::string_view name;
  UpdateMode mode;
};

constexpr ModeRow kModes[] = {{"upsert", UpdateMode::upsert},
                              {"insert_only", UpdateMode::insert_only},
                              {"update_only", UpdateMode::update_only}};

void read_update_mode(ObjectReader* object, UpdateMode* mode) {
  std::string name = "upsert";
  object->read("update_mode", &name);
  for (const ModeRow& row : kModes) {
    if (row.name != name) continue;
    *mode = row.mode;
    return;
  }
  object->fail(Status::invalid_argument(
      object->path_of("update_mode") +
      ": expected one of upsert, insert_only, update_only"));
}

Result<UpsertParts> read_upsert_parts(const JsonValue& root) {
  ObjectReader object(root, "");
  UpsertParts parts;
  const JsonValue* points = object.find("points");
  const JsonValue* batch = object.find("batch");
  read_update_mode(&object, &parts.condition.mode);
  read_filter_field(&object, "update_filter", &parts.condition.filter);
  object.ignore({"shard_key"});
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  if ((points == nullptr) == (batch == nullptr)) {
    return Status::invalid_argument("expected either `points` or `batch`");
  }
  const Status read = points != nullptr ? append_points(*points, &parts)
                                        : append_batch(*batch, &parts);
  if (!read.ok()) return read;
  return parts;
}

Result<UpdateResult> read_update_reply(const JsonValue& root) {
  ObjectReader result(root, "result");
  UpdateResult update;
  result.read("operation_id", &update.sequence);
  if (!result.ok()) return result.status();
  return update;
}

Result<RetrieveRequest> read_retrieve(const JsonValue& root) {
  ObjectReader object(root, "");
  RetrieveRequest request;
  request.options.with_vector = false;
  const JsonValue* ids = object.require("ids");
  read_with_payload(&object, &request.payload);
  read_with_vector(&object, &request.options.with_vector);
  object.ignore({"shard_key"});
  const Status shape = object.finish();
  if (!shape.ok()) return shape;

  Result<std::vector<PointId>> read = read_list(*ids, "ids", read_point_id);
  if (!read.ok()) return read.status();
  request.ids = *std::move(read);
  request.options.with_payload = request.payload.enabled;
  return request;
}

void write_record(const Record& record, const PayloadSelector& payload,
                  JsonWriter* json) {
  json->begin_object().key("id").point_id(record.id);
  write_parts(record.vector, record.payload, payload, json);
  if (record.order_value.has_value()) {
    json->key("order_value");
    write_number(*record.order_value, json);
  }
  json->end_object();
}

void write_records(std::span<const Record> records,
                   const PayloadSelector& payload, JsonWriter* json) {
  json->begin_array();
  for (const Record& record : records) write_record(record, payload, json);
  json->end_array();
}

Result<Record> read_record_at(const JsonValue& value, std::string_view path) {
  ObjectReader object(value, std::string(path));
  const JsonValue* id = object.require("id");
  if (id == nullptr) return object.status();
  const Result<PointId> read = id->as_point_id(object.path_of("id"));
  if (!read.ok()) return read.status();
  Record record;
  record.id = *read;
  read_parts(&object, &record.vector, &record.payload);
  if (const JsonValue* order = object.find("order_value"); order != nullptr) {
    const Result<where::Number> number =
        read_number(*order, object.path_of("order_value"));
    if (!number.ok()) return number.status();
    record.order_value = *number;
  }
  if (!object.ok()) return object.status();
  return record;
}

Result<Record> read_record(const JsonValue& result) {
  return read_record_at(result, "result");
}

Result<std::vector<Record>> read_records(const JsonValue& result) {
  return read_list(result, "result", read_record_at);
}

Result<ScrollRequest> read_scroll(const JsonValue& root) {
  ObjectReader object(root, "");
  ScrollRequest request;
  request.payload.enabled = true;
  if (const JsonValue* offset = object.find("offset"); offset != nullptr) {
    const Result<PointId> read = offset->as_point_id("offset");
    if (!read.ok()) return read.status();
    request.options.offset = *read;
  }
  object.read_count("limit", "limit", 1, &request.options.limit);
  read_with_payload(&object, &request.payload);
  read_with_vector(&object, &request.options.with_vector);
  read_filter_field(&object, &request.options.filter);
  read_order_by(&object, &request.options.order_by);
  object.ignore({"shard_key"});
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  request.options.with_payload = request.payload.enabled;
  return request;
}

Result<ScrollPage> read_scroll_page(const JsonValue& root) {
  ObjectReader result(root, "result");
  const JsonValue* points = result.require("points");
  if (points == nullptr) return result.status();
  Result<std::vector<Record>> records =
      read_list(*points, "result.points", read_record_at);
  if (!records.ok()) return records.status();
  ScrollPage page;
  page.points = *std::move(records);
  const JsonValue* next = result.find("next_page_offset");
  if (next == nullptr) return page;
  const Result<PointId> offset = next->as_point_id("result.next_page_offset");
  if (!offset.ok()) return offset.status();
  page.next_offset = *offset;
  return page;
}

Result<Filter> read_count_request(const JsonValue& root) {
  ObjectReader object(root, "");
  Filter filter;
  read_filter_field(&object, &filter);
  bool exact = true;  // It is, either way.
  object.read("exact", &exact);
  object.ignore({"shard_key"});
  const Status read = object.finish();
  if (!read.ok()) return read;
  return filter;
}

Result<std::uint64_t> read_count(const JsonValue& root) {
  ObjectReader result(root, "result");
  std::uint64_t count = 0;
  result.require("count");
  result.read("count", &count);
  if (!result.ok()) return result.status();
  return count;
}

}  // namespace

PointBatch PointBatch::from_rows(std::span<const PointId> ids,
                                 std::vector<float> values,
                                 std::size_t dimension,
                                 std::vector<Payload> payloads) {
  PointBatch batch;
  batch.values_ = std::move(values);
  batch.points_.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const VectorView row =
        VectorView(batch.values_).subspan(i * dimension, dimension);
    batch.points_.push_back(
        {ids[i], row, payloads.empty() ? Payload() : std::move(payloads[i])});
  }
  return batch;
}

std::string encode_upsert(std::span<const Point> points) {
  JsonWriter json;
  json.begin_object().key("points").begin_array();
  for (const Point& point : points) {
    json.begin_object().key("id").point_id(point.id);
    json.key("vector").vector(point.vector);
    if (!point.payload.empty()) json.key("payload").raw(point.payload.json());
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

Result<PointBatch> decode_upsert(std::string_view body) {
  return decode_request(body, read_upsert);
}

Result<PointBatch> read_upsert(const JsonValue& root) {
  Result<UpsertParts> parts = read_upsert_parts(root);
  if (!parts.ok()) return parts.status();
  PointBatch batch;
  batch.values_ = std::move(parts->values);
  batch.points_.reserve(parts->points.size());
  for (PointParts& point : parts->points) {
    const VectorView vector =
        VectorView(batch.values_)
            .subspan(point.vector_begin, point.vector_end - point.vector_begin);
    batch.points_.push_back({point.id, vector, std::move(point.payload)});
  }
  batch.condition_ = std::move(parts->condition);
  return batch;
}

std::string encode_remove(const Selector& points) {
  JsonWriter json;
  json.begin_object();
  write_selector(points, &json);
  json.end_object();
  return json.take();
}

Result<Selector> decode_remove(std::string_view body) {
  return decode_request(body, read_remove);
}

Result<Selector> read_remove(const JsonValue& root) {
  ObjectReader object(root, "");
  Selector points;
  read_selector(&object, &points);
  object.ignore({"shard_key"});
  const Status read = object.finish();
  if (!read.ok()) return read;
  return points;
}

std::string encode_update_reply(const UpdateResult& result, bool waited,
                                double seconds) {
  JsonWriter json = begin_reply();
  write_update(result, waited, &json);
  return end_reply(std::move(json), seconds);
}

void write_update(const UpdateResult& result, bool waited, JsonWriter* json) {
  json->begin_object().key("operation_id").uint64(result.sequence);
  json->key("status").string(waited ? "completed" : "acknowledged");
  json->end_object();
}

Result<UpdateResult> decode_update_reply(std::string_view body, bool durable) {
  Result<UpdateResult> update = decode_reply(body, read_update_reply);
  if (update.ok()) update->durable = durable;
  return update;
}

std::string encode_retrieve(std::span<const PointId> ids,
                            const GetOptions& options) {
  JsonWriter json;
  json.begin_object();
  json.key("with_payload").boolean(options.with_payload);
  json.key("with_vector").boolean(options.with_vector);
  json.key("ids").begin_array();
  for (const PointId& id : ids) json.point_id(id);
  json.end_array().end_object();
  return json.take();
}

Result<RetrieveRequest> decode_retrieve(std::string_view body) {
  return decode_request(body, read_retrieve);
}

std::string encode_records_reply(std::span<const Record> records,
                                 const PayloadSelector& payload,
                                 double seconds) {
  JsonWriter json = begin_reply();
  write_records(records, payload, &json);
  return end_reply(std::move(json), seconds);
}

Result<std::vector<Record>> decode_records_reply(std::string_view body) {
  return decode_reply(body, read_records);
}

std::string encode_record_reply(const Record& record, double seconds) {
  JsonWriter json = begin_reply();
  write_record(record, PayloadSelector{true, {}, {}}, &json);
  return end_reply(std::move(json), seconds);
}

Result<Record> decode_record_reply(std::string_view body) {
  return decode_reply(body, read_record);
}

std::string encode_scroll(const ScrollOptions& options) {
  JsonWriter json;
  json.begin_object();
  if (options.offset.has_value()) json.key("offset").point_id(*options.offset);
  json.key("limit").uint64(options.limit);
  write_filter_field(options.filter, &json);
  write_order_by(options.order_by, &json);
  json.key("with_payload").boolean(options.with_payload);
  json.key("with_vector").boolean(options.with_vector).end_object();
  return json.take();
}

Result<ScrollRequest> decode_scroll(std::string_view body) {
  return decode_request(body, read_scroll);
}

std::string encode_scroll_reply(const ScrollPage& page,
                                const PayloadSelector& payload,
                                double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object().key("points");
  write_records(page.points, payload, &json);
  json.key("next_page_offset");
  if (page.next_offset.has_value()) {
    json.point_id(*page.next_offset);
  } else {
    json.null();
  }
  json.end_object();
  return end_reply(std::move(json), seconds);
}

Result<ScrollPage> decode_scroll_reply(std::string_view body) {
  return decode_reply(body, read_scroll_page);
}

std::string encode_count(const Filter& filter) {
  JsonWriter json;
  json.begin_object();
  write_filter_field(filter, &json);
  json.end_object();
  return json.take();
}

Result<Filter> decode_count(std::string_view body) {
  return decode_request(body, read_count_request);
}

std::string encode_count_reply(std::uint64_t count, double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object().key("count").uint64(count).end_object();
  return end_reply(std::move(json), seconds);
}

Result<std::uint64_t> decode_count_reply(std::string_view body) {
  return decode_reply(body, read_count);
}

}  // namespace lamina::protocol
