#include "protocol/selector_json.h"

#include <utility>

#include "protocol/filter_json.h"
#include "protocol/point_fields.h"

namespace lamina::protocol {
namespace {

void read_ids(const JsonValue& list, ObjectReader* object, Selector* selector) {
  Result<std::vector<PointId>> ids =
      read_list(list, object->path_of("points"), read_point_id);
  if (!ids.ok()) return object->fail(ids.status());
  *selector = *std::move(ids);
}

}  // namespace

void read_selector(ObjectReader* object, Selector* selector) {
  const JsonValue* ids = object->find("points");
  const JsonValue* filter = object->find("filter");
  if (!object->ok()) return;
  if (ids != nullptr && filter != nullptr) {
    return object->fail(Status::invalid_argument(
        "expected either `points` or `filter`, not both"));
  }
  if (ids != nullptr) return read_ids(*ids, object, selector);
  if (filter == nullptr) {
    return object->fail(Status::invalid_argument(
        "Either list of point ids or filter must be provided"));
  }
  Result<Filter> read = read_filter(*filter, object->path_of("filter"));
  if (!read.ok()) return object->fail(read.status());
  *selector = read->empty() ? Selector::all() : Selector(*std::move(read));
}

void write_selector(const Selector& selector, JsonWriter* json) {
  if (selector.ids() == nullptr) {
    json->key("filter");
    return write_filter(*selector.filter(), json);
  }
  json->key("points").begin_array();
  for (const PointId& id : *selector.ids()) json->point_id(id);
  json->end_array();
}

void read_filter_field(ObjectReader* object, Filter* filter) {
  read_filter_field(object, "filter", filter);
}

void read_filter_field(ObjectReader* object, std::string_view name,
                       Filter* filter) {
  const JsonValue* value = object->find(name);
  if (value == nullptr || !object->ok()) return;
  Result<Filter> read = read_filter(*value, object->path_of(name));
  if (!read.ok()) return object->fail(read.status());
  *filter = *std::move(read);
}

void write_filter_field(const Filter& filter, JsonWriter* json) {
  if (filter.empty()) return;
  json->key("filter");
  write_filter(filter, json);
}

}  // namespace lamina::protocol
