#include "protocol/order_json.h"

#include <string>
#include <utility>
#include <variant>

#include "types/filter_number.h"

namespace lamina::protocol {
namespace {

void read_direction(ObjectReader* object, OrderBy::Direction* direction) {
  std::string word = "asc";
  object->read("direction", &word);
  if (word == "desc") {
    *direction = OrderBy::Direction::descending;
  } else if (word != "asc") {
    object->fail(Status::invalid_argument(object->path_of("direction") +
                                          ": expected \"asc\" or \"desc\""));
  }
}

void read_start(ObjectReader* object, OrderBy* order) {
  const JsonValue* value = object->find("start_from");
  if (value == nullptr || !object->ok()) return;
  if (value->kind() == JsonKind::string) {
    order->start_from = std::string(value->string());
    return;
  }
  const Result<where::Number> number =
      read_number(*value, object->path_of("start_from"));
  if (!number.ok()) return object->fail(number.status());
  std::visit([&](auto plain) { order->start_from = plain; }, *number);
}

}  // namespace

void read_order_by(ObjectReader* parent, std::optional<OrderBy>* order) {
  const JsonValue* value = parent->find("order_by");
  if (value == nullptr || !parent->ok()) return;
  OrderBy read;
  if (value->kind() == JsonKind::string) {
    read.key = value->string();
  } else {
    ObjectReader object(*value, parent->path_of("order_by"));
    object.require("key");
    object.read("key", &read.key);
    read_direction(&object, &read.direction);
    read_start(&object, &read);
    parent->fail(object.finish());
  }
  *order = std::move(read);
}

void write_order_by(const std::optional<OrderBy>& order, JsonWriter* json) {
  if (!order.has_value()) return;
  json->key("order_by").begin_object().key("key").string(order->key);
  const bool is_descending = order->direction == OrderBy::Direction::descending;
  json->key("direction").string(is_descending ? "desc" : "asc");
  if (order->start_from.has_value()) {
    json->key("start_from");
    if (const auto* text = std::get_if<std::string>(&*order->start_from)) {
      json->string(*text);
    } else if (const auto* real = std::get_if<double>(&*order->start_from)) {
      json->float64(*real);
    } else {
      json->raw(std::to_string(std::get<std::int64_t>(*order->start_from)));
    }
  }
  json->end_object();
}

Result<where::Number> read_number(const JsonValue& value,
                                  std::string_view path) {
  if (value.kind() != JsonKind::number) {
    return Status::invalid_argument(std::string(path) +
                                    ": expected a number, got " +
                                    std::string(value.kind_name()));
  }
  return read_json_number(value.number());
}

void write_number(const where::Number& number, JsonWriter* json) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) {
    json->raw(std::to_string(*integer));
  } else {
    json->float64(std::get<double>(number));
  }
}

}  // namespace lamina::protocol
