#include <array>

#include "fuzz/round_trip.h"
#include "fuzz/targets.h"
#include "protocol/batch_json.h"
#include "protocol/payload_json.h"
#include "protocol/points_json.h"
#include "protocol/vectors_json.h"
#include "types/validate.h"

namespace lamina::fuzz {
namespace {

using protocol::EditPayloadRequest;

// Numbers in base64 may be anything; what is not finite is refused where the
// points are written, and has no JSON form.
bool is_finite(std::span<const Point> points) {
  for (const Point& point : points) {
    if (!validate_finite(point.vector, "vector").ok()) return false;
  }
  return true;
}

std::string write_points(const protocol::PointBatch& batch) {
  if (!is_finite(batch.points())) return R"({"points":[]})";
  return protocol::encode_upsert(batch.points());
}

std::string write_selector(const Selector& points) {
  if (!validate_selector(points).ok()) return R"({"points":[1]})";
  return protocol::encode_remove(points);
}

std::string write_edit(const EditPayloadRequest& request) {
  const bool valid = validate_selector(request.points).ok();
  return protocol::encode_edit_payload(
      valid ? request.points : Selector(PointId(1)), request.edit);
}

void read_upsert(std::string_view body) {
  check_round_trip(protocol::decode_upsert, write_points, body);
}
void read_remove(std::string_view body) {
  check_round_trip(protocol::decode_remove, write_selector, body);
}
void read_retrieve(std::string_view body) {
  check_round_trip(
      protocol::decode_retrieve,
      [](const protocol::RetrieveRequest& request) {
        return protocol::encode_retrieve(request.ids, request.options);
      },
      body);
}
void read_scroll(std::string_view body) {
  check_round_trip(
      protocol::decode_scroll,
      [](const protocol::ScrollRequest& request) {
        check(request.options.limit >= 1 && request.options.limit <= kMaxCount,
              "a page's size is a count");
        return protocol::encode_scroll(request.options);
      },
      body);
}
void read_count(std::string_view body) {
  check_round_trip(protocol::decode_count, protocol::encode_count, body);
}
void read_set(std::string_view body) {
  check_round_trip(protocol::decode_set_payload, write_edit, body);
}
void read_overwrite(std::string_view body) {
  check_round_trip(protocol::decode_overwrite_payload, write_edit, body);
}
void read_delete(std::string_view body) {
  check_round_trip(protocol::decode_delete_payload, write_edit, body);
}
void read_clear(std::string_view body) {
  check_round_trip(protocol::decode_clear_payload, write_edit, body);
}
void read_index(std::string_view body) {
  check_round_trip(
      protocol::decode_create_index,
      [](const protocol::CreateIndexRequest& request) {
        return protocol::encode_create_index(request.key, request.type);
      },
      body);
}
void read_facet(std::string_view body) {
  check_round_trip(
      protocol::decode_facet,
      [](const protocol::FacetRequest& request) {
        return protocol::encode_facet(request.key, request.options);
      },
      body);
}
void read_vectors(std::string_view body) {
  const auto read = protocol::decode_update_vectors(body);
  if (!read.ok()) return;
  for (const Point& point : read->points.points()) {
    check(point.payload.empty(), "new vectors come without payloads");
  }
}
void read_vectors_to_delete(std::string_view body) {
  check(!protocol::check_delete_vectors(body).ok(),
        "no point is without a vector");
}
void read_operations(std::string_view body) {
  const auto operations = protocol::decode_operations(body);
  if (!operations.ok()) return;
  for (const protocol::Operation& operation : *operations) {
    check(operation.path.starts_with("operations["),
          "an operation knows its place");
  }
}

constexpr std::array kReaders = {read_upsert,
                                 read_remove,
                                 read_retrieve,
                                 read_scroll,
                                 read_count,
                                 read_set,
                                 read_overwrite,
                                 read_delete,
                                 read_clear,
                                 read_index,
                                 read_facet,
                                 read_vectors,
                                 read_vectors_to_delete,
                                 read_operations};

void run(std::string_view input) {
  const std::size_t choice = take_choice(&input) % kReaders.size();
  kReaders[choice](input);
}

std::vector<std::string> seeds() {
  return {
      with_choice(
          0,
          R"({"points":[{"id":1,"vector":[1,2.5,-3e-2],"payload":{"a":[1]}},{"id":"550e8400-e29b-41d4-a716-446655440000","vector":"AACAPwAAAEA="}]})"),
      with_choice(
          0,
          R"({"batch":{"ids":[1,2],"vectors":[[1,2],{"":[3,4]}],"payloads":[{},null]},"update_mode":"insert_only"})"),
      with_choice(
          0,
          R"({"points":[{"id":18446744073709551615,"vector":[1e39]}],"update_filter":{"must":[]}})"),
      with_choice(0, R"({"points":[{"id":1.0,"vector":{"f32":"AACAPw=="}}]})"),
      with_choice(1,
                  R"({"points":[1,"550e8400-e29b-41d4-a716-446655440000"]})"),
      with_choice(0, R"({"batch":{"ids":[1],"vectors":[[1]]}})"),
      with_choice(0, R"({"batch":{"ids":[1,2],"vectors":[[1]]}})"),
      with_choice(0, R"({"batch":{"ids":[1],"vectors":[[1],[2]]}})"),
      with_choice(1, R"({"points":[]})"),
      with_choice(1, "{}"),
      with_choice(1, R"({"filter":{"must":[{"has_id":[1]}]}})"),
      with_choice(1, R"({"filter":{}})"),
      with_choice(2,
                  R"({"ids":[1,2],"with_payload":["a"],"with_vectors":true})"),
      with_choice(
          3,
          R"({"offset":5,"limit":9223372036854775807,"filter":{"must":[{"key":"a","match":{"value":1}}]},"with_payload":{"exclude":["b"]}})"),
      with_choice(
          3,
          R"({"limit":10,"order_by":{"key":"a","direction":"desc","start_from":1.5}})"),
      with_choice(3, R"({"order_by":{"key":"a","start_from":"2024-05-01"}})"),
      with_choice(
          4,
          R"({"filter":{"must_not":[{"is_empty":{"key":"a"}}]},"exact":false})"),
      with_choice(5, R"({"payload":{"x":1},"key":"a.b","points":[1]})"),
      with_choice(
          6,
          R"({"payload":{"x":null},"filter":{"must":[{"is_null":{"key":"a"}}]}})"),
      with_choice(7, R"({"keys":["a","b[].c"],"points":[1,2]})"),
      with_choice(8, R"({"points":[3]})"),
      with_choice(
          9,
          R"({"field_name":"a","field_schema":{"type":"integer","range":false}})"),
      with_choice(9, R"({"field_name":"a","field_schema":"keyword"})"),
      with_choice(10, R"({"key":"a","limit":5,"filter":{"must":[]}})"),
      with_choice(11, R"({"points":[{"id":1,"vector":[1,2]}]})"),
      with_choice(12, R"({"points":[1],"vector":[""]})"),
      with_choice(
          13,
          R"({"operations":[{"upsert":{"points":[{"id":1,"vector":[1]}]}},{"delete":{"points":[1]}},{"set_payload":{"payload":{},"points":[1]}},{"clear_payload":{"points":[2]}},{"delete_payload":{"keys":["a"],"points":[2]}},{"update_vectors":{"points":[{"id":1,"vector":[1]}]}}]})"),
  };
}

}  // namespace

Target points_target() {
  return {.name = "points",
          .what =
              "JSON bodies about points, payloads and payload indexes. "
              "What is read is written and read back as the same.",
          .run = run,
          .seeds = seeds,
          .words = {"\"points\":[",
                    "\"id\":",
                    "\"vector\":[",
                    "\"payload\":{",
                    "\"batch\":{",
                    "\"ids\":[",
                    "\"vectors\":[",
                    "\"payloads\":[",
                    "\"filter\":{\"must\":[]}",
                    "\"key\":",
                    "\"keys\":[",
                    "\"limit\":",
                    "\"offset\":",
                    "\"order_by\":{",
                    "\"direction\":\"desc\"",
                    "\"start_from\":",
                    "\"update_mode\":",
                    "\"with_payload\":",
                    "\"f32\":",
                    "\"operations\":[",
                    "\"upsert\":{",
                    "\"delete\":{",
                    "\"set_payload\":{",
                    "18446744073709551615",
                    "null"}};
}

}  // namespace lamina::fuzz
