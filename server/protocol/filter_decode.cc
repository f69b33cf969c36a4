#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/filter_json.h"
#include "protocol/message.h"
#include "types/datetime.h"
#include "types/filter_check.h"
#include "types/filter_number.h"
#include "types/json_path.h"

namespace lamina::protocol {
namespace {

using where::Condition;

Result<Filter> read_filter_at(const JsonValue& value, std::string_view path);

Status expected(std::string_view path, std::string_view what,
                const JsonValue& value) {
  return Status::invalid_argument(std::string(path) + ": expected " +
                                  std::string(what) + ", got " +
                                  std::string(value.kind_name()));
}

std::optional<std::int64_t> integer_in(const JsonValue& value) {
  if (value.kind() != JsonKind::number) return std::nullopt;
  const where::Number number = read_json_number(value.number());
  const auto* integer = std::get_if<std::int64_t>(&number);
  if (integer == nullptr) return std::nullopt;
  return *integer;
}

Result<where::Value> read_value(const JsonValue& value, std::string_view path) {
  if (value.kind() == JsonKind::boolean) return where::Value(value.boolean());
  if (value.kind() == JsonKind::string) {
    return where::Value(std::string(value.string()));
  }
  const std::optional<std::int64_t> integer = integer_in(value);
  if (integer.has_value()) return where::Value(*integer);
  return expected(path, "a string, a 64-bit integer or a boolean", value);
}

Result<where::Number> read_number(const JsonValue& value,
                                  std::string_view path) {
  if (value.kind() == JsonKind::number) {
    return read_json_number(value.number());
  }
  return expected(path, "a number", value);
}

Result<std::string> read_datetime(const JsonValue& value,
                                  std::string_view path) {
  if (value.kind() == JsonKind::string && parse_datetime(value.string())) {
    return std::string(value.string());
  }
  return expected(path, "a time by RFC 3339", value);
}

Result<std::uint64_t> read_count(const JsonValue& value,
                                 std::string_view path) {
  return value.as_uint64(path);
}

template <class T>
struct Bound {
  std::string_view name;
  std::optional<T> where::Bounds<T>::*member;
};

template <class T>
constexpr std::array<Bound<T>, 4> kBounds = {{{"lt", &where::Bounds<T>::lt},
                                              {"lte", &where::Bounds<T>::lte},
                                              {"gt", &where::Bounds<T>::gt},
                                              {"gte", &where::Bounds<T>::gte}}};

// {"lt"?, "lte"?, "gt"?, "gte"?}
template <class T>
Result<where::Bounds<T>> read_bounds(const JsonValue& value,
                                     const std::string& path,
                                     Result<T> (*read)(const JsonValue&,
                                                       std::string_view)) {
  ObjectReader object(value, path);
  where::Bounds<T> bounds;
  for (const Bound<T>& bound : kBounds<T>) {
    const JsonValue* field = object.find(bound.name);
    if (field == nullptr) continue;
    Result<T> limit = read(*field, object.path_of(bound.name));
    if (!limit.ok()) return limit.status();
    bounds.*bound.member = *std::move(limit);
  }
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  return bounds;
}

// A range whose first bound is a string is one of times.
bool is_datetime_range(const JsonValue& value) {
  if (value.kind() != JsonKind::object) return false;
  for (const JsonValue::Member& member : value.members()) {
    if (member.value.is_null()) continue;
    return member.value.kind() == JsonKind::string;
  }
  return false;
}

Result<std::string> read_key(ObjectReader* object) {
  const JsonValue* value = object->require("key");
  if (value == nullptr) return object->status();
  const std::string path = object->path_of("key");
  const Result<std::string_view> text = value->as_string(path);
  if (!text.ok()) return text.status();
  const Result<JsonPath> parsed = JsonPath::parse(*text);
  if (!parsed.ok()) {
    return Status::invalid_argument(path + ": " + parsed.status().message());
  }
  return std::string(*text);
}

Result<std::string> read_text(const JsonValue& value, const std::string& path) {
  const Result<std::string_view> text = value.as_string(path);
  if (!text.ok()) return text.status();
  return std::string(*text);
}

// The one test of a field condition or of its match: each reader below takes
// the value that stands under its name.
struct Test {
  std::string_view name;
  Result<Condition> (*read)(std::string key, const JsonValue& value,
                            const std::string& path);
};

Result<Condition> read_match_value(std::string key, const JsonValue& value,
                                   const std::string& path) {
  Result<where::Value> wanted = read_value(value, path);
  if (!wanted.ok()) return wanted.status();
  return where::match(std::move(key), *std::move(wanted));
}

Result<Condition> read_match_any(std::string key, const JsonValue& value,
                                 const std::string& path) {
  Result<std::vector<where::Value>> list = read_list(value, path, read_value);
  if (!list.ok()) return list.status();
  return where::match_any(std::move(key), *std::move(list));
}

Result<Condition> read_match_except(std::string key, const JsonValue& value,
                                    const std::string& path) {
  Result<std::vector<where::Value>> list = read_list(value, path, read_value);
  if (!list.ok()) return list.status();
  return where::match_except(std::move(key), *std::move(list));
}

template <where::TextMode mode>
Result<Condition> read_match_text(std::string key, const JsonValue& value,
                                  const std::string& path) {
  Result<std::string> text = read_text(value, path);
  if (!text.ok()) return text.status();
  return Condition(where::MatchText{std::move(key), mode, *std::move(text)});
}

Result<Condition> read_range(std::string key, const JsonValue& value,
                             const std::string& path) {
  if (is_datetime_range(value)) {
    auto bounds = read_bounds(value, path, read_datetime);
    if (!bounds.ok()) return bounds.status();
    return where::datetime_range(std::move(key), *std::move(bounds));
  }
  const auto bounds = read_bounds(value, path, read_number);
  if (!bounds.ok()) return bounds.status();
  return where::range(std::move(key), *bounds);
}

Result<Condition> read_values_count(std::string key, const JsonValue& value,
                                    const std::string& path) {
  const auto bounds = read_bounds(value, path, read_count);
  if (!bounds.ok()) return bounds.status();
  return where::values_count(std::move(key), *bounds);
}

Result<Condition> read_field_is_empty(std::string key, const JsonValue& value,
                                      const std::string& path) {
  const Result<bool> flag = value.as_bool(path);
  if (!flag.ok()) return flag.status();
  return where::is_empty(std::move(key), *flag);
}

Result<Condition> read_field_is_null(std::string key, const JsonValue& value,
                                     const std::string& path) {
  const Result<bool> flag = value.as_bool(path);
  if (!flag.ok()) return flag.status();
  return where::is_null(std::move(key), *flag);
}

Result<Condition> unsupported_geo(std::string, const JsonValue&,
                                  const std::string& path) {
  return unsupported(path, "conditions on places");
}

// Reads the one of `tests` that stands in the object.
template <std::size_t count>
Result<Condition> read_one_of(const std::array<Test, count>& tests,
                              std::string key, const std::string& path,
                              ObjectReader* object) {
  const Test* chosen = nullptr;
  const JsonValue* value = nullptr;
  std::string names;
  for (const Test& test : tests) {
    const JsonValue* found = object->find(test.name);
    if (!names.empty()) names += ", ";
    names += test.name;
    if (found == nullptr) continue;
    if (chosen != nullptr) {
      return Status::invalid_argument(path + ": expected only one of " +
                                      std::string(chosen->name) + " and " +
                                      std::string(test.name));
    }
    chosen = &test;
    value = found;
  }
  const Status shape = object->finish();
  if (!shape.ok()) return shape;
  if (chosen == nullptr) {
    return Status::invalid_argument(path + ": expected one of " + names);
  }
  return chosen->read(std::move(key), *value, object->path_of(chosen->name));
}

constexpr std::array<Test, 7> kMatches = {
    {{"value", read_match_value},
     {"any", read_match_any},
     {"except", read_match_except},
     {"text", read_match_text<where::TextMode::text>},
     {"text_any", read_match_text<where::TextMode::text_any>},
     {"phrase", read_match_text<where::TextMode::phrase>},
     {"prefix", read_match_text<where::TextMode::prefix>}}};

Result<Condition> read_match(std::string key, const JsonValue& value,
                             const std::string& path) {
  ObjectReader object(value, path);
  if (!object.ok()) return object.status();
  return read_one_of(kMatches, std::move(key), path, &object);
}

constexpr std::array<Test, 8> kFieldTests = {
    {{"match", read_match},
     {"range", read_range},
     {"values_count", read_values_count},
     {"is_empty", read_field_is_empty},
     {"is_null", read_field_is_null},
     {"geo_radius", unsupported_geo},
     {"geo_bounding_box", unsupported_geo},
     {"geo_polygon", unsupported_geo}}};

Result<Condition> read_field(const JsonValue& value, const std::string& path) {
  ObjectReader object(value, path);
  Result<std::string> key = read_key(&object);
  if (!key.ok()) return key.status();
  return read_one_of(kFieldTests, *std::move(key), path, &object);
}

// The conditions that are not about one field: {name: content}.

// Of {key}, and no other field.
Result<std::string> read_only_key(const JsonValue& value,
                                  const std::string& path) {
  ObjectReader object(value, path);
  Result<std::string> key = read_key(&object);
  const Status shape = object.finish();
  if (!key.ok() || shape.ok()) return key;
  return shape;
}

Result<Condition> read_is_empty(const JsonValue& value,
                                const std::string& path) {
  Result<std::string> key = read_only_key(value, path);
  if (!key.ok()) return key.status();
  return where::is_empty(*std::move(key));
}

Result<Condition> read_is_null(const JsonValue& value,
                               const std::string& path) {
  Result<std::string> key = read_only_key(value, path);
  if (!key.ok()) return key.status();
  return where::is_null(*std::move(key));
}

Result<PointId> read_id(const JsonValue& value, std::string_view path) {
  return value.as_point_id(path);
}

Result<Condition> read_has_id(const JsonValue& value, const std::string& path) {
  Result<std::vector<PointId>> ids = read_list(value, path, read_id);
  if (!ids.ok()) return ids.status();
  return where::has_id(*std::move(ids));
}

Result<Condition> read_slice(const JsonValue& value, const std::string& path) {
  ObjectReader object(value, path);
  where::Slice slice;
  object.require("total");
  object.require("index");
  object.read("total", &slice.total);
  object.read("index", &slice.index);
  const Status read = object.finish();
  if (!read.ok()) return read;
  return Condition(slice);
}

Result<Condition> read_nested(const JsonValue& value, const std::string& path) {
  ObjectReader object(value, path);
  Result<std::string> key = read_key(&object);
  const JsonValue* filter = object.require("filter");
  const Status shape = object.finish();
  if (!key.ok()) return key.status();
  if (!shape.ok()) return shape;
  Result<Filter> inner = read_filter_at(*filter, object.path_of("filter"));
  if (!inner.ok()) return inner.status();
  return where::nested(*std::move(key), *std::move(inner));
}

Result<Condition> unsupported_has_vector(const JsonValue&,
                                         const std::string& path) {
  return unsupported(path, "named vectors");
}

struct NamedCondition {
  std::string_view name;
  Result<Condition> (*read)(const JsonValue& value, const std::string& path);
};

constexpr std::array<NamedCondition, 6> kNamedConditions = {
    {{"is_empty", read_is_empty},
     {"is_null", read_is_null},
     {"has_id", read_has_id},
     {"slice", read_slice},
     {"nested", read_nested},
     {"has_vector", unsupported_has_vector}}};

Result<Condition> read_condition(const JsonValue& value, std::string_view at) {
  const std::string path(at);
  if (value.kind() != JsonKind::object) {
    return expected(path, "an object", value);
  }
  if (value.find("key").has_value()) return read_field(value, path);
  for (const NamedCondition& named : kNamedConditions) {
    ObjectReader object(value, path);
    const JsonValue* content = object.find(named.name);
    if (content == nullptr) continue;
    const Status shape = object.finish();
    if (!shape.ok()) return shape;
    return named.read(*content, object.path_of(named.name));
  }
  Result<Filter> filter = read_filter_at(value, path);
  if (!filter.ok()) return filter.status();
  return Condition(*std::move(filter));
}

// A list of conditions, or one.
Status read_conditions(const JsonValue& value, const std::string& path,
                       std::vector<Condition>* conditions) {
  if (value.kind() == JsonKind::object) {
    Result<Condition> condition = read_condition(value, path);
    if (!condition.ok()) return condition.status();
    conditions->push_back(*std::move(condition));
    return {};
  }
  if (value.kind() != JsonKind::array) {
    return expected(path, "a condition or a list of conditions", value);
  }
  Result<std::vector<Condition>> list = read_list(value, path, read_condition);
  if (!list.ok()) return list.status();
  *conditions = *std::move(list);
  return {};
}

void read_clause(std::string_view name, ObjectReader* object,
                 std::vector<Condition>* conditions) {
  const JsonValue* value = object->find(name);
  if (value == nullptr || !object->ok()) return;
  object->fail(read_conditions(*value, object->path_of(name), conditions));
}

void read_min_should(ObjectReader* object, Filter::Clauses* clauses) {
  const JsonValue* value = object->find("min_should");
  if (value == nullptr || !object->ok()) return;
  ObjectReader inner(*value, object->path_of("min_should"));
  Filter::Clauses::MinShould min_should;
  inner.require("conditions");
  inner.require("min_count");
  read_clause("conditions", &inner, &min_should.conditions);
  inner.read("min_count", &min_should.min_count);
  clauses->min_should = std::move(min_should);
  object->fail(inner.finish());
}

// Recursion is bounded by the depth of the document.
Result<Filter> read_filter_at(const JsonValue& value, std::string_view path) {
  ObjectReader object(value, std::string(path));
  Filter::Clauses clauses;
  read_clause("must", &object, &clauses.must);
  read_clause("should", &object, &clauses.should);
  read_clause("must_not", &object, &clauses.must_not);
  read_min_should(&object, &clauses);
  const Status read = object.finish();
  if (!read.ok()) return read;
  return Filter(std::move(clauses));
}

}  // namespace

Result<Filter> read_filter(const JsonValue& value, std::string_view path) {
  Result<Filter> filter = read_filter_at(value, path);
  if (!filter.ok()) return filter;
  const Status valid = validate_filter(*filter);
  if (!valid.ok()) return valid;
  return filter;
}

}  // namespace lamina::protocol
