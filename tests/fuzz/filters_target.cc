#include "filter/filter_engine.h"
#include "fuzz/round_trip.h"
#include "fuzz/targets.h"
#include "protocol/filter_json.h"
#include "protocol/message.h"
#include "types/filter_check.h"

namespace lamina::fuzz {
namespace {

// Points of every kind that conditions tell apart.
class Points {
 public:
  Points() {
    std::uint64_t number = 0;
    for (
        const std::string_view payload :
        {R"({})", R"({"a":null})", R"({"a":1,"b":"red"})",
         R"({"a":1.5,"b":["red","blue"]})", R"({"a":[],"b":""})",
         R"({"a":"2024-05-01T12:00:00Z","b":true})",
         R"({"a":[{"b":1,"c":"x"},{"b":2}],"b":{"c":[1,2,3]}})",
         R"({"a":-9223372036854775808,"b":"550e8400-e29b-41d4-a716-446655440000"})",
         R"({"a":18446744073709551615,"b":[null]})",
         R"({"a":"1","b":[[1],[2]],"a.b":7})"}) {
      const float value = static_cast<float>(number);
      rows_.put(number, {&value, 1}, Payload::from_json(payload).value(), 1);
      ++number;
    }
  }

  const rows::RowTable& rows() const { return rows_; }

  // From columns of values that may take so many bytes; else each payload is
  // read.
  search::RowSet matching(const Filter& filter,
                          std::size_t column_bytes) const {
    const filter::FilterEngine engine(column_bytes);
    const Result<filter::Matching> found = engine.matching(filter, rows_);
    check(found.ok(), "a filter that is read can be used");
    return found->rows;
  }

 private:
  rows::RowTable rows_{1, Metric::euclid};
};

void check_answers(const Filter& filter) {
  static const Points points;
  const search::RowSet by_column =
      points.matching(filter, filter::FilterEngine::kMaxColumnBytes);
  check(by_column == points.matching(filter, 0),
        "columns and payloads give the same answer");
  // One level more may be one too many.
  const Filter opposite = Filter::none_of({filter});
  if (filter.empty() || !validate_filter(opposite).ok()) return;
  search::RowSet others =
      points.matching(opposite, filter::FilterEngine::kMaxColumnBytes);
  check(others.complement() == by_column, "a point matches, or it does not");
}

Result<Filter> read(std::string_view text) {
  const Result<JsonDocument> document = protocol::parse_message(text);
  if (!document.ok()) return document.status();
  return protocol::read_filter(document->root(), "filter");
}

std::string write(const Filter& filter) {
  JsonWriter json;
  protocol::write_filter(filter, &json);
  return json.take();
}

void run(std::string_view input) {
  check_round_trip(read, write, input);
  const Result<Filter> filter = read(input);
  if (!filter.ok()) return;
  check(read(write(*filter)).value() == *filter, "a filter reads back equal");
  check_answers(*filter);
}

std::string nested(std::size_t depth) {
  std::string text = R"({"key":"a","match":{"value":1}})";
  for (std::size_t i = 0; i < depth; ++i) {
    text = R"({"must":)" + text + "}";
  }
  return text;
}

std::vector<std::string> seeds() {
  return {
      R"({"must":[{"key":"a","match":{"value":1}},{"key":"b","match":{"any":["red","x"]}}]})",
      R"({"must_not":[{"key":"b","match":{"except":["red"]}}]})",
      R"({"should":[{"key":"a","range":{"gte":-9223372036854775808,"lt":1.5}}]})",
      R"({"must":[{"key":"a","range":{"gt":9223372036854775808,"lte":1e300}}]})",
      R"({"must":{"key":"a","range":{"gt":"2024-05-01","lt":null}}})",
      R"({"must":[{"key":"b","match":{"text":"re"}},{"key":"b","match":{"prefix":"bl"}},{"key":"b","match":{"phrase":"ue"}},{"key":"b","match":{"text_any":"a b"}}]})",
      R"({"must":[{"is_empty":{"key":"a"}},{"is_null":{"key":"b"}}]})",
      R"({"must":[{"key":"a","is_empty":true},{"key":"b","is_null":false}]})",
      R"({"must":[{"key":"b","values_count":{"gte":1,"lt":3}}]})",
      R"({"must":[{"has_id":[1,2,"550e8400-e29b-41d4-a716-446655440000"]}]})",
      R"({"must":[{"nested":{"key":"a","filter":{"must":[{"key":"b","match":{"value":2}}]}}}]})",
      R"({"min_should":{"conditions":[{"key":"a","match":{"value":1}},{"key":"a[].b","match":{"value":true}}],"min_count":1}})",
      R"({"must":[{"slice":{"total":3,"index":2}}]})",
      R"({"must":[{"key":"\"a.b\"","match":{"value":7}},{"key":"b[][]","match":{"value":1}}]})",
      R"({"a":{"$gt":"x","$foo":1}})",
      "5",
      "[]",
      "{}",
      R"({"must":[],"should":null})",
      nested(kMaxFilterDepth - 1),
      nested(kMaxFilterDepth),
  };
}

}  // namespace

Target filters_target() {
  return {.name = "filters",
          .what =
              "Filters. What is read is written and read back as an equal "
              "filter, gives the same points from columns of values and "
              "from payloads, and its opposite gives all others.",
          .run = run,
          .seeds = seeds,
          .words = {"\"must\":[",
                    "\"must_not\":[",
                    "\"should\":[",
                    "\"min_should\":{",
                    "\"conditions\":[",
                    "\"min_count\":",
                    "\"nested\":{",
                    "\"filter\":{",
                    "\"key\":\"a\"",
                    "\"key\":\"b\"",
                    "\"match\":{",
                    "\"value\":",
                    "\"any\":[",
                    "\"except\":[",
                    "\"text\":",
                    "\"prefix\":",
                    "\"range\":{",
                    "\"gt\":",
                    "\"gte\":",
                    "\"lt\":",
                    "\"lte\":",
                    "\"values_count\":{",
                    "\"is_empty\":",
                    "\"is_null\":",
                    "\"has_id\":[",
                    "\"slice\":{\"total\":2,\"index\":1}",
                    "null",
                    "true",
                    "9223372036854775807",
                    "\"2024-05-01\""}};
}

}  // namespace lamina::fuzz
