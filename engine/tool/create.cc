#include "commands.h"
#include "output.h"
#include "session.h"
#include "types/validate.h"

namespace lamina::tool {

Status create(const Common& common, const CreateArguments& arguments) {
  // Before a directory is made for it.
  Status valid = validate_collection_name(arguments.collection);
  if (valid.ok()) valid = validate_collection_options(arguments.options);
  if (!valid.ok()) return valid;
  Result<std::unique_ptr<Database>> database =
      open_database(common, /*create_if_missing=*/true);
  if (!database.ok()) return database.status();
  const Result<std::shared_ptr<Collection>> made =
      (*database)->create_collection(arguments.collection, arguments.options);
  if (!made.ok()) return made.status();
  const Result<CollectionInfo> info = (*made)->info();
  if (!info.ok()) return info.status();
  if (!common.json) {
    return print_line("created " + arguments.collection + ": " +
                      describe(*info));
  }
  JsonWriter json;
  json.begin_object();
  write_info(*info, &json);
  return print_line(json.end_object().take());
}

}  // namespace lamina::tool
