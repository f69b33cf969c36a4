#include "protocol/batch_json.h"

#include <utility>

#include "protocol/message.h"

namespace lamina::protocol {
namespace {

using Write = decltype(Operation::write);

template <class T>
Result<Write> as_write(Result<T> read) {
  if (!read.ok()) return read.status();
  return Write(*std::move(read));
}

// The kinds of operations, by the one name that each of them has.
struct OperationRow {
  std::string_view name;
  Result<Write> (*read)(const JsonValue& value);
};

constexpr OperationRow kOperations[] = {
    {"upsert", [](const JsonValue& v) { return as_write(read_upsert(v)); }},
    {"delete", [](const JsonValue& v) { return as_write(read_remove(v)); }},
    {"set_payload",
     [](const JsonValue& v) { return as_write(read_set_payload(v)); }},
    {"overwrite_payload",
     [](const JsonValue& v) { return as_write(read_overwrite_payload(v)); }},
    {"delete_payload",
     [](const JsonValue& v) { return as_write(read_delete_payload(v)); }},
    {"clear_payload",
     [](const JsonValue& v) { return as_write(read_clear_payload(v)); }},
    {"update_vectors",
     [](const JsonValue& v) { return as_write(read_update_vectors(v)); }},
    {"delete_vectors",
     [](const JsonValue& v) -> Result<Write> {
       return check_delete_vectors(v);
     }},
};

std::string known_operations() {
  std::string known;
  for (const OperationRow& row : kOperations) {
    known += (known.empty() ? "`" : ", `") + std::string(row.name) + "`";
  }
  return known;
}

Result<Operation> read_operation(const JsonValue& value,
                                 std::string_view path) {
  ObjectReader object(value, std::string(path));
  for (const OperationRow& row : kOperations) {
    const JsonValue* operation = object.find(row.name);
    if (operation == nullptr) continue;
    const Status alone = object.finish();
    if (!alone.ok()) return alone;
    const std::string where = object.path_of(row.name);
    Result<Write> write = row.read(*operation);
    if (!write.ok()) return at_operation(where, write.status());
    return Operation{where, *std::move(write)};
  }
  object.fail(Status::invalid_argument(
      std::string(path) + ": expected one of " + known_operations()));
  return object.status();
}

Result<std::vector<Operation>> read_operations(const JsonValue& root) {
  ObjectReader object(root, "");
  const JsonValue* operations = object.require("operations");
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  return read_list(*operations, "operations", read_operation);
}

}  // namespace

Result<std::vector<Operation>> decode_operations(std::string_view body) {
  return decode_request(body, read_operations);
}

Status at_operation(std::string_view path, const Status& status) {
  if (!status.field().empty()) {
    return Status::invalid_field(std::string(path) + "." + status.field(),
                                 status.message());
  }
  return Status(status.code(), std::string(path) + ": " + status.message());
}

std::string encode_updates_reply(std::span<const UpdateResult> results,
                                 bool waited, double seconds) {
  JsonWriter json = begin_reply();
  json.begin_array();
  for (const UpdateResult& result : results) {
    write_update(result, waited, &json);
  }
  json.end_array();
  return end_reply(std::move(json), seconds);
}

}  // namespace lamina::protocol
