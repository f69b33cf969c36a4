#include "protocol/payload_json.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace lamina::protocol {
namespace {

Payload payload_of(std::string_view json) {
  return Payload::from_json(json).value();
}

// Reads a body as the route of its edit does.
Result<EditPayloadRequest> decode(const PayloadEdit& edit,
                                  std::string_view body) {
  const EditRoute route = route_of(edit);
  if (route.below == "/payload/delete") return decode_delete_payload(body);
  if (route.below == "/payload/clear") return decode_clear_payload(body);
  return route.method == "PUT" ? decode_overwrite_payload(body)
                               : decode_set_payload(body);
}

TEST_CASE("every edit and every selection survive the wire") {
  const PayloadEdit edits[] = {
      SetPayload{payload_of(R"({"a":[1,2.50],"\u00e4":null})"), ""},
      SetPayload{payload_of("{}"), "a.\"b.c\"[2].d"},
      OverwritePayload{payload_of(R"({"x":{}})")},
      OverwritePayload{},
      DeletePayload{{"a", "b[].c"}},
      DeletePayload{},
      ClearPayload{},
  };
  const Selector selectors[] = {
      PointId(std::numeric_limits<std::uint64_t>::max()),
      std::vector<PointId>{1, PointId::from_name("x")},
      Filter::all_of({where::match("a", std::int64_t{1})}),
      Selector::all(),
  };
  for (const PayloadEdit& edit : edits) {
    for (const Selector& points : selectors) {
      const std::string body = encode_edit_payload(points, edit);
      CAPTURE(body);
      const Result<EditPayloadRequest> request = decode(edit, body);
      REQUIRE(request.ok());
      CHECK(request->edit == edit);
      CHECK(request->points == points);
    }
  }
}

TEST_CASE("an edit without points, or with two kinds of them, is refused") {
  const std::string_view neither =
      "Either list of point ids or filter must be provided";
  CHECK(decode_set_payload(R"({"payload":{}})").status().message() == neither);
  CHECK(decode_overwrite_payload(R"({"payload":{},"points":null})")
            .status()
            .message() == neither);
  CHECK(decode_delete_payload(R"({"keys":["a"]})").status().message() ==
        neither);
  CHECK(decode_clear_payload("{}").status().message() == neither);
  CHECK_FALSE(decode_clear_payload(R"({"points":[1],"filter":{}})").ok());
}

TEST_CASE("an edit that means something else is refused by name") {
  const auto message = [](const auto& request) {
    CHECK(request.status().code() == StatusCode::invalid_argument);
    return request.status().message();
  };
  CHECK(message(decode_set_payload(R"({"points":[1]})")) ==
        "missing field `payload`");
  CHECK(message(decode_set_payload(R"({"points":[1],"payload":[]})")) ==
        "payload: expected an object, got an array");
  CHECK(message(decode_set_payload(
            R"({"points":[1],"payload":{},"keys":["a"]})")) ==
        "unknown field `keys`");
  CHECK(message(decode_overwrite_payload(
                    R"({"points":[1],"payload":{},"key":"a"})"))
            .starts_with("key: "));
  CHECK(message(decode_delete_payload(R"({"points":[1],"keys":"a"})")) ==
        "keys: expected an array, got a string");
  CHECK(message(decode_delete_payload(R"({"points":[1],"keys":[1]})")) ==
        "keys[0]: expected a string, got a number");
}

TEST_CASE("index types are read by name or as an object") {
  for (const PayloadIndexType type :
       {PayloadIndexType::keyword, PayloadIndexType::integer,
        PayloadIndexType::floating, PayloadIndexType::boolean,
        PayloadIndexType::datetime, PayloadIndexType::uuid,
        PayloadIndexType::text}) {
    const auto request = decode_create_index(encode_create_index("a.b", type));
    REQUIRE(request.ok());
    CHECK(request->key == "a.b");
    CHECK(request->type == type);
  }
  const auto schema = [](const std::string& json) {
    return decode_create_index(R"({"field_name":"a","field_schema":)" + json +
                               "}");
  };
  CHECK(schema(R"({"type":"integer","range":true,"on_disk":true})")->type ==
        PayloadIndexType::integer);
  CHECK(schema(R"({"type":"integer","lookup":false,"range":false})")
            .status()
            .field() == "field_schema");
  CHECK_FALSE(schema(R"("geo")").ok());
  CHECK_FALSE(schema(R"("words")").ok());
  CHECK_FALSE(schema("null").ok());
  CHECK_FALSE(schema("{}").ok());
}

TEST_CASE("facets survive the wire") {
  FacetOptions options;
  options.limit = 7;
  options.filter = Filter::all_of({where::is_empty("b")});
  const auto request = decode_facet(encode_facet("a[].b", options));
  REQUIRE(request.ok());
  CHECK(request->key == "a[].b");
  CHECK(request->options.limit == 7);
  CHECK(request->options.filter == options.filter);
  CHECK(decode_facet(R"({"key":"a","exact":true})")->options.limit == 10);
  CHECK(decode_facet(R"({"key":"a","limit":0})").status().field() == "limit");
  CHECK_FALSE(decode_facet("{}").ok());

  const std::vector<FacetHit> hits = {
      {true, 3},
      {std::int64_t{-9007199254740993}, 2},
      {std::string("5\n"), 1},
  };
  CHECK(*decode_facet_reply(encode_facet_reply(hits, 0.0)) == hits);
  CHECK(decode_facet_reply(encode_facet_reply({}, 0.0))->empty());
  CHECK_FALSE(
      decode_facet_reply(R"({"result":{"hits":[{"value":1.5,"count":1}]}})")
          .ok());
}

}  // namespace
}  // namespace lamina::protocol
