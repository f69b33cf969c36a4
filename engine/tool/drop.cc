#include "commands.h"
#include "output.h"
#include "session.h"
#include "types/validate.h"

namespace lamina::tool {

Status drop(const Common& common, const DropArguments& arguments) {
  Result<std::unique_ptr<Database>> database = open_database(common);
  if (!database.ok()) return database.status();
  const Result<bool> dropped =
      (*database)->drop_collection(arguments.collection);
  if (!dropped.ok()) return dropped.status();
  if (!*dropped) return missing_collection(arguments.collection);
  if (!common.json) return print_line("dropped " + arguments.collection);
  JsonWriter json;
  json.begin_object().key("dropped").string(arguments.collection);
  return print_line(json.end_object().take());
}

}  // namespace lamina::tool
