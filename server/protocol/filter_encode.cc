#include <cassert>
#include <string>
#include <vector>

#include "protocol/filter_json.h"

namespace lamina::protocol {
namespace {

void write_integer(std::int64_t value, JsonWriter* json) {
  json->raw(std::to_string(value));
}

void write_value(const where::Value& value, JsonWriter* json) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    json->boolean(*flag);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    write_integer(*integer, json);
  } else {
    json->string(std::get<std::string>(value));
  }
}

void write_values(const std::vector<where::Value>& values, JsonWriter* json) {
  json->begin_array();
  for (const where::Value& value : values) write_value(value, json);
  json->end_array();
}

void write_bound(const where::Number& value, JsonWriter* json) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    write_integer(*integer, json);
  } else {
    json->float64(std::get<double>(value));
  }
}
void write_bound(const std::string& value, JsonWriter* json) {
  json->string(value);
}
void write_bound(std::uint64_t value, JsonWriter* json) { json->uint64(value); }

template <class T>
void write_bounds(const where::Bounds<T>& bounds, JsonWriter* json) {
  const auto write = [&](std::string_view name, const std::optional<T>& bound) {
    if (!bound.has_value()) return;
    json->key(name);
    write_bound(*bound, json);
  };
  json->begin_object();
  write("lt", bounds.lt);
  write("lte", bounds.lte);
  write("gt", bounds.gt);
  write("gte", bounds.gte);
  json->end_object();
}

std::string_view name_of(where::TextMode mode) {
  switch (mode) {
    case where::TextMode::text:
      return "text";
    case where::TextMode::text_any:
      return "text_any";
    case where::TextMode::phrase:
      return "phrase";
    case where::TextMode::prefix:
      break;
  }
  return "prefix";
}

// Writes what stands between the braces of a condition.
class ConditionWriter {
 public:
  explicit ConditionWriter(JsonWriter* json) : json_(*json) {}

  void operator()(const where::MatchValue& match) {
    begin_match(match.key, "value");
    write_value(match.value, &json_);
    json_.end_object();
  }
  void operator()(const where::MatchAny& match) {
    begin_match(match.key, "any");
    write_values(match.values, &json_);
    json_.end_object();
  }
  void operator()(const where::MatchExcept& match) {
    begin_match(match.key, "except");
    write_values(match.values, &json_);
    json_.end_object();
  }
  void operator()(const where::MatchText& match) {
    begin_match(match.key, name_of(match.mode));
    json_.string(match.text);
    json_.end_object();
  }
  void operator()(const where::Range& range) {
    json_.key("key").string(range.key).key("range");
    write_bounds(range.bounds, &json_);
  }
  void operator()(const where::DatetimeRange& range) {
    json_.key("key").string(range.key).key("range");
    write_bounds(range.bounds, &json_);
  }
  void operator()(const where::ValuesCount& count) {
    json_.key("key").string(count.key).key("values_count");
    write_bounds(count.bounds, &json_);
  }
  void operator()(const where::IsEmpty& condition) {
    write_state("is_empty", condition.key, condition.expected);
  }
  void operator()(const where::IsNull& condition) {
    write_state("is_null", condition.key, condition.expected);
  }
  void operator()(const where::HasId& condition) {
    json_.key("has_id").begin_array();
    for (const PointId& id : condition.ids) json_.point_id(id);
    json_.end_array();
  }
  void operator()(const where::Slice& slice) {
    json_.key("slice").begin_object().key("total").uint64(slice.total);
    json_.key("index").uint64(slice.index).end_object();
  }
  void operator()(const where::Nested& nested) {
    json_.key("nested").begin_object().key("key").string(nested.key);
    json_.key("filter");
    write_filter(nested.filter, &json_);
    json_.end_object();
  }
  void operator()(const where::Predicate&) {
    assert(false && "a predicate has no JSON form");
  }
  void operator()(const Filter& filter) { write_clauses(filter.clauses()); }

  void write_clauses(const Filter::Clauses& clauses) {
    if (!clauses.must.empty()) write_list("must", clauses.must);
    if (!clauses.should.empty()) write_list("should", clauses.should);
    if (!clauses.must_not.empty()) write_list("must_not", clauses.must_not);
    if (!clauses.min_should.has_value()) return;
    json_.key("min_should").begin_object();
    write_list("conditions", clauses.min_should->conditions);
    json_.key("min_count").uint64(clauses.min_should->min_count).end_object();
  }

 private:
  void begin_match(const std::string& key, std::string_view kind) {
    json_.key("key").string(key).key("match").begin_object().key(kind);
  }

  // Of the two forms there are, only one can say false, and old servers know
  // only the other.
  void write_state(std::string_view name, const std::string& key,
                   bool expected) {
    if (expected) {
      json_.key(name).begin_object().key("key").string(key).end_object();
    } else {
      json_.key("key").string(key).key(name).boolean(false);
    }
  }

  void write_list(std::string_view name,
                  const std::vector<where::Condition>& conditions) {
    json_.key(name).begin_array();
    for (const where::Condition& condition : conditions) {
      json_.begin_object();
      std::visit(*this, condition.any);
      json_.end_object();
    }
    json_.end_array();
  }

  JsonWriter& json_;
};

}  // namespace

void write_filter(const Filter& filter, JsonWriter* json) {
  json->begin_object();
  ConditionWriter(json).write_clauses(filter.clauses());
  json->end_object();
}

}  // namespace lamina::protocol
