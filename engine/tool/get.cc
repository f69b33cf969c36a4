#include <algorithm>

#include "commands.h"
#include "output.h"
#include "session.h"

namespace lamina::tool {
namespace {

Result<std::vector<PointId>> parse_ids(const std::vector<std::string>& words) {
  std::vector<PointId> ids;
  for (const std::string& word : words) {
    const Result<PointId> id = PointId::parse(word);
    if (!id.ok()) return id.status();
    ids.push_back(*id);
  }
  return ids;
}

// not_found with the ids that are in no record.
Status missing(const std::vector<PointId>& ids,
               const std::vector<Record>& records) {
  std::string list;
  for (const PointId& id : ids) {
    const bool found =
        std::any_of(records.begin(), records.end(),
                    [&](const Record& record) { return record.id == id; });
    if (!found) list += (list.empty() ? "" : ", ") + id.to_string();
  }
  return Status::not_found("no point has the id " + list);
}

Status print(const Common& common, const std::vector<Record>& records) {
  if (!common.json) {
    for (const Record& record : records) {
      const Status printed = print_line(point_line(record));
      if (!printed.ok()) return printed;
    }
    return {};
  }
  JsonWriter json;
  json.begin_object().key("points").begin_array();
  for (const Record& record : records) json.raw(point_line(record));
  return print_line(json.end_array().end_object().take());
}

}  // namespace

Status get(const Common& common, const GetArguments& arguments) {
  const Result<std::vector<PointId>> ids = parse_ids(arguments.ids);
  if (!ids.ok()) return ids.status();
  const Result<Session> session = open_session(common, arguments.collection);
  if (!session.ok()) return session.status();
  const Result<std::vector<Record>> records =
      session->collection->get(*ids, arguments.options);
  if (!records.ok()) return records.status();
  const Status printed = print(common, *records);
  if (!printed.ok() || records->size() == ids->size()) return printed;
  return missing(*ids, *records);
}

}  // namespace lamina::tool
